import type { Permission } from './session-prompt.ts';
import type { Tier } from './turn.ts';

/** A role: who the agent is and how it works. Snapshotted into a run at first use. */
export interface Agent {
  readonly name: string;
  readonly description: string;
  readonly systemPrompt: string;
  /** Null: the project's default. */
  readonly driver: string | null;
  readonly tier: Tier;
  readonly result: 'required' | 'optional';
  /** Tools that a turn without a result must have used to count as work; null: one. */
  readonly minTools: number | null;
  /** Empty: those of what it is used for. */
  readonly tools: readonly string[];
  /** Null: that of the tier. */
  readonly model: string | null;
  /** Skills that it works by, by name. */
  readonly skills: readonly string[];
  /** What a session of it may do beyond reading and reporting. */
  readonly allow: readonly Permission[];
  /** Where it was found, for people. */
  readonly source: string;
}

/** How the system prompt names a skill that the CLI finds by itself. */
export function skillMention(name: string): string {
  return `Use the skill "${name}".`;
}

export function mentionsSkill(systemPrompt: string): boolean {
  return systemPrompt.includes('Use the skill "');
}
