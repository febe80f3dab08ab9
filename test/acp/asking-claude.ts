import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { repository } from '../rig/repository.ts';
import { AskingProject } from './project.ts';

/** A project whose agent is claude, or a stand-in for it that asks for these commands. */
export function askingClaude(commands: readonly string[]): AskingProject {
  const project = new AskingProject([], '2m', { type: 'claude', program: './claude', permissions: 'ask' });
  const fake = repository('test/rig/fake-asking-claude.ts');
  const script = `#!/bin/sh\nexec '${process.execPath}' '${fake}' '${JSON.stringify(commands)}'\n`;
  writeFileSync(project.file('claude'), script);
  chmodSync(project.file('claude'), 0o755);
  return project;
}

export function answers(project: AskingProject): readonly string[] {
  const file = project.file('answers.txt');
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
}
