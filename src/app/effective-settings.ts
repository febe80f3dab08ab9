import { homedir } from 'node:os';
import { formatBytes } from '../lib/bytes.ts';
import { writeDuration } from '../lib/duration.ts';
import { isObject, type Json, plain } from '../lib/json.ts';
import { ok, type Result } from '../lib/result.ts';
import type { Problem } from '../model/schemas/problem.ts';
import type { Place } from './tutti.ts';
import { configSources, untrustedMembers } from './config/load-config.ts';

/** A setting in effect, under the name that it has in `tutti.yaml`. */
export interface EffectiveSetting {
  readonly name: string;
  readonly value: Json;
  /** A file, `environment` or `default`. */
  readonly source: string;
}

/** Members that are settings of their own, and not one value. */
const groups: ReadonlySet<string> = new Set([
  'drivers',
  'agents',
  'limits',
  'tmux',
  'workspace',
  'prices',
  'firstTurn',
]);

/** Members that Tutti works out by itself: no setting has their name. */
const derived: ReadonlySet<string> = new Set(['driverFrom', 'undeclared', 'withheld']);

/** Names in `tutti.yaml` that do not follow from the member's name. */
const otherNames: ReadonlyMap<string, string> = new Map([
  ['limits.stallMs', 'stall_after'],
  ['limits.fileBytes', 'limits.file_size'],
  ['totalDiskWarnBytes', 'limits.total_disk_warn'],
  ['quietMs', 'quiet_timeout'],
]);

/** Every setting of a project with its value and where that comes from. Secrets are taken out. */
export function effectiveSettings({
  config,
  paths,
  env,
  trust,
  redactor,
}: Place): Result<readonly EffectiveSetting[], readonly Problem[]> {
  const sources = configSources({ projectDir: paths.root, env, home: env['HOME'] ?? homedir(), trust });
  if (!sources.ok) return sources;
  const told = sources.value.map(({ name, layer }) => ({
    name,
    members: new Set(flattened(plain(layer)).keys()),
  }));
  const shown = [...flattened(plain(config))].filter(([member]) => !derived.has(member));
  const settings = shown.map(([member, value]) => ({
    name: otherNames.get(member) ?? yamlName(member),
    value: redactor.json(shownValue(member, value)),
    source: told.findLast(({ members }) => members.has(member))?.name ?? 'default',
  }));
  return ok(settings.toSorted((a, b) => (a.name < b.name ? -1 : 1)));
}

/** What the project's file sets and does not count, because no person trusts the file, as it names it. */
export function untrustedSettings({ paths, env, trust }: Place): readonly string[] {
  return untrustedMembers({ projectDir: paths.root, env, home: env['HOME'] ?? homedir(), trust });
}

function flattened(config: Json): ReadonlyMap<string, Json> {
  const found = new Map<string, Json>();
  for (const [member, value] of Object.entries(isObject(config) ? config : {})) {
    if (!groups.has(member) || !isObject(value)) found.set(member, value);
    else for (const [name, part] of Object.entries(value)) found.set(`${member}.${name}`, part);
  }
  return found;
}

/** `sessionTimeoutMs` is `session_timeout`; names that people chose stay as they are. */
function yamlName(member: string): string {
  if (/^(drivers|agents|prices)\./.test(member)) return member;
  return member
    .replace(/(Ms|Bytes|Percent)$/, '')
    .replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function shownValue(member: string, value: Json): Json {
  if (isObject(value) && member.startsWith('drivers.')) {
    return Object.fromEntries(
      Object.entries(value).map(([name, part]) => [
        otherNames.get(name) ?? yamlName(name),
        shownValue(name, part),
      ]),
    );
  }
  if (typeof value !== 'number') return value;
  if (member.endsWith('Ms')) return writeDuration(value);
  return member.endsWith('Bytes') ? formatBytes(value) : value;
}
