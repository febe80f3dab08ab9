/*
 * The agent of the replay driver: a program of its own, which plays a turn of a cassette as a coding agent would work.
 * It knows nothing but its environment, its standard input and the cassette; it rolls no dice, and asks the clock only for `reset_in`.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import process, { argv, env, stdin } from 'node:process';
import { setTimeout as wait } from 'node:timers/promises';
import { contentAddress } from '../../lib/digest.ts';
import { oneLine } from '../../lib/terminal-text.ts';
import type { DriverEvent } from '../../model/driver.ts';
import { cassetteForm, type CassetteStop } from '../../model/schemas/cassette.ts';
import { problemSentence } from '../../model/schemas/problem.ts';
import { readForm } from '../../model/schemas/yaml-document.ts';
import { taskOf } from '../prompt-text.ts';
import { brokenTurnExit, invalidCassetteExit, unmatchedExit } from './exit-codes.ts';
import { matchTurn } from './match.ts';
import { problemMark, untoldMark } from './parse.ts';
import { play } from './play.ts';
import { timesAsked } from './tally.ts';
import { fillIn, withOpen } from './variables.ts';

const variables = [
  'WORKSPACE',
  'PROJECT',
  'RUN_ID',
  'STEP',
  'ATTEMPT',
  'TURN',
  'SESSION_ID',
  'SESSION_DIR',
  'AGENT',
  'PLAN_DIR',
];

/** Files of a plan whose checksums a cassette can name. */
const checksummed = [
  ['SPEC_SHA256', 'inputs/spec.md'],
  ['CAPABILITY_MAP_SHA256', 'artifacts/capability-map.json'],
] as const;

process.exitCode = await main().catch((error: unknown) => complain(String(error), brokenTurnExit));

async function main(): Promise<number> {
  const [path = '', ...addDirs] = argv.slice(2);
  const text = readCassette(path);
  if (text === null) return complain(`the cassette ${path} cannot be read`, invalidCassetteExit);
  const cassette = readForm(cassetteForm, text, path);
  if (!cassette.ok) return complain(cassette.error.map(problemSentence).join('; '), invalidCassetteExit);
  const values = withOpen([
    ...variables.map((name) => [name, variable(name)] as const),
    ...checksums(variable('PLAN_DIR')),
  ]);
  const asked = {
    agent: variable('AGENT'),
    step: variable('STEP'),
    attempt: Number(variable('ATTEMPT')),
    turn: Number(variable('TURN')),
    task: taskOf(await standardInput()),
    fill: (written: string) => fillIn(written, values),
    times: (conditions: string) =>
      timesAsked({
        projectDir: variable('PROJECT'),
        cassette: path,
        sessionId: variable('SESSION_ID'),
        conditions,
      }),
  };
  const match = matchTurn(cassette.value, asked, path);
  if (!match.found) return complain(match.why, unmatchedExit);
  return play(match.turn, {
    workspace: variable('WORKSPACE'),
    addDirs,
    resultPath: variable('RESULT'),
    variables: values,
    env,
    emit: tell,
    untold: () => {
      tell({ type: untoldMark });
    },
    stopped: (stop) => {
      tell({ type: 'stop', stop });
    },
    now: Date.now,
    wait: (durationMs) => wait(durationMs),
    hang,
    dieBy,
  });
}

/** Empty when the launcher did not set it. */
function variable(name: string): string {
  return env[`TUTTI_${name}`] ?? '';
}

/** Checksums that an agent of a plan would get from `sha256sum`, of the files as they are when its turn begins. */
function checksums(planDir: string): readonly (readonly [name: string, value: string])[] {
  if (planDir === '') return [];
  return checksummed.flatMap(([name, file]) => {
    try {
      return [[name, contentAddress(readFileSync(join(planDir, file), 'utf8'))] as const];
    } catch {
      return [];
    }
  });
}

function readCassette(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}

async function standardInput(): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stdin) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString('utf8');
}

type Told =
  | DriverEvent
  | { readonly type: typeof untoldMark }
  | { readonly type: 'stop'; readonly stop: CassetteStop };

function tell(event: Told): void {
  process.stdout.write(`${JSON.stringify(event)}\n`);
}

/** Also where a person looks who runs the player by hand. */
function complain(message: string, exitCode: number): number {
  const sentence = oneLine(message, 2000);
  tell({ type: 'problem', message: sentence });
  process.stderr.write(`${problemMark}${sentence}\n`);
  return exitCode;
}

/** A signal that ends nobody must not leave the turn without an end. */
async function dieBy(signal: string): Promise<never> {
  process.kill(process.pid, signal);
  await wait(1000);
  process.kill(process.pid, 'SIGKILL');
  return hang();
}

function hang(): Promise<never> {
  return new Promise(() => {
    // A pending promise alone would let the process end.
    setInterval(() => undefined, 2 ** 30);
  });
}
