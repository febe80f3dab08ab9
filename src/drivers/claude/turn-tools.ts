import { mentionsSkill } from '../../model/agent.ts';
import type { ClaudeDriver, PermissionMode } from '../../model/claude.ts';
import type { ResultContract } from '../../model/result-contract.ts';
import type { SessionSpec } from '../../model/turn.ts';
import { toolName, turnTools } from '../../model/turn-tools.ts';
import { bothPaths, writePlaces } from '../write-places.ts';

const looking = ['Read', 'Grep', 'Glob'];
const writing = ['Edit', 'Write'];
/** Modes in which the CLI allows more than it is told. */
const freeModes: ReadonlySet<string | undefined> = new Set(['acceptEdits', 'bypass', 'plan']);

/** The operator's mode, unless it would let a turn write where its role does not. */
export function modeFor({ permissionMode }: ClaudeDriver, spec: SessionSpec): PermissionMode | undefined {
  return turnTools(spec).writes === 'workspace' ? permissionMode : undefined;
}

/** What the model is offered, and what of it may be used without a question. */
interface ToolList {
  readonly offered: readonly string[];
  readonly allowed: readonly string[];
}

/**
 * The tools of a turn without a terminal. Offering no others also leaves their definitions out of every request, and with
 * them sub-agents, schedules and background tasks.
 */
export function toolFlags(config: ClaudeDriver, spec: SessionSpec, sessionDir: string): readonly string[] {
  const { offered, allowed } = toolList(config, spec, writeRules(spec, sessionDir));
  return ['--tools', [...new Set(offered)].join(','), ...allowedFlag(allowed)];
}

/** The same where a person is there to be asked: only what a person has named, and the file that Tutti itself asks for. */
export function interactiveToolFlags(
  config: ClaudeDriver,
  { tools }: SessionSpec,
  contract: ResultContract,
): readonly string[] {
  const offered = tools === undefined ? [] : ['--tools', tools.map(toolName).join(',')];
  const result = contract.by === 'file' ? bothPaths(contract.path).map(writeRuleOf) : [];
  return [...offered, ...allowedFlag([...(config.allowedTools ?? tools ?? []), ...result])];
}

function allowedFlag(allowed: readonly string[]): readonly string[] {
  return allowed.length === 0 ? [] : ['--allowedTools', allowed.join(',')];
}

function toolList(config: ClaudeDriver, spec: SessionSpec, rules: readonly string[]): ToolList {
  const own = spec.tools === undefined ? roleTools(spec, rules) : namedTools(spec.tools, rules);
  const { asks = false, permissionMode } = config;
  // A person who wants to be asked is asked about everything but looking.
  const allowedTools = config.allowedTools ?? (asks ? looking : undefined);
  if (allowedTools === undefined) return own;
  // The operator's list is stronger, and cannot give a turn what its role or its agent is not for.
  const mine = new Set(own.offered);
  const allowed = allowedTools.filter((rule) => mine.has(toolName(rule)) || !isBuiltIn(rule));
  const narrowed = allowed.flatMap((rule) =>
    writing.includes(toolName(rule)) ? writeRule(rule, spec, rules) : [rule],
  );
  const offered =
    asks || freeModes.has(permissionMode)
      ? own.offered
      : [...allowed.map(toolName).filter(isBuiltIn), 'Write'];
  return { offered, allowed: [...new Set([...narrowed, ...rules.slice(-1)])] };
}

/** A rule of the operator's own holds where the turn may write at all. */
function writeRule(rule: string, spec: SessionSpec, rules: readonly string[]): readonly string[] {
  return rule.includes('(') && turnTools(spec).writes === 'workspace' ? [rule] : rules;
}

function roleTools(spec: SessionSpec, rules: readonly string[]): ToolList {
  const { writes, runs: mayRun } = turnTools(spec);
  // A planner reads and writes documents, and every check is run by Tutti.
  const runs = mayRun && writes !== 'plan';
  const skill = mentionsSkill(spec.systemPrompt) ? ['Skill'] : [];
  const commands = runs ? ['Bash'] : [];
  return {
    offered: [...looking, ...(writes === 'scratch' ? [] : ['Edit']), 'Write', ...commands, ...skill],
    allowed: [...looking, ...commands, ...skill, ...rules],
  };
}

/** An agent that may not write still has to write its result. */
function namedTools(tools: readonly string[], rules: readonly string[]): ToolList {
  const others = tools.filter((rule) => !writing.includes(rule));
  return { offered: [...tools.map(toolName).filter(isBuiltIn), 'Write'], allowed: [...others, ...rules] };
}

function isBuiltIn(name: string): boolean {
  return !name.startsWith('mcp__');
}

/** The session's comes last. */
function writeRules(spec: SessionSpec, sessionDir: string): readonly string[] {
  return writePlaces(spec, sessionDir).map((folder) => writeRuleOf(`${folder}/**`));
}

/** The CLI decides about `Write` by the rules of `Edit`; the second slash makes a path absolute. */
function writeRuleOf(path: string): string {
  return `Edit(/${path})`;
}
