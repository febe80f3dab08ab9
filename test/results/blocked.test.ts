import { expect, test } from 'vitest';
import { write } from '../cli/project.ts';
import { cli } from '../cli/rig.ts';
import { tempFolder } from '../rig/temp-folder.ts';

/** Is blocked until its prompt contains the answer. */
const agent = (summary: string): string => `case "$(cat)" in
  *Elbe*) echo '{"status":"success","summary":"connected"}' ;;
  *) echo '{"status":"blocked","summary":"${summary}"}' ;;
esac > "$TUTTI_RESULT"
`;

function project(summary: string) {
  const folder = tempFolder();
  write(folder.path, {
    'agent.sh': agent(summary),
    'flow.yaml': 'steps: [{ id: connect, agent: coder, prompt: Connect. }]\n',
    'tutti.yaml': 'driver: mine\ndrivers: { mine: { type: command, command: [sh, ./agent.sh] } }\n',
  });
  return {
    type: (...words: readonly string[]) => cli({ folder: folder.path, stdin: '' }, ...words),
    /** A person at a terminal answers what is asked. */
    answer: (typed: readonly string[], ...words: readonly string[]) =>
      cli({ folder: folder.path, terminal: [100, 30], typed }, ...words),
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  };
}

const start = ['run', 'flow.yaml', '--run-id', 'r'] as const;

test.each([
  ['I need the name of the host', 'The agent is blocked: I need the name of the host'],
  ['', 'The agent is blocked and gives no reason. What should it do?'],
])(
  'an agent that is blocked without a question asks with its summary %j and continues with the answer',
  async (summary, question) => {
    using place = project(summary);
    const ran = await place.type(...start);
    expect(ran.code, ran.out).toBe(3);
    expect(ran.out).toContain('connect ended its turn with a question');
    expect((await place.type('inbox')).out).toContain(`${question}\n     tutti answer Q1 TEXT\n`);
    const answered = await place.answer(['Elbe'], 'resume', 'r');
    expect(answered.code, answered.err).toBe(0);
  },
);

test('an agent that is still blocked after two answers ends with NEEDS_ESCALATION', async () => {
  using place = project('I need the name of the host');
  const { code, out } = await place.answer(['Rhine', 'Rhine'], ...start);
  expect(code).toBe(11);
  expect(out).toContain('asked the same question again after two answers: The agent is blocked');
});
