import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { launch } from '../../src/runtime/launcher.ts';
import { openPane } from '../../src/runtime/tmux/pane.ts';
import { AttemptRig, until, untilExists } from '../rig/attempt-rig.ts';
import { needProgram } from '../rig/need-program.ts';
import { TmuxRig } from './rig.ts';

beforeEach((context) => {
  needProgram(context, 'tmux');
});

const untilGo = 'echo begun; until [ -e "$RIG/go" ]; do sleep 0.02; done; echo done';

test.each(['its pane is closed', 'its pane is killed by a person', 'the whole tmux server is killed'])(
  'a headless session goes on and ends as it would have when %s',
  async (what) => {
    await using rig = new TmuxRig();
    const attempts = new AttemptRig(rig.path);
    const spec = attempts.spec(['sh', '-c', untilGo], { session: { session_id: 'seen' } });
    const ended = launch(spec);
    await untilExists(spec.logFile);
    const argv = ['tail', '-n', '+1', '-f', spec.logFile] as const;
    expect(await openPane(rig.tmux, { id: 'seen', argv, cwd: spec.cwd })).toMatchObject({ ok: true });
    const screen = (): string => rig.raw('capture-pane', '-p', '-t', '=iw-seen:');
    await until('the pane shows it', () => screen().startsWith('begun\n'));
    if (what.includes('server')) rig.raw('kill-server');
    else if (what.includes('person')) rig.raw('kill-session', '-t', '=iw-seen');
    else await rig.tmux.kill(rig.tmux.nameOf('seen'));
    await until('the pane is gone', () => !rig.raw('list-sessions').includes('iw-seen'));
    writeFileSync(join(spec.dir, 'go'), '');
    expect(await ended).toMatchObject({ exitCode: 0, ended: null });
    expect(readFileSync(spec.logFile, 'utf8')).toBe('begun\ndone\n');
    expect(JSON.parse(readFileSync(join(spec.dir, 'state.json'), 'utf8'))).toMatchObject({
      status: 'COMPLETED',
    });
    // And it can be looked at again.
    expect(await openPane(rig.tmux, { id: 'seen', argv, cwd: spec.cwd })).toMatchObject({ ok: true });
    await attempts.close();
  },
);
