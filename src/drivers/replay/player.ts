/*
 * The agent of the replay driver: a program of its own, which plays a turn of a cassette as a coding agent would work.
 * It knows nothing but its environment, its standard input and the cassette; it asks no clock and rolls no dice.
 */
import { readFileSync } from 'node:fs';
import process, { argv, env, stdin } from 'node:process';
import { setTimeout as wait } from 'node:timers/promises';
import { oneLine } from '../../lib/terminal-text.ts';
import type { DriverEvent } from '../../model/driver.ts';
import { cassetteForm } from '../../model/schemas/cassette.ts';
import { problemSentence } from '../../model/schemas/problem.ts';
import { readForm } from '../../model/schemas/yaml-document.ts';
import { taskOf } from '../prompt-text.ts';
import { brokenTurnExit, invalidCassetteExit, unmatchedExit } from './exit-codes.ts';
import { matchTurn } from './match.ts';
import { problemMark } from './parse.ts';
import { play } from './play.ts';

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
];

process.exitCode = await main().catch((error: unknown) => complain(String(error), brokenTurnExit));

async function main(): Promise<number> {
  const path = argv[2] ?? '';
  const text = readCassette(path);
  if (text === null) return complain(`the cassette ${path} cannot be read`, invalidCassetteExit);
  const cassette = readForm(cassetteForm, text, path);
  if (!cassette.ok) return complain(cassette.error.map(problemSentence).join('; '), invalidCassetteExit);
  const asked = {
    agent: variable('AGENT'),
    step: variable('STEP'),
    attempt: Number(variable('ATTEMPT')),
    turn: Number(variable('TURN')),
    task: taskOf(await standardInput()),
  };
  const match = matchTurn(cassette.value, asked, path);
  if (!match.found) return complain(match.why, unmatchedExit);
  return play(match.turn, {
    workspace: variable('WORKSPACE'),
    resultPath: variable('RESULT'),
    variables: new Map(variables.map((name) => [name, variable(name)])),
    env,
    emit,
    wait: (durationMs) => wait(durationMs),
    hang,
  });
}

/** Empty when the launcher did not set it. */
function variable(name: string): string {
  return env[`TUTTI_${name}`] ?? '';
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

function emit(event: DriverEvent): void {
  process.stdout.write(`${JSON.stringify(event)}\n`);
  if (event.type === 'problem') process.stderr.write(`${problemMark}${event.message}\n`);
}

function complain(message: string, exitCode: number): number {
  emit({ type: 'problem', message: oneLine(message, 2000) });
  return exitCode;
}

function hang(): Promise<never> {
  return new Promise(() => {
    // A pending promise alone would let the process end.
    setInterval(() => undefined, 2 ** 30);
  });
}
