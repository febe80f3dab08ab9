import { type CliEnd } from '../cli/rig.ts';
import { orchestratorAnswerForm } from '../../src/model/schemas/spawn-output.ts';
import { ExecutorProject } from './executor-project.ts';

/** A stage as a file has it. Its second argument is what the agent obeys. */
export interface StageFile {
  readonly name: string;
  readonly args: readonly string[];
  readonly [member: string]: unknown;
}

/** A project with the orchestrator `two`, which has these stages. */
export function orchestrated(stages: readonly StageFile[], more: object = {}): ExecutorProject {
  const definition = { stages: stages.map((stage) => ({ executor: 'work', ...stage })), ...more };
  return new ExecutorProject({
    files: { 'compose/orchestrators/two.json': JSON.stringify(definition) },
  });
}

/** The manifest that a command printed, with what went to standard error. */
export function manifestOf({ code, out, err }: CliEnd) {
  return { code, err, ...orchestratorAnswerForm.parse(JSON.parse(out)) };
}

/** `name status code` of each stage. */
export function stagesOf(end: CliEnd): readonly string[] {
  return manifestOf(end).stages.map(({ name, status, exit_code }) => `${name} ${status} ${exit_code ?? '-'}`);
}
