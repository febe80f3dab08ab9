import { spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { jq } from '../rig/jq.ts';
import { installedTutti } from '../rig/installed-tutti.ts';
import { SessionProject } from '../sessions/project.ts';
import { trustProject } from '../rig/trust.ts';

/*
 * The pipelines of the document as they stand there, run by a shell over the built program. Only the name of the command is
 * another one, and jq is a stand-in, because not every machine has it.
 */

function shell(project: SessionProject, script: string, shellName = 'bash') {
  const bin = join(project.path, 'bin');
  mkdirSync(bin, { recursive: true });
  symlinkSync(installedTutti(), join(bin, 'tutti'));
  writeFileSync(join(bin, 'jq'), jq, { mode: 0o755 });
  const path = [bin, dirname(process.execPath), process.env['PATH'] ?? ''].join(':');
  trustProject(project.path, { PATH: path, HOME: project.path });
  const { stdout, stderr, status } = spawnSync(shellName, ['-c', script], {
    cwd: project.path,
    encoding: 'utf8',
    env: { PATH: path, HOME: project.path },
    timeout: 300_000,
  });
  return { stdout, stderr, status };
}

test('example 1: create, watch until it has ended, read the result', { timeout: 300_000 }, async () => {
  await using project = new SessionProject();
  const end = shell(
    project,
    `cat > validate-grafana.md << EOF
# Task: Validate Grafana Deployment for TEF-123

## Deliverable
Write result.json with status and findings.
EOF
SESSION_ID=$(tutti session create worker validate-grafana.md | grep "Session created:" | awk '{print $3}')
echo "id $SESSION_ID"
while [[ $(tutti session status "$SESSION_ID" --json | jq -r '.status') == "RUNNING" ]]; do
  sleep 0.2
done
RESULT=$(cat ".tutti/sessions/$SESSION_ID/result.json")
echo "Grafana validation: $(echo "$RESULT" | jq -r '.status')"
tutti session status "$SESSION_ID" | grep -c '^Status: COMPLETED$'
`,
  );
  expect(end).toMatchObject({ status: 0, stderr: '' });
  expect(end.stdout).toMatch(/^id \d{8}-\d{6}-worker\nGrafana validation: success\n1\n$/);
});

test('the third word is the id in a plain sh too, and the state file tells the end', {
  timeout: 300_000,
}, async () => {
  await using project = new SessionProject();
  project.request('fail');
  const end = shell(
    project,
    `SESSION_ID=$(tutti session create worker task.md | grep "Session created:" | awk '{print $3}')
while true; do
  STATUS=$(jq -r '.status' < .tutti/sessions/$SESSION_ID/state.json)
  if [ "$STATUS" = COMPLETED ] || [ "$STATUS" = FAILED ] || [ "$STATUS" = KILLED ]; then break; fi
  sleep 0.2
done
echo "$STATUS"
tutti session wait "$SESSION_ID"; echo "code $?"
`,
    'sh',
  );
  expect(end).toMatchObject({ status: 0, stderr: '' });
  expect(end.stdout).toMatch(/^FAILED\n\S+ {2}FAILED {2}FAILURE after \S+, exit code 3: [^\n]*\ncode 1\n$/);
});

test('example 3: every failed session is named to kill, and nothing else is', {
  timeout: 300_000,
}, async () => {
  await using project = new SessionProject();
  const tutti = project.open();
  const failed = [];
  for (const prompt of ['fail', 'fine', 'fail'])
    failed.push((await project.create(tutti, prompt, { tags: [prompt] })).id);
  const fine = failed.splice(1, 1);
  const end = shell(
    project,
    `tutti session wait ${[...failed, ...fine].join(' ')} > /dev/null
for SESSION in $(tutti session list --status=FAILED | tail -n +2 | awk '{print $1}'); do
  echo "$SESSION"
  tutti session kill "$SESSION" --force
done
for SESSION in $(tutti session list --status=KILLED | tail -n +2 | awk '{print $1}'); do echo "$SESSION"; done
`,
  );
  const ended = 'Session already terminated (status: FAILED)\n';
  expect(end.stdout).toBe(
    failed
      .toReversed()
      .map((id) => `${id}\n${ended}`)
      .join(''),
  );
  expect(end.stderr).toBe('Total: 2 sessions (2 failed)\n');
});
