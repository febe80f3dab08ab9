import { relative } from 'node:path';
import { isList, isObject, type Json, plain } from '../../lib/json.ts';
import { readText } from '../../lib/read-text.ts';
import { commandOfGate, verifierOfGate } from '../../model/flow.ts';
import { parseYaml } from '../../model/schemas/yaml-document.ts';
import type { FlowOutline } from '../flow-file/load-flow.ts';

/** One setting or command of a file, whole: what shows it to a person cuts each member by itself. */
export interface Member {
  /** Where it stands: `workspace.setup[0]`, or the step of a flow. */
  readonly name: string;
  /** The words of a command or a list, each for itself. */
  readonly value: Word | readonly Word[];
}

type Word = string | number | boolean | null;

const maxBytes = 1024 * 1024;

/** Every setting of a `tutti.yaml`. Empty for one that cannot be read. */
export function settingMembers(file: string): readonly Member[] {
  const text = readText(file, { maxBytes, links: 'follow' });
  const document = text.ok ? parseYaml(text.value, file) : null;
  return document?.ok === true ? flattened('', plain(document.value.value ?? {})) : [];
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

/** Everything that a flow would do: its commands, and what it tells which agent. */
export function flowMembers({ flow, promptFiles }: FlowOutline, checkout: string): readonly Member[] {
  return flow.steps.flatMap(({ id, work, gates }) => [
    ...(work.kind === 'command'
      ? [{ name: id, value: work.argv }]
      : [{ name: `${id} (agent)`, value: work.agent }]),
    ...[promptFiles.get(id) ?? []]
      .flat()
      .map((file) => ({ name: `${id} (prompt_file)`, value: relative(checkout, file) })),
    // Empty where the file of a prompt cannot be read.
    ...(work.kind === 'agent' && work.prompt !== '' ? [{ name: `${id} (prompt)`, value: work.prompt }] : []),
    ...gates.flatMap(commandOfGate).map((argv) => ({ name: `${id} (gate)`, value: argv })),
    ...gates.flatMap(verifierOfGate).map((agent) => ({ name: `${id} (verifier)`, value: agent })),
  ]);
}
