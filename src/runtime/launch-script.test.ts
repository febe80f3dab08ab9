import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { AttemptRig, until, untilExists } from '../../test/rig/attempt-rig.ts';
import { type TempFolder, tempFolder } from '../../test/rig/temp-folder.ts';
import { readStart } from './attempt-files.ts';
import { shellLauncher } from './launch-script.ts';
import { launch } from './launcher.ts';
import type { ProcessSpec } from './process-spec.ts';

let folder: TempFolder;
let rig: AttemptRig;
beforeEach(() => {
  folder = tempFolder();
  rig = new AttemptRig(folder.path);
});
afterEach(async () => {
  try {
    await rig.close();
  } finally {
    folder[Symbol.dispose]();
  }
});

const longestCommandLine = 1000;
const untilGo = ': >"$RIG/ready"; until [ -e "$RIG/go" ]; do sleep 0.02; done; env';

function commandLine(pid: number): string {
  const file = `/proc/${pid}/cmdline`;
  if (existsSync(file)) return readFileSync(file, 'utf8');
  return execFileSync('ps', ['-ww', '-o', 'args=', '-p', String(pid)], { encoding: 'utf8' });
}

function launcherOf({ dir }: ProcessSpec): number {
  const start = readStart(dir);
  if (start.kind !== 'started') throw new Error(`the attempt in ${dir} is ${start.kind}`);
  return start.launcher.pid;
}

test.each([
  ['plain', {}],
  ['guarded', { timeoutMs: 600_000, session: { session_id: 's' } }],
] as const)(
  'a living %s launcher has a short command line, and its program does not inherit the script',
  async (_kind, more) => {
    const spec = rig.spec(['sh', '-c', untilGo], more);
    const launched = launch(spec);
    await untilExists(spec.dir, 'ready');
    const shown = commandLine(launcherOf(spec));
    expect(shown).toContain('tutti-launch');
    expect(shown.length).toBeLessThan(longestCommandLine);
    writeFileSync(join(spec.dir, 'go'), '');
    expect(await launched).toMatchObject({ exitCode: 0, ended: null, problem: null });
    const printed = readFileSync(spec.logFile, 'utf8');
    expect(printed).toContain(`TUTTI_ATTEMPT_ID=${spec.marker}`);
    expect(printed).not.toMatch(/tutti_/);
  },
);

test('a script in the arguments of a shell is found by the same look at its command line', async () => {
  const [text = ''] = Object.values(shellLauncher('guarded').env);
  const shell: ChildProcess = spawn('/bin/sh', ['-c', `read -r line; exit 0\n${text}`], {
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  const pid = shell.pid ?? 0;
  const ended = new Promise((resolve) => shell.once('exit', resolve));
  await until('the shell runs its script', () => commandLine(pid).includes('tutti_finish'));
  expect(commandLine(pid).length).toBeGreaterThan(longestCommandLine);
  shell.stdin?.end('\n');
  await ended;
});
