import { join } from 'node:path';
import { PlannerProject, type Played } from '../planning/project.ts';
import { git } from '../workspaces/rig.ts';
import { type Fixture, writeFixture } from './fixtures.ts';

/** A project whose target is a fixture in git; `tools` makes the folder of programs that comes first on PATH. */
export class FixtureProject implements Disposable {
  readonly project: PlannerProject;

  constructor(fixture: Fixture, base: 'green' | 'red', tools: (folder: string) => string) {
    let bin = '';
    this.project = new PlannerProject(
      (folder) => {
        writeFixture(join(folder, 'target'), fixture, base);
        commitAll(join(folder, 'target'));
        bin = tools(folder);
      },
      () => ({ PATH: `${bin}:${process.env['PATH'] ?? ''}` }),
    );
  }

  /** One launch is enough to see that the first one came after the base. */
  plan(): Promise<Played> {
    return this.project.plan({ projectType: null, yes: true, budget: { launches: 1 } });
  }

  [Symbol.dispose](): void {
    this.project[Symbol.dispose]();
  }
}

function commitAll(folder: string): void {
  git(folder, 'init', '-q');
  git(folder, 'add', '-A');
  git(folder, '-c', 'user.name=a', '-c', 'user.email=a@example.com', 'commit', '-qm', 'base');
}
