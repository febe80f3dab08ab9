import type { ResultContract } from '../../src/model/result-contract.ts';
import { type SessionSpec, workflowHandoff } from '../../src/model/turn.ts';

/** A first turn in which nothing is special. */
export const plainSpec: SessionSpec = {
  agent: 'coder',
  driver: 'mine',
  tier: 'high',
  systemPrompt: 'who',
  prompt: 'what',
  workspace: '/w',
  turn: 1,
  continues: null,
  conversation: null,
  result: 'optional',
  timeoutMs: 60_000,
  priority: 0,
  handoff: workflowHandoff,
};

/** The agent writes its result into this folder. */
export function fileContract(folder: string): ResultContract {
  return { by: 'file', path: `${folder}/result.json` };
}
