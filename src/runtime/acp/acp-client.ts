/*
 * The process of an agent that speaks the Agent Client Protocol: it starts the agent, talks with it for one turn and tells
 * what happens in Tutti's own words, one JSON object a line. Messages and answers for it come on its standard input.
 */
import { isObject, recorded } from '../../lib/json.ts';
import { acpExits, type AcpSpec } from '../../model/acp.ts';
import { readJson } from '../read-json.ts';
import { tell } from './tell.ts';
import { takeTurn } from './take-turn.ts';

const maxBytes = 64 * 1024 * 1024;

const spec = readJson(process.argv[2] ?? '', maxBytes);
if (isObject(spec)) process.exit(acpExits[await takeTurn(recorded<AcpSpec>(spec))]);
tell({ type: 'problem', message: 'what the driver wrote for this turn cannot be read' });
process.exit(acpExits.failed);
