import { createSession } from '../../src/app/session-control/create.ts';
import type { CreateRequest } from '../../src/app/session-control/request.ts';
import { openTutti } from '../../src/app/tutti.ts';

// A separate process that creates one session and exits, as the program does. Nothing in it follows the session, and its real
// ancestors say who calls.
const request = JSON.parse(process.argv[2] ?? '') as CreateRequest;
const opened = openTutti({ folder: request.folder, env: process.env, create: true });
if (!opened.ok) throw new Error(opened.error.message);
using tutti = opened.value;
const created = await createSession(tutti, request);
process.stdout.write(created.ok ? created.value.session.id : `refused: ${created.error.message}`);
