import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { stringify } from 'yaml';
import { plannerProgram } from '../planning/planner-program.ts';

/** Commits whose projects are kept: the first release, and the last one before operations, seams and parts were made common. */
export const releases = ['a95b277', 'f93f8f1'] as const;
export type Release = (typeof releases)[number];

/**
 * Where the projects of a release were made. Their database holds absolute paths, and the keys of the first one are digests
 * of prompts that contain them, so a test unpacks each project exactly there.
 */
const rootOf = (release: Release): string => `/tmp/tutti-${release}`;

export type Scenario = 'half-planned' | 'half-executed' | 'asked';

const specification = `# Numerals

- B1 parse: reads roman numerals
- B2 format: writes roman numerals
- B3 table: prints a table of the first hundred
`;

const flow = {
  name: 'asking',
  steps: [
    { id: 'before', agent: 'helper', prompt: 'Prepare.' },
    { id: 'asks', agent: 'helper', prompt: 'Ask before you work.', needs: ['before'] },
  ],
};

/** An executor, a verifier and the agent of the flow. T002 fails its criterion once; T003 waits for the file `go`. */
const workerProgram = `
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
const { TUTTI_PROJECT: project, TUTTI_PLAN_DIR: plan, TUTTI_TASK: task, TUTTI_STEP: step, TUTTI_RESULT: result } = process.env;
const note = (what) => appendFileSync(join(project, 'ledger'), step + ' ' + what + '\\n');
note('begin');
let questions = [];
if (task !== undefined && !step.includes('verify')) {
  const { files } = JSON.parse(readFileSync(join(plan, 'bundles', task + '-bundle.json'), 'utf8'));
  for (const { path } of files) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, step === 'T002' ? 'throw new Error("not yet");\\n' : 'export {};\\n');
  }
  while (task === 'T003' && !existsSync(join(project, 'go'))) await new Promise((next) => setTimeout(next, 20));
}
if (step === 'asks') questions = [{ text: 'Which one?', options: ['left', 'right'] }];
writeFileSync(result, JSON.stringify({ status: 'success', summary: step + ' done', questions }));
note('end');
`;

const program = `
if (process.env.TUTTI_PLAN_DIR !== undefined && process.env.TUTTI_TASK === undefined) await import('./planner.mjs');
else await import('./worker.mjs');
`;

/** Holds the one place where an old project may lie, until it is disposed of. */
export class OldPlace implements AsyncDisposable {
  readonly release: Release;
  readonly scenario: Scenario;

  private constructor(release: Release, scenario: Scenario) {
    this.release = release;
    this.scenario = scenario;
  }

  get home(): string {
    return join(rootOf(this.release), this.scenario);
  }

  get project(): string {
    return join(this.home, 'project');
  }

  /** Waits while another test process has the place. */
  static async take(release: Release, scenario: Scenario): Promise<OldPlace> {
    const place = new OldPlace(release, scenario);
    const { home } = place;
    mkdirSync(rootOf(release), { recursive: true });
    const owner = `${home}.owner`;
    for (;;) {
      try {
        writeFileSync(owner, String(process.pid), { flag: 'wx' });
        break;
      } catch {
        if (!isOwned(owner)) rmSync(owner, { force: true });
        await pause(200);
      }
    }
    rmSync(home, { recursive: true, force: true });
    mkdirSync(home);
    return place;
  }

  /** Settings of the project; `node` is found on the path. */
  writeConfig(): void {
    const command = ['node', join(this.home, 'agent.mjs')];
    const config = { driver: 'mine', drivers: { mine: { type: 'command', command } } };
    writeFileSync(join(this.project, 'tutti.yaml'), stringify(config));
  }

  write(): void {
    for (const name of ['prompts', 'agents']) mkdirSync(join(this.project, name), { recursive: true });
    writeFileSync(join(this.home, 'agent.mjs'), program);
    writeFileSync(join(this.home, 'planner.mjs'), plannerProgram);
    writeFileSync(join(this.home, 'worker.mjs'), workerProgram);
    writeFileSync(join(this.home, 'gitconfig'), '[user]\n\tname = operator\n\temail = operator@localhost\n');
    writeFileSync(join(this.project, 'numerals.md'), specification);
    writeFileSync(join(this.project, 'asking.yaml'), stringify(flow));
    writeFileSync(join(this.project, 'agents/helper.md'), '---\nname: helper\ntier: low\n---\n\nHelp.\n');
    writeFileSync(join(this.project, '.gitignore'), '.tutti/\nledger\nprompts/\nmood.json\ngo\ntutti.yaml\n');
    this.writeConfig();
  }

  /** Turns that began since line `from` of the ledger. */
  turns(from = 0): readonly string[] {
    return this.ledger()
      .slice(from)
      .flatMap((line) => (line.endsWith(' begin') ? [line.slice(0, -6)] : []));
  }

  ledger(): readonly string[] {
    try {
      return readFileSync(join(this.project, 'ledger'), 'utf8').trimEnd().split('\n');
    } catch {
      return [];
    }
  }

  env(): Record<string, string> {
    return {
      PATH: process.env['PATH'] ?? '',
      HOME: this.home,
      XDG_STATE_HOME: join(this.home, 'state'),
      GIT_CONFIG_GLOBAL: join(this.home, 'gitconfig'),
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await pause(0);
    rmSync(this.home, { recursive: true, force: true });
    rmSync(`${this.home}.owner`, { force: true });
  }
}

function isOwned(owner: string): boolean {
  try {
    process.kill(Number(readFileSync(owner, 'utf8')), 0);
    return true;
  } catch {
    return false;
  }
}
