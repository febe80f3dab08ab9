import { refuseUntrustedDriver } from '../../app/consent/untrusted-driver.ts';
import { existsSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { untrustedSurfaces } from '../../app/consent/describe.ts';
import {
  driverNames,
  findDrivers,
  initDemo,
  type Initialised,
  initProject,
  installCommand,
} from '../../app/init/init.ts';
import { refusePlans } from '../../app/plans/refuse-plans.ts';
import { findSurrounding, isProject, pathsOf } from '../../app/project.ts';
import { refusal, type Refusal } from '../../app/refusal.ts';
import { locate } from '../../app/tutti.ts';
import { err, ok, type Result } from '../../lib/result.ts';
import { shellWord } from '../../lib/shell-word.ts';
import { oneLine } from '../../lib/terminal-text.ts';
import { listWords } from '../../lib/word-list.ts';
import { agentClis } from '../../model/agent-clis.ts';
import type { Outcome } from '../../model/outcome.ts';
import { nearest } from '../../lib/nearest.ts';
import { named } from '../../model/trust.ts';
import type { Context } from '../context.ts';
import { defineCommand, jsonFlag, type JsonFlag, switchFlag } from '../define-command.ts';
import { fail } from '../fail.ts';
import { printJson, printLines } from '../print.ts';

interface InitFlags extends JsonFlag {
  readonly driver?: string;
  readonly demo: boolean;
}

export const command = defineCommand<InitFlags, [folder?: string]>({
  reads: false,
  parameters: {
    flags: {
      driver: {
        kind: 'parsed',
        parse: String,
        brief: `Agent CLI to use: ${listWords(agentClis, 'or')}`,
        placeholder: 'NAME',
        optional: true,
      },
      demo: switchFlag('Write the demo project into DIR instead; it needs no API key'),
      json: jsonFlag,
    },
    positional: {
      kind: 'tuple',
      parameters: [
        { parse: String, brief: 'Directory; default: the current one', placeholder: 'DIR', optional: true },
      ],
    },
  },
  about:
    `Looks for ${listWords(agentClis, 'and')} on PATH, asks which one to use if there are several, and writes tutti.yaml.\n` +
    'Without a terminal it uses the first one found. Existing files are kept.',
  examples: [
    ['tutti init', 'set up the current directory'],
    [`tutti init --driver ${agentClis[1]}`, 'choose a CLI without a question'],
    ['tutti init --demo tutti-demo', 'create an example that runs without an API key'],
  ],
  run: init,
});

const configFile = 'tutti.yaml';

async function init(flags: InitFlags, context: Context, folder?: string): Promise<Outcome> {
  const root = resolve(context.folder, folder ?? '.');
  const steps = relative(context.folder, root);
  const enter = steps === '' ? '' : `cd ${shellWord(steps)} && `;
  if (flags.demo) return writeDemo(flags, context, folder === undefined ? null : root, enter);
  const around = isProject(root) ? null : findSurrounding(root);
  if (around?.is === 'project') return fail(context, refuseInside(root, around.path), flags.json);
  const found = findDrivers(context.env);
  const driver = existsSync(join(root, configFile))
    ? existingDriver(flags, context, root)
    : await chooseDriver(flags, context, found);
  if (!driver.ok) return fail(context, driver.error, flags.json);
  const others = [...new Set([...found, ...driverNames])].filter((name) => name !== driver.value);
  const done = initProject(root, context.env, { driver: driver.value, others });
  if (!done.ok) return fail(context, done.error, flags.json);
  const untrusted = untrustedSurfaces(root, context.env);
  const next = [`${enter}tutti doctor --try`, `${enter}tutti build SPEC.md`] as const;
  const refused = await refusePlans({ paths: pathsOf(root), env: context.env });
  if (flags.json) {
    const paths = untrusted.map(({ path }) => path);
    const within = around === null ? {} : { repository: around.path };
    printJson(context, {
      folder: root,
      driver: driver.value,
      found,
      ...done.value,
      next: refused === null ? next : next.slice(0, 1),
      untrusted: paths,
      ...within,
    });
    return 'SUCCESS';
  }
  printLines(context, [
    ...writtenLines(root, done.value),
    ...(around === null ? [] : [onlyFolderLine(root, around.path)]),
    ...(done.value.made.length === 0 ? [] : driverLines(driver.value, found, flags.driver === undefined)),
    ...(untrusted.length === 0
      ? []
      : [
          `not used until you trust the repository: ${oneLine(named(untrusted), 500)}`,
          '  → look at it: tutti trust',
        ]),
    `  → check that agents can work here, with one small turn: ${next[0]}`,
    ...(refused === null
      ? [`  → turn a specification into code: ${next[1]}`]
      : [`nothing can be planned here yet: ${oneLine(refused.message, 500)}`, `  → ${refused.hint}`]),
  ]);
  return 'SUCCESS';
}

/** A second project below one would have its own plans, runs and settings, and commands here would no longer see the others. */
function refuseInside(root: string, project: string): Refusal {
  const message = `${oneLine(root, 500)} is already part of the project in ${oneLine(project, 500)}`;
  const hint = existsSync(join(project, configFile))
    ? `run tutti commands here as usual; the settings are in ${join(project, configFile)}`
    : `write its ${configFile}: tutti init ${shellWord(project)}`;
  return refusal('USAGE', message, hint);
}

function onlyFolderLine(root: string, repository: string): string {
  const instead = `rm ${shellWord(join(root, configFile))} && tutti init ${shellWord(repository)}`;
  return `only this folder is the project, not the whole repository; to use its root instead: ${instead}`;
}

/** The demo gets a folder of its own: beside real work its agents, flow and cassette would only be in the way. */
function writeDemo(
  { json, driver }: InitFlags,
  context: Context,
  root: string | null,
  enter: string,
): Outcome {
  if (driver !== undefined) {
    const message = 'the demo plays its own cassette: --demo and --driver exclude each other';
    return fail(context, refusal('USAGE', message, 'leave one out: tutti init --help'), json);
  }
  if (root === null) {
    const message = '--demo needs the name of a folder';
    return fail(context, refusal('USAGE', message, 'name one: tutti init --demo tutti-demo'), json);
  }
  const done = initDemo(root, context.env);
  if (!done.ok) return fail(context, done.error, json);
  const next = [
    `${enter}tutti run flows/example.yaml`,
    `${enter}tutti build tiny-duration.md --target tiny-duration --new`,
  ] as const;
  if (json) {
    printJson(context, { folder: root, driver: 'replay', ...done.value, next });
    return 'SUCCESS';
  }
  printLines(context, [
    ...writtenLines(root, done.value),
    `  → run a flow: ${next[0]}`,
    `  → turn a specification into code: ${next[1]}`,
  ]);
  return 'SUCCESS';
}

/** An existing file is never changed, so a wish that it does not meet is refused with what to change. */
function existingDriver({ driver }: InitFlags, { env }: Context, root: string): Result<string, Refusal> {
  if (driver !== undefined && !driverNames.includes(driver)) return err(unknownDriver(driver));
  const place = locate({ folder: root, env });
  if (!place.ok) return place;
  const { driver: chosen, driverFrom } = place.value.config;
  if (driver === undefined || (driver === chosen && driverFrom !== 'path')) return ok(chosen);
  const untrusted = driverFrom === 'path' ? refuseUntrustedDriver(place.value) : null;
  if (untrusted !== null) return err(untrusted);
  const says = driverFrom === 'path' ? 'names no driver' : `chooses the driver ${oneLine(chosen, 64)}`;
  const message = `${configFile} exists already and ${says}; init changes no file`;
  return err(
    refusal('FAILURE', message, `write this line into ${join(root, configFile)}: driver: ${driver}`),
  );
}

/** Flag, then the person at the terminal, then the first CLI on PATH. */
async function chooseDriver(
  { driver, json }: InitFlags,
  { input, process }: Context,
  found: readonly string[],
): Promise<Result<string, Refusal>> {
  if (driver !== undefined) return driverNames.includes(driver) ? ok(driver) : err(unknownDriver(driver));
  const [first] = found;
  if (first === undefined) {
    const message = `none of the agent CLIs ${driverNames.join(', ')} is on PATH`;
    return err(
      refusal(
        'UNAVAILABLE',
        message,
        `install one (${installCommand(agentClis[0])}), or name it: tutti init --driver ${agentClis[0]}`,
      ),
    );
  }
  if (found.length === 1 || !input.isTerminal || json) return ok(first);
  // Not on standard output: that is the answer of the command, and may lead into a file.
  const choices = found.map((name, at) => `  ${at + 1}  ${name}\n`).join('');
  process.stderr.write(`Which agent CLI should this project use?\n${choices}`);
  for (;;) {
    process.stderr.write(`Number or name [${first}]: `);
    const typed = await input.line();
    if (typed.at !== 'line') {
      process.stderr.write('\n');
      const hint = `choose one: tutti init --driver ${first}`;
      return err(refusal('INTERRUPTED', 'no agent CLI was chosen, and nothing is written', hint));
    }
    const word = typed.text.trim();
    if (word === '') return ok(first);
    const meant = found[Number(word) - 1] ?? driverNames.find((name) => name === word);
    if (meant !== undefined) return ok(meant);
    process.stderr.write(`'${oneLine(word, 80)}' is none of these\n`);
  }
}

function unknownDriver(name: string): Refusal {
  const meant = nearest(name, driverNames);
  const message = `--driver must be one of ${driverNames.join(', ')}, not '${name}'`;
  return refusal(
    'USAGE',
    message,
    meant === null ? 'see: tutti help drivers' : `tutti init --driver ${meant}`,
  );
}

function driverLines(driver: string, found: readonly string[], detected: boolean): readonly string[] {
  if (!found.includes(driver)) {
    return [`${driver} is not on PATH yet`, `  → install it: ${installCommand(driver)}`];
  }
  const others = found.filter((name) => name !== driver);
  const also = others.length === 0 ? '' : ` (also found: ${others.join(', ')}; choose with --driver)`;
  return [detected ? `agents run with ${driver}${also}` : `agents run with ${driver}`];
}

function writtenLines(root: string, { made, kept }: Initialised): readonly string[] {
  const path = (name: string): string => oneLine(join(root, name), 1000);
  return [
    ...made.map((name) => `wrote ${path(name)}`),
    ...kept.map((name) => `kept ${path(name)} (it already exists)`),
  ];
}
