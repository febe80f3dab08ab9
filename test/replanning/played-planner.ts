import { createHash } from 'node:crypto';
import * as fs from 'node:fs';
import { join } from 'node:path';
import { runInThisContext } from 'node:vm';
import { plannerProgram } from '../planning/planner-program.ts';

/** Tasks are chains of five: T006 → T007 → T008 → T009 → T010 is one of them. */
const inChain = 5;

/** The program of the other tests, with chains of tasks. */
export const chainedPlanner = plannerProgram.replace(
  "index === 0 ? [] : ['T001']",
  `index % ${inChain} === 0 ? [] : ['T' + behaviors[index - 1].id.slice(1).padStart(3, '0')]`,
);

export interface PlannerTurn {
  readonly step: string;
  readonly planDir: string;
  readonly project: string;
  readonly prompt: string;
}

const parameters =
  'createHash, appendFileSync, existsSync, readFileSync, readdirSync, rmSync, writeFileSync, join, process';
const body = chainedPlanner.replaceAll(/^import .*$/gm, '');
const planner = runInThisContext(`(async (${parameters}) => {${body}})`) as (
  ...parts: readonly unknown[]
) => Promise<void>;

/** The planning agents' program in this process: a turn costs no start of a process. */
export async function playPlanner({ step, planDir, project, prompt }: PlannerTurn): Promise<void> {
  const env = {
    TUTTI_STEP: step,
    TUTTI_PLAN_DIR: planDir,
    TUTTI_RESULT: join(project, 'last-result.json'),
    TUTTI_PROJECT: project,
  };
  const read = (file: string | 0, how: BufferEncoding): string =>
    file === 0 ? prompt : fs.readFileSync(file, how);
  await planner(
    createHash,
    fs.appendFileSync,
    fs.existsSync,
    read,
    fs.readdirSync,
    fs.rmSync,
    fs.writeFileSync,
    join,
    { env },
  );
}
