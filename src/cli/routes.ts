import { readFileSync } from 'node:fs';
import { buildApplication, buildRouteMap } from '@stricli/core';
import { packageFile } from '../lib/package-files.ts';
import { shortcuts } from './arguments-line.ts';
import type { Context } from './context.ts';
import { type Group, overview } from './help/overview.ts';
import { throwingText } from './misuse.ts';
import { demo, init, run } from './routes/begin.ts';
import { agents, config } from './routes/settings.ts';
import { completions, conductor, doctor, rebuild, recover, service } from './routes/care.ts';
import { allow } from './routes/allow.ts';
import { trust } from './routes/trust.ts';
import { bundle, bundleCommandNames } from './routes/bundle.ts';
import { checkpoint, checkpointCommandNames } from './routes/checkpoint.ts';
import { checkHalt, confirmHalt, haltStatus, log, logTokens } from './routes/hosted.ts';
import { costs, events, inbox, report, runs, status } from './routes/look.ts';
import { build, execute, land } from './routes/plan-make.ts';
import { plan, planCommandNames } from './routes/plan.ts';
import { session, sessionCommandNames } from './routes/session.ts';
import { answer, halt, resume, stop } from './routes/steer.ts';
import { task, taskCommandNames } from './routes/task.ts';

/** What a newcomer needs; `tutti help --all` lists the rest. */
const firstGroups: readonly Group[] = [
  ['START', ['init', 'doctor', 'demo', 'build', 'run']],
  ['INSPECT', ['status', 'report', 'costs', 'runs']],
  ['CONTROL', ['inbox', 'answer', 'resume', 'stop']],
  ['PLANS', ['plan', 'execute', 'land']],
  ['SESSIONS', ['session']],
];

const groups: readonly Group[] = [
  ['START', ['init', 'doctor', 'demo', 'build', 'run']],
  ['INSPECT', ['runs', 'status', 'events', 'report', 'costs', 'inbox']],
  ['CONTROL', ['answer', 'resume', 'halt', 'stop']],
  ['PLANS', ['plan', 'execute', 'land']],
  [
    'PLANS, STEP BY STEP (commands that agents call)',
    ['task', 'bundle', 'checkpoint', 'check-halt', 'confirm-halt', 'halt-status', 'log', 'log-tokens'],
  ],
  ['SESSIONS', ['session']],
  ['MAINTENANCE', ['agents', 'config', 'trust', 'allow', 'rebuild', 'recover', 'service', 'completions']],
];

const routes = {
  init,
  demo,
  run,
  runs,
  status,
  events,
  report,
  costs,
  inbox,
  answer,
  resume,
  halt,
  stop,
  build,
  plan,
  execute,
  land,
  task,
  bundle,
  checkpoint,
  'check-halt': checkHalt,
  'confirm-halt': confirmHalt,
  'halt-status': haltStatus,
  log,
  'log-tokens': logTokens,
  session,
  agents,
  config,
  doctor,
  trust,
  allow,
  rebuild,
  recover,
  service,
  completions,
  conductor,
};

/** Every word that is a command, hidden ones too. */
export const knownCommands: readonly string[] = [...Object.keys(routes), ...shortcuts.keys()];

/** Those that a person may have meant. */
export const commandNames: readonly string[] = groups.flatMap(([, names]) => names);

/** The parts of commands that have some. */
export const partNames: ReadonlyMap<string, readonly string[]> = new Map([
  ['service', ['install', 'uninstall', 'status']],
  ['session', sessionCommandNames],
  ['plan', planCommandNames],
  ['task', taskCommandNames],
  ['bundle', bundleCommandNames],
  ['checkpoint', checkpointCommandNames],
]);

const map = buildRouteMap<keyof typeof routes, Context>({
  routes,
  docs: { brief: 'Conducts many coding agents', hideRoute: { conductor: true } },
});

/** What `tutti help --all` prints: every command, and every shortcut with what it stands for. */
export function fullOverview(): string {
  return overview(routes, groups, shortcuts);
}

export const application = buildApplication<Context>(
  // Stricli knows no groups, and its overview has neither examples nor exit codes.
  { ...map, formatHelp: () => overview(routes, firstGroups) },
  {
    name: 'tutti',
    versionInfo: { currentVersion: version() },
    scanner: { caseStyle: 'allow-kebab-for-camel', allowArgumentEscapeSequence: true },
    documentation: { disableAnsiColor: true },
    localization: { text: throwingText },
  },
);

function version(): string {
  const text = readFileSync(packageFile('manifest'), 'utf8');
  const parsed: unknown = JSON.parse(text);
  return typeof parsed === 'object' && parsed !== null && 'version' in parsed
    ? String(parsed.version)
    : 'unknown';
}
