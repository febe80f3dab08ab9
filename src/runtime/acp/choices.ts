import { isObject, type Json, type JsonObject, textMember } from '../../lib/json.ts';
import type { AcpSpec } from '../../model/acp.ts';
import { Ended, type Peer } from './peer.ts';

/** Sets the mode and the model that are wanted. One that is not offered ends the turn: another one would be paid for. */
export async function choose(
  peer: Peer,
  sessionId: string,
  opened: Json,
  { mode, model }: Pick<AcpSpec, 'mode' | 'model'>,
): Promise<void> {
  if (!isObject(opened)) return;
  if (mode !== null) {
    const offered = idsIn(opened['modes'], 'availableModes', 'id');
    if (offered.includes(mode)) await peer.request('session/set_mode', { sessionId, modeId: mode });
    else
      await chooseOption(peer, sessionId, optionOf(opened, 'mode'), { what: 'mode', value: mode, offered });
  }
  if (model !== null) {
    const offered = idsIn(opened['models'], 'availableModels', 'modelId');
    if (offered.includes(model)) await peer.request('session/set_model', { sessionId, modelId: model });
    else
      await chooseOption(peer, sessionId, optionOf(opened, 'model'), {
        what: 'model',
        value: model,
        offered,
      });
  }
}

interface Choice {
  readonly what: 'mode' | 'model';
  readonly value: string;
  /** What the older way of the protocol offers. */
  readonly offered: readonly string[];
}

async function chooseOption(
  peer: Peer,
  sessionId: string,
  option: JsonObject | null,
  { what, value, offered }: Choice,
): Promise<void> {
  const known = [...offered, ...valuesOf(option?.['options'])];
  if (option === null || !known.includes(value)) {
    const list = known.length === 0 ? 'it offers none' : `it offers ${known.slice(0, 20).join(', ')}`;
    throw new Ended(
      'failed',
      `the agent does not offer the ${what} ${value}: ${list}; change it in tutti.yaml`,
    );
  }
  await peer.request('session/set_config_option', { sessionId, configId: textMember(option, 'id'), value });
}

function optionOf({ configOptions }: JsonObject, what: string): JsonObject | null {
  const options = Array.isArray(configOptions) ? configOptions.filter(isObject) : [];
  return options.find(({ category, id }) => category === what || id === what) ?? null;
}

/** Options may be in groups. */
function valuesOf(options: Json | undefined): readonly string[] {
  if (!Array.isArray(options)) return [];
  return options.flatMap((option: Json) =>
    isObject(option) && Array.isArray(option['options'])
      ? valuesOf(option['options'])
      : [textMember(option, 'value')],
  );
}

function idsIn(state: Json | undefined, list: string, id: string): readonly string[] {
  const items = isObject(state) ? state[list] : null;
  return Array.isArray(items) ? items.map((item: Json) => textMember(item, id)) : [];
}
