import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { repository } from '../../../test/rig/repository.ts';
import { agentResultForm } from '../../model/schemas/agent-result.ts';
import { cassetteForm } from '../../model/schemas/cassette.ts';
import { configForm } from '../../model/schemas/config.ts';
import { flowForm } from '../../model/schemas/flow.ts';
import { problemSentence } from '../../model/schemas/problem.ts';
import { readForm } from '../../model/schemas/yaml-document.ts';

/** The fenced examples of a page that hold a line with this beginning. */
function examples(page: string, beginning: string): readonly string[] {
  const text = readFileSync(repository(`docs/${page}`), 'utf8');
  const fenced = [...text.matchAll(/^```(?:yaml|json)\n([^]*?)^```$/gm)].map(([, body = '']) => body);
  return fenced.filter((body) => body.split('\n').some((line) => line.startsWith(beginning)));
}

test.each([
  ['cassettes.md', 'turns:', cassetteForm, 1],
  ['cassettes.md', 'drivers:', configForm, 2],
  ['drivers.md', 'drivers:', configForm, 4],
  ['own-agent.md', 'drivers:', configForm, 1],
  ['own-agent.md', 'steps:', flowForm, 1],
  ['own-agent.md', '  "status"', agentResultForm, 1],
  ['flows.md', 'steps:', flowForm, 1],
] as const)('the examples of docs/%s with %j are valid', (page, beginning, form, count) => {
  const found = examples(page, beginning);
  // Each driver that comes adds one.
  expect(found.length).toBeGreaterThanOrEqual(count);
  for (const example of found) {
    const read = readForm(form, example, page);
    expect(read.ok ? [] : read.error.map(problemSentence)).toEqual([]);
  }
});
