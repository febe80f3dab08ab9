import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { executorAgent } from '../../model/plan/phase.ts';
import * as library from '../example/library.ts';
import { exampleProject } from '../example/project.ts';
import { turn, type TurnOptions } from '../example/turns.ts';

/** Each turn adds a line here when it is really played: evidence that does not come from Tutti's own tables. */
export const ledger = 'turns.log';

/** Long enough that an orchestrator can be killed while they work. */
const slowMs = 2_500;

/** The turn during which the orchestrator is killed. */
export const slowStep = 'T002/heal-1';

const question = {
  text: 'Should units that are zero be shown ("1h 0m 0s") or left out ("1h")?',
  options: ['left out', 'shown'],
};

/** The file is the project's: in a workspace it would be a part of the work. Nothing but the environment goes into it. */
const note = [
  'sh',
  '-c',
  `echo "$TUTTI_STEP turn $TUTTI_TURN attempt $TUTTI_ATTEMPT" >> "$TUTTI_PROJECT/${ledger}"`,
];

const options: TurnOptions = { commands: [note] };

/** What goes wrong, and heals: a first try that its own test refuses, and a specification that leaves a question open. */
const stumbles = [
  turn(options, { agent: executorAgent, step: 'T002' }, 'Wrote the parser', {
    'src/parse.js': library.parseFirst,
    'test/parse.test.js': library.parseTest,
  }),
  turn(
    options,
    { agent: executorAgent, step: slowStep },
    'Units may follow each other now',
    { 'src/parse.js': library.parse },
    { delay_ms: slowMs },
  ),
  turn(
    options,
    { agent: executorAgent, step: 'T003' },
    'The specification does not say how zero is shown',
    {},
    {
      result: {
        status: 'blocked',
        summary: 'the specification does not say how zero is shown',
        questions: [question],
      },
    },
  ),
  turn(options, { agent: executorAgent, step: 'T003/answer-1' }, 'Wrote the formatter', {
    'src/format.js': library.format,
    'test/format.test.js': library.formatTest,
  }),
];

/** Writes the project that the demo runs: the example, with agents that stumble. Returns the names of its files. */
export function writeDemoProject(folder: string): readonly string[] {
  const files = new Map(exampleProject({ ...options, first: stumbles }));
  files.set('.gitignore', `.tutti/\n${ledger}\n`);
  for (const [name, content] of files) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  return [...files.keys()];
}
