import type { CommandEnd, NoEnd } from '../model/command.ts';
import type { GateEvidence, MachineGate } from '../model/gate.ts';
import { commandGate } from './kinds/command.ts';
import { diffGate, type GitRunner } from './kinds/diff.ts';
import { fileGate } from './kinds/file.ts';
import { schemaGate } from './kinds/schema.ts';
import { toolsGate } from './kinds/tools.ts';

/** The work that is judged, and the powers that judging it needs. */
export interface JudgedWork {
  readonly workspace: string;
  /** Holds the schemas. */
  readonly projectDir: string;
  /** Of the turn that did the work. */
  readonly toolCalls: number;
  readonly run: (command: {
    readonly argv: readonly [string, ...string[]];
    readonly cwd: string;
    readonly timeoutMs: number;
  }) => Promise<CommandEnd | NoEnd>;
  readonly git: GitRunner;
}

/** Judges one gate of a step, or of a task. `name`: what people know its command by; absent: its arguments. */
export async function judgeGate(
  gate: MachineGate,
  work: JudgedWork,
  name?: string,
): Promise<GateEvidence | NoEnd> {
  switch (gate.kind) {
    case 'command': {
      const { argv, timeoutMs } = gate;
      const end = await work.run({ argv, cwd: work.workspace, timeoutMs });
      return typeof end === 'string' ? end : commandGate(gate, end, name);
    }
    case 'file':
      return fileGate(gate, work.workspace);
    case 'schema':
      return schemaGate(gate, work);
    case 'diff':
      return diffGate(work.git);
    case 'tools':
      return toolsGate(gate, work.toolCalls);
  }
}
