import { readFileSync } from 'node:fs';
import {
  type Application,
  buildApplication,
  buildCommand,
  buildRouteMap,
  type Command,
  type RouteMap,
} from '@stricli/core';
import { packageFile } from '../lib/package-files.ts';
import { commands, type Family, hiddenCommand, type Listed } from './commands.ts';
import type { Context } from './context.ts';
import { examplesText } from './define-command.ts';
import { firstOverview } from './help/overview.ts';
import { throwingText } from './misuse.ts';

/** Whether a command is to be loaded; the others are there by name and summary. */
type IsMeant = (command: string, part: string | null) => boolean;

/** Stricli's application for one command line, with the command that it means, or the family. */
export function loadApplication(line: readonly string[]): Promise<Application<Context>> {
  const [first, second] = line.filter((word) => !word.startsWith('-'));
  return build((command, part) => {
    if (command !== first) return false;
    return second === undefined || part === null || part === second;
  });
}

/** The application with every command, for those that look at all of them. */
export function loadWholeApplication(): Promise<Application<Context>> {
  return build(() => true);
}

async function build(isMeant: IsMeant): Promise<Application<Context>> {
  const routes: Record<string, Command<Context> | RouteMap<Context>> = {};
  for (const [name, entry] of Object.entries(commands)) {
    routes[name] =
      'parts' in entry
        ? await buildFamily(entry, (part) => isMeant(name, part))
        : await buildOne(entry, isMeant(name, null));
  }
  const map = buildRouteMap<string, Context>({
    routes,
    docs: { brief: 'Conducts many coding agents', hideRoute: { [hiddenCommand]: true } },
  });
  return buildApplication<Context>(
    // Stricli knows no groups, and its overview has neither examples nor exit codes.
    { ...map, formatHelp: firstOverview },
    {
      name: 'tutti',
      versionInfo: { getCurrentVersion: async () => version() },
      scanner: { caseStyle: 'allow-kebab-for-camel', allowArgumentEscapeSequence: true },
      documentation: { disableAnsiColor: true },
      localization: { text: throwingText },
    },
  );
}

async function buildFamily(family: Family, isMeant: (part: string) => boolean): Promise<RouteMap<Context>> {
  const { summary, loadExamples, parts } = family;
  const routes: Record<string, Command<Context>> = {};
  for (const [name, part] of Object.entries(parts)) routes[name] = await buildOne(part, isMeant(name));
  const map = buildRouteMap<string, Context>({ routes, docs: { brief: summary } });
  // Its own help is asked for: that names every part.
  if (!Object.keys(parts).every(isMeant)) return map;
  const { examples } = await loadExamples();
  return {
    ...map,
    formatHelp: (args) => `${withoutOptions(map.formatHelp(args))}\n${examplesText(examples)}`,
  };
}

async function buildOne({ summary, load }: Listed, isMeant: boolean): Promise<Command<Context>> {
  if (isMeant) return (await load()).command(summary);
  return buildCommand<object, [], Context>({
    func: () => new Error('this command was not loaded'),
    parameters: {},
    docs: { brief: summary },
  });
}

/** Each part explains its options itself; all of them at once are more than a person reads. */
function withoutOptions(help: string): string {
  return help.replaceAll(/(?: \[--[^\]]*\](?:\.\.\.)?)+/g, ' [OPTIONS]');
}

function version(): string {
  const text = readFileSync(packageFile('manifest'), 'utf8');
  const parsed: unknown = JSON.parse(text);
  return typeof parsed === 'object' && parsed !== null && 'version' in parsed
    ? String(parsed.version)
    : 'unknown';
}
