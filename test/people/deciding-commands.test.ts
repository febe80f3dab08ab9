import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Command, RouteMap } from '@stricli/core';
import { expect, test } from 'vitest';
import { decisions } from '../../src/app/people/decisions.ts';
import { delegable } from '../../src/model/decision.ts';
import type { Context } from '../../src/cli/context.ts';
import { loadWholeApplication } from '../../src/cli/application.ts';
import { cli } from '../cli/rig.ts';
import { repository } from '../rig/repository.ts';
import { tempFolder } from '../rig/temp-folder.ts';

/**
 * Commands that decide nothing, by hand: whoever adds a command puts it here or on the list of decisions, and answers by
 * that whether an agent may call it. `recover` restores what this machine recorded, and halts runs where a person's last
 * words may be lost, and `resume` starts what was decided.
 */
const harmless = new Set(
  `init demo run runs status events report costs inbox resume halt stop agents config doctor rebuild recover
   completions conductor check-halt confirm-halt halt-status log log-tokens`
    .split(/\s+/)
    .concat(
      parts('service', 'install uninstall status'),
      parts('plan', 'status list show'),
      parts('task', 'ready list show start complete fail'),
      parts('bundle', 'generate generate-ready validate validate-integrity clean list'),
      parts('checkpoint', 'create update complete status recover clear'),
      parts('compose', 'list show lint new exits'),
      parts('session', 'create list status attach logs wait continue kill archive prune watchdog audit'),
    ),
);

function parts(command: string, names: string): readonly string[] {
  return names.split(' ').map((name) => `${command} ${name}`);
}

function commandsBelow(
  target: Command<Context> | RouteMap<Context>,
  path: readonly string[],
): readonly string[] {
  if (!('getAllEntries' in target)) return [path.join(' ')];
  return target
    .getAllEntries()
    .flatMap(({ name, target: next }) => commandsBelow(next, [...path, name['convert-camel-to-kebab']]));
}

/** Commands that decide whenever they are called; the others need a flag. */
const listed = Object.values(decisions)
  .flatMap(({ commands }): readonly string[] => commands)
  .map((command) => command.split(' --')[0] ?? '');

test('every command is on the list of decisions or among those that decide nothing', async () => {
  const all = commandsBelow((await loadWholeApplication()).root, []);
  const unknown = all.filter((command) => !listed.includes(command) && !harmless.has(command));
  expect(unknown).toEqual([]);
  // Control: a command that is on neither list would be seen.
  const planted = [...all, 'waive'].filter((command) => !listed.includes(command) && !harmless.has(command));
  expect(planted).toEqual(['waive']);
  expect(listed.filter((command) => !all.includes(command))).toEqual([]);
});

test('every decision but delegating itself can be delegated', () => {
  expect([...delegable, 'allow'].toSorted()).toEqual(Object.keys(decisions).toSorted());
});

test.each(Object.values(decisions).flatMap(({ commands }): readonly string[] => commands))(
  'tutti %s has the flag that the list names',
  async (line) => {
    using folder = tempFolder();
    const [command = '', flag] = line.split(' --');
    const { out } = await cli({ folder: folder.path }, ...command.split(' '), '--help');
    expect(out).toContain('USAGE');
    if (flag !== undefined)
      expect(out).toMatch(new RegExp(`--(?:${flag}|${flag.replace(/^no-/, '')}/--${flag})`, 'u'));
  },
);

/** Calls that carry a decision out, and the files that may make them: each asks `decide` first, or is given its answer. */
const sinks: readonly (readonly [call: RegExp, files: readonly string[]])[] = [
  [/\.store\.answer\(/, ['app/runs/answer-question.ts']],
  [
    /\.answerInSession\(/,
    ['app/runs/answer-request.ts', 'app/host/request-watch.ts', 'store/sqlite-store.ts'],
  ],
  [
    /\bwithApproval\(/,
    [
      'app/plans/agent-led/decide-plan.ts',
      'app/plans/planning/plan-approval.ts',
      'model/plan/plan-transitions.ts',
    ],
  ],
  // What an approval covers: tasks and verdicts, changed by a command, where `decidePlanChange` is asked, or by a run.
  [
    /\bwithTasks\(/,
    [
      'app/plans/executing/take-edits.ts',
      'app/plans/planning/check-tasks.ts',
      'app/plans/agent-led/check-artifact.ts',
      'model/plan/plan-transitions.ts',
    ],
  ],
  [
    /\bwithVerdict\(/,
    [
      'app/plans/planning/plan-verdict.ts',
      'app/plans/agent-led/say-of-plan.ts',
      'model/plan/plan-transitions.ts',
    ],
  ],
  [/\bwidened\(state/, ['app/plans/agent-led/widen-task.ts']],
  [/\bdeliver\(target/, ['app/plans/deliver-plan.ts', 'workspace/deliver.ts']],
  [/\b(?:trustRepository|revokeTrust)\(/, ['app/consent/give-trust.ts', 'app/trust/trust.ts']],
  [/\bwriteDelegation\(/, ['app/people/allow.ts', 'app/people/delegations.ts']],
  [/\bapprovedBy:(?! null| string)/, ['app/plans/planning/start-plan.ts']],
];

test.each(sinks)('%s is called only where a person was asked for', (call, files) => {
  const root = repository('src');
  const found = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
    .filter((path) => call.test(readFileSync(join(root, path), 'utf8')));
  expect(found.filter((path) => !files.includes(path))).toEqual([]);
  // Control: the pattern finds the calls that exist.
  expect(found).not.toEqual([]);
});

/**
 * Files of commands that reach a function which decides, by imports, and yet serve no command that is
 * listed: each with the reason.
 */
const sharing: ReadonlyMap<string, string> = new Map([
  ['conductor.ts', 'nobody can be asked there: what is not trusted is refused'],
  ['demo.ts', 'plays its person in a project of its own'],
  ['session/attach.ts', 'a person types at its terminal, and every line is judged as session send judges it'],
]);

/** Of the folder `from`, every file that a file imports, and what these import in turn. */
function importsOf(file: string, known: Map<string, readonly string[]>): ReadonlySet<string> {
  const found = new Set([file]);
  for (const one of found) {
    const text = known.get(one) ?? readImports(one);
    known.set(one, text);
    for (const next of text) found.add(next);
  }
  return found;
}

function readImports(file: string): readonly string[] {
  const text = readFileSync(file, 'utf8');
  const found = [
    ...text.matchAll(/^(?:import|export)\s(?!type\b)[^;]*?from '(\.[^']+\.ts)'/gm),
    ...text.matchAll(/\bimport\('(\.[^']+\.ts)'\)/g),
  ];
  return found.map(([, path = '']) => resolve(dirname(file), path)).filter((path) => existsSync(path));
}

test('a file of commands that reaches a function which decides serves a command that is listed', () => {
  const commands = repository('src/cli/commands');
  const known = new Map<string, readonly string[]>();
  // What every command asks about the project's own state is on no command's account.
  const always = new Set(
    ['app/consent/use-state.ts', 'app/people/decide-ceilings.ts'].map((path) => repository(`src/${path}`)),
  );
  const decides = (file: string): boolean =>
    /\b(?:decide|decideCeilings|decidePlanChange|decideArtifactChange)\(\w/.test(
      readFileSync(file, 'utf8'),
    ) && /people\/decide/.test(readFileSync(file, 'utf8'));
  const table = readFileSync(repository('src/cli/commands.ts'), 'utf8');
  const loaded = new Set(
    [...table.matchAll(/load: \(\) => import\('\.\/commands\/([^']+)'\)/g)].map(([, path = '']) => path),
  );
  expect(loaded.size).toBeGreaterThan(40);
  const reaching = [...loaded].filter((path) =>
    [...importsOf(join(commands, path), known)].some((file) => !always.has(file) && decides(file)),
  );
  const unlisted = (commandLines: readonly string[]): readonly string[] => {
    const served = new Set(commandLines.map(fileOfCommand));
    return reaching.filter((path) => !served.has(path) && !sharing.has(path));
  };
  expect(unlisted(listed)).toEqual([]);
  expect([...sharing.keys()].filter((path) => !reaching.includes(path))).toEqual([]);
  // Control: a command that decides and is not listed would be seen.
  expect(unlisted(listed.filter((command) => command !== 'session send'))).toEqual(['session/send.ts']);
});

/** Where a listed command is written. */
function fileOfCommand(command: string): string {
  return `${command.replace(' ', '/')}.ts`;
}
