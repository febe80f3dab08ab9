import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { stringify } from 'yaml';
import * as library from './library.ts';

/** Each turn adds a line here when it is really played: evidence that does not come from Tutti's own tables. */
export const ledger = 'turns.log';
export const flowFile = 'flow.yaml';

/** Long enough that an orchestrator can be killed while they work. */
const slowMs = 2_500;

const node = process.execPath;
const tested = (name: string) => ({ command: [node, '--test', `test/${name}.test.js`], timeout: '30s' });

const flow = {
  name: 'tiny-duration',
  concurrency: 3,
  budget: { launches: 20, wall: '5m' },
  steps: [
    {
      id: 'design',
      agent: 'architect',
      prompt: 'Read SPEC.md and write docs/interfaces.md: every module, its exports, its contract.',
      inputs: ['SPEC.md'],
      gates: [{ file: 'docs/interfaces.md' }],
    },
    coderStep('parse', ['design']),
    coderStep('format', ['design']),
    coderStep('sum', ['parse', 'format']),
    {
      id: 'package',
      agent: 'coder',
      prompt: 'Write src/index.js and its test, as docs/interfaces.md says.',
      needs: ['sum'],
      gates: [{ file: 'src/index.js' }, tested('index')],
    },
    { id: 'verify', command: [node, '--test'], needs: ['package'], timeout: '60s' },
  ],
};

function coderStep(name: string, needs: readonly string[]): object {
  return {
    id: name,
    agent: 'coder',
    prompt: `Write src/${name}.js and test/${name}.test.js, as docs/interfaces.md says. The test must pass.`,
    needs,
    gates: [{ file: `src/${name}.js` }, tested(name)],
  };
}

function turn(step: string, files: Readonly<Record<string, string>>, rest: object = {}): object {
  const paths = Object.keys(files);
  return {
    match: { step },
    tools: paths.map((path) => ({ name: 'Write', target: path })),
    files,
    append: { [ledger]: '{STEP} turn {TURN} attempt {ATTEMPT}\n' },
    usage: { input_tokens: 1800, output_tokens: 420, cost_usd: 0.012 },
    result: { status: 'success', summary: `wrote ${paths.join(' and ')}`, artifacts: paths },
    ...rest,
  };
}

const question = {
  text: 'Should units that are zero be shown ("1h 0m 0s") or left out ("1h")?',
  options: ['left out', 'shown'],
};

const cassette = {
  turns: [
    turn('design', { 'docs/interfaces.md': library.interfaces }, { delay_ms: 300 }),
    turn(
      'parse',
      { 'src/parse.js': library.parseFirst, 'test/parse.test.js': library.parseTest },
      { delay_ms: 400 },
    ),
    turn('parse/heal-1', { 'src/parse.js': library.parseHealed }, { delay_ms: slowMs }),
    turn(
      'format',
      {},
      {
        delay_ms: 300,
        result: {
          status: 'blocked',
          summary: 'the specification does not say how zero is shown',
          questions: [question],
        },
      },
    ),
    turn(
      'format/answer-1',
      { 'src/format.js': library.format, 'test/format.test.js': library.formatTest },
      { delay_ms: 400 },
    ),
    turn('sum', { 'src/sum.js': library.sum, 'test/sum.test.js': library.sumTest }, { delay_ms: 300 }),
    turn(
      'package',
      { 'src/index.js': library.index, 'test/index.test.js': library.indexTest },
      { delay_ms: 300 },
    ),
  ],
};

const architect = `---
name: architect
description: Turns a specification into interfaces
tier: high
---
You are a software architect. You write interfaces and contracts, and no code.
`;

/** Writes the project that the demo runs: a specification, a flow, an agent, and the cassette that plays the agents. */
export function writeDemoProject(folder: string): void {
  const files = {
    'SPEC.md': library.spec,
    'package.json': library.manifest,
    [flowFile]: stringify(flow),
    'cassette.yaml': stringify(cassette),
    'tutti.yaml': 'driver: replay\n',
    'agents/architect.md': architect,
    '.gitignore': `.tutti/\n${ledger}\n`,
  };
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
}
