import { createSession } from '../../src/app/sessions/create.ts';
import type { CreateRequest } from '../../src/app/sessions/request.ts';
import { openTutti } from '../rig/trust.ts';

// A process of its own that creates one session and ends, as the program does: nothing of it follows the session.
const request = JSON.parse(process.argv[2] ?? '') as CreateRequest;
const opened = openTutti({ folder: request.folder, env: process.env, create: true });
if (!opened.ok) throw new Error(opened.error.message);
using tutti = opened.value;
const created = await createSession(tutti, request);
process.stdout.write(created.ok ? created.value.session.id : `refused: ${created.error.message}`);
