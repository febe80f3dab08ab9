import { argv } from 'node:process';
import { addTurn } from '../../src/drivers/record/cassette-file.ts';

/** Adds turns to a cassette, as a conductor beside others would. */
const [, , path = '', name = '', count = '0'] = argv;
for (let at = 0; at < Number(count); at += 1) {
  const session = `${name}-${at}`;
  const problem = addTurn(path, { recorded: { session }, match: { prompt: 'p' }, text: session });
  if (problem !== null) throw new Error(problem);
}
