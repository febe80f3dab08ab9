import { isObject, type Json, type JsonObject, plain, textMember } from '../lib/json.ts';
import { planOwner } from './owner.ts';
import type { CommandEnd } from './command.ts';
import type { Failure } from './failure.ts';
import type { GateEvidence, MachineGate } from './gate.ts';
import type { ExecutingOperations } from './plan/executing-operations.ts';
import type { PlanningOperations } from './plan/planning-operations.ts';

/**
 * Every operation of the machine: its name, its arguments and its result. Workflows call operations through
 * `ctx.operation` and the host implements them, both typed by this table. Names, arguments and results are recorded, so a
 * name never changes its meaning and a new argument or member of a result is optional.
 */
interface Operations extends StepOperations, PlanningOperations, ExecutingOperations {}

export type OperationName = keyof Operations;
export type OperationArgs<Name extends OperationName> = Operations[Name]['args'];
export type OperationResult<Name extends OperationName> = Operations[Name]['result'];

/** Operations of flows, single sessions and compositions. */
export interface StepOperations {
  /** Runs a program of the flow's author. */
  readonly command: {
    readonly args: {
      readonly argv: readonly [string, ...string[]];
      /** Gates judge the command after its end: until then its success is not the step's. */
      readonly gated?: true;
    };
    readonly result: CommandEnd;
  };
  /** Judges one gate. People and agents are asked by the workflow. */
  readonly gate: {
    readonly args: {
      readonly gate: MachineGate;
      /** Of the turn that is judged. */
      readonly toolCalls: number;
    };
    readonly result: GateEvidence;
  };
  /** Digest of the contents of the files that the globs name. */
  readonly digest: {
    readonly args: { readonly globs: readonly string[] };
    readonly result: string;
  };
  /** Digest of everything that a turn left: equal digests mean that nothing moved. */
  readonly progress: {
    readonly args: { readonly artifacts: readonly string[] };
    readonly result: string;
  };
  /** Records the files of the project as they are, so that they can be compared and put back. Ignored files are no part of it. */
  readonly 'files-record': {
    readonly args: {
      /** Step or part whose files are traced. A later record of the same moment replaces the earlier one. */
      readonly of: string;
      readonly moment: 'before' | 'after' | 'next';
      /** The record that the files are compared with; null: none. */
      readonly since: Pick<FilesRecord, 'commit' | 'at'> | null;
      /** The first record of the same step; null: this is the first one. */
      readonly first: string | null;
      /** Files that somebody named, relative to the workspace or absolute. */
      readonly named: readonly string[];
    };
    readonly result: FilesRecord;
  };
  /** Makes files of the project what they were in a record. What they are now is kept under a rescue ref first. */
  readonly 'files-restore': {
    readonly args: { readonly commit: string; readonly files: readonly string[] };
    readonly result: { readonly restored: readonly string[]; readonly rescue: string | null };
  };
  /** Waits until other sessions have ended; null: all of them succeeded. */
  readonly after: {
    readonly args: { readonly sessions: readonly string[] };
    readonly result: Failure | null;
  };
}

/** The files of a project at one moment. Paths are relative to the project. */
export interface FilesRecord {
  readonly commit: string;
  /** When the look at the files began. */
  readonly at: number;
  /** Equal trees are equal files. */
  readonly tree: string;
  /** What is different from the record that it was compared with. */
  readonly changed: readonly string[];
  /** What is different from the first record: a file that was changed and changed back is not. */
  readonly differs: readonly string[];
  /** Those of them that a person or another agent may have changed last. Earlier releases did not look. */
  readonly unsure?: readonly string[];
  /** Named files that do not exist in the project, as they were named. */
  readonly missing: readonly string[];
  /** Named files that exist. */
  readonly found: readonly string[];
  /** Those of them that git ignores and that were written since the record that it was compared with. */
  readonly ignored: readonly string[];
}

/** Names that earlier releases recorded for operations that still exist. Nothing writes them any more. */
export const oldOperationNames = {
  'plan-settle': 'plan-edits-settle',
  'plan-keep-edits': 'plan-edits-keep',
  'plan-verdict': 'plan-verdict-check',
  'plan-judged': 'plan-verdict-record',
  'plan-approval': 'plan-approval-standing',
  'plan-approve': 'plan-approval-record',
  'take-over': 'plan-take-over',
  'command-on-commit': 'plan-on-base',
  'workspace-open': 'task-workspace',
  bundle: 'task-bundle',
  accept: 'task-accept',
  seal: 'task-seal',
  land: 'task-land',
  'bring-up-to-date': 'task-bring',
} as const satisfies Readonly<Record<string, OperationName>>;

/** An operation as its entry records it. The host knows whether it has one of that name. */
export interface RecordedOperation {
  readonly name: string;
  readonly args: JsonObject;
  readonly workspace: string;
}

/** The present name and owner stand for those that an earlier release recorded. */
export function readOperation(spec: Json): RecordedOperation {
  const [name, workspace] = [textMember(spec, 'name'), textMember(spec, 'workspace')];
  const args = isObject(spec) ? spec['args'] : null;
  const old: Readonly<Record<string, OperationName>> = oldOperationNames;
  const present = Object.hasOwn(old, name) ? old[name] : undefined;
  return { name: present ?? name, args: isObject(args) ? withOwner(args) : {}, workspace };
}

/** Targets of earlier releases had the name of a plan in place of an owner. */
function withOwner(args: JsonObject): JsonObject {
  const { target } = args;
  if (!isObject(target) || target['plan'] === undefined) return args;
  return { ...args, target: { ...target, owner: plain(planOwner(textMember(target, 'plan'))) } };
}
