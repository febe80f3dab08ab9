/** One of several that want a lock: `holder.ts LOCK FILE ROUNDS [dies|suspends]`. Each round it adds one to the number in FILE. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setImmediate as turn, setTimeout as pause } from 'node:timers/promises';
import { locked } from '../../src/workspace/lock.ts';

const [lock = '', file = '', rounds = '0', dies = ''] = process.argv.slice(2);
if (dies === 'unlocked') await allAreThere();
const guard = dies === 'unlocked' ? <T>(_path: string, act: () => Promise<T>): Promise<T> => act() : locked;
for (let round = 0; round < Number(rounds); round += 1) {
  await guard(lock, async () => {
    const before = Number(readFileSync(file, 'utf8'));
    if (dies === 'unlocked') await pause(2);
    for (let spin = 0; spin < 5; spin += 1) await turn();
    if (dies === 'suspends') {
      process.kill(process.pid, 'SIGSTOP');
      // The signal may arrive a moment later.
      await pause(2);
    }
    if (dies === 'dies' && round === Number(rounds) - 1) process.kill(process.pid, 'SIGKILL');
    writeFileSync(file, String(before + 1));
  });
}

/** What begins one after the other does not get in each other's way. */
async function allAreThere(): Promise<void> {
  const folder = dirname(file);
  writeFileSync(`${file}-${process.pid}`, '');
  while (readdirSync(folder).filter((name) => name.startsWith('number-')).length < 8) await pause(5);
}
