import { basename } from 'node:path';
import { isList, isObject, type Json, plain } from '../../lib/json.ts';
import { readText } from '../../lib/read-text.ts';
import type { Flow, GateSpec } from '../../model/flow.ts';
import { parseYaml } from '../../model/schemas/yaml-document.ts';
import { projectFile } from '../config/load-config.ts';
import { loadFlow } from '../flow-file/load-flow.ts';

/** One setting or command of a file, whole: what shows it to a person cuts each member by itself. */
export interface Member {
  /** Where it stands: `workspace.setup[0]`, or the step of a flow. */
  readonly name: string;
  /** The words of a command or a list, each for itself. */
  readonly value: Word | readonly Word[];
}

type Word = string | number | boolean | null;

const maxBytes = 1024 * 1024;

/** Every setting of a `tutti.yaml` and every command of a flow. Empty for other files, and for one that cannot be read. */
export function membersOf(file: string): readonly Member[] {
  if (basename(file) === projectFile) {
    const text = readText(file, { maxBytes, links: 'follow' });
    const document = text.ok ? parseYaml(text.value, file) : null;
    return document?.ok === true ? flattened('', plain(document.value.value ?? {})) : [];
  }
  if (!/\.(?:ya?ml|json)$/.test(file)) return [];
  const flow = loadFlow(file);
  return flow.ok ? commandMembers(flow.value) : [];
}

/** One member for each value, as the file has it: a member of its own can neither hide nor be hidden. */
function flattened(name: string, value: Json): readonly Member[] {
  if (isObject(value)) {
    return Object.entries(value).flatMap(([below, inner]) =>
      flattened(name === '' ? below : `${name}.${below}`, inner),
    );
  }
  if (!isList(value)) return [{ name, value }];
  if (value.every(isWord)) return [{ name, value }];
  return value.flatMap((one, at) => flattened(`${name}[${at}]`, one));
}

function isWord(value: Json): value is Word {
  return typeof value !== 'object' || value === null;
}

function commandMembers({ steps }: Flow): readonly (Member & { readonly value: readonly string[] })[] {
  return steps.flatMap(({ id, work, gates }) => [
    ...(work.kind === 'command' ? [{ name: id, value: work.argv }] : []),
    ...gates.flatMap(argvOfGate).map((argv) => ({ name: `${id} (gate)`, value: argv })),
  ]);
}

function argvOfGate(gate: GateSpec): readonly (readonly string[])[] {
  return gate.kind === 'command' ? [gate.argv] : [];
}

/** Every command that a flow runs by itself. */
export function commandsOf(flow: Flow): readonly string[] {
  return commandMembers(flow).map(({ value }) => value.join(' '));
}
