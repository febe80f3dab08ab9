import { counted } from '../../lib/counted.ts';
import type { GateEvidence } from '../../model/gate.ts';
import { listUncommitted, parseUncommitted } from '../../model/git-status.ts';

/** Runs git in the workspace; the workspace layer holds the power to spawn. */
export type GitRunner = (args: readonly string[]) => Promise<{
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}>;

const named = 20;

/** Something changed since the last commit. Tutti's own folder does not count. */
const question = [...listUncommitted, ':(exclude,top).tutti'];

export async function diffGate(git: GitRunner): Promise<GateEvidence> {
  const { exitCode, stdout, stderr } = await git(question);
  if (exitCode !== 0) {
    const finding = 'git could not tell whether anything changed';
    return {
      gate: 'diff',
      passed: false,
      finding,
      evidence: { exit_code: exitCode, output: stderr.slice(-2000) },
    };
  }
  const paths = parseUncommitted(stdout);
  return {
    gate: 'diff',
    passed: paths.length > 0,
    finding:
      paths.length > 0 ? `${counted(paths.length, 'file')} changed` : 'nothing changed since the last commit',
    evidence: { changed: paths.length, paths: paths.slice(0, named) },
  };
}
