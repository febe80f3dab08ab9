import { acp } from './acp.ts';
import { claude } from './claude.ts';
import { codex } from './codex.ts';
import { command, replay } from './plain.ts';
import type { Subject } from './subject.ts';

/** Every driver that reads a log. One more is one more line here. */
export const subjects: readonly Subject[] = [command, replay, claude, codex, acp];
