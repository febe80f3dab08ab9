import { existsSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cli, type CliEnd, type CliOptions } from '../cli/rig.ts';
import { lines } from '../e2e/project.ts';
import { installedTutti } from '../rig/installed-tutti.ts';
import { startTutti, writeProject } from '../rig/program.ts';
import { type TempFolder, tempFolder } from '../rig/temp-folder.ts';

/**
 * An agent in shell that does what its task says, well or badly. It notes each start with what its environment tells, in the
 * ledger that Tutti never writes. `nest ARGS` calls `tutti spawn ARGS` for the task "inner".
 */
const agent = `prompt=$(cat)
cd "$TUTTI_PROJECT"
task=\${prompt##*'**TASK DELEGATION**:'}
echo "begin depth $TUTTI_DEPTH/$TUTTI_MAX_DEPTH $AGENTIC_SPAWN_DEPTH trace $TUTTI_TRACE_ID $AGENTIC_TRACE_ID" >> ledger
printf '%s' "$task" > task-seen
printf '%s' "$TUTTI_WORKSPACE" > workspace-seen
result() { printf '%s' "$1" > "$TUTTI_RESULT"; }
case $task in
  *"nest "*) eval "set -- $(printf '%s' "$task" | sed -n 's/^nest //p')"
    "$TUTTI_TEST_NODE" "$TUTTI_TEST_PROGRAM" spawn "$@" > nested.out 2>> nested.err; echo "$TUTTI_DEPTH exit $?" >> nested.codes
    result '{"status":"success","summary":"nested"}' ;;
  *silent*) exit 0 ;;
  *lying*) result '{"status":"success","summary":"all done","artifacts":["never-written.txt"]}'; exit 3 ;;
  *slow*) while [ ! -e go ]; do sleep 0.05; done; result '{"status":"success","summary":"slow and sure"}' ;;
  *"exits 3"*) echo "went wrong"; exit 3 ;;
  *garbage*) result '{"status": wonderful' ;;
  *refines*) result '{"status":"needs_refinement","summary":"too vague"}' ;;
  *asks*) if [ "$TUTTI_TURN" = 1 ]; then result '{"status":"blocked","summary":"?","questions":[{"text":"Which colour?"}]}'
    else result '{"status":"success","summary":"painted"}'; fi ;;
  *forges*) env -u TUTTI_SESSION_ID -u TUTTI_RUN_ID TUTTI_DEPTH=0 AGENTIC_SPAWN_DEPTH=0 TUTTI_MAX_DEPTH=9 AGENTIC_TRACE_ID=feedfacefeedface \\
      TUTTI_TRACE_ID=feedfacefeedface "$TUTTI_TEST_NODE" "$TUTTI_TEST_PROGRAM" spawn --prompt inner --json > nested.out 2> nested.err
    echo "$TUTTI_DEPTH exit $?" >> nested.codes
    result '{"status":"success","summary":"forged"}' ;;
  *) echo "hello there"; echo "secret-free words"; result '{"status":"success","summary":"it'"'"'s done","artifacts":["a b.txt","c"]}' ;;
esac
`;

/** A project whose only driver is that agent. */
export class SpawnProject implements Disposable {
  readonly path: string;
  readonly #folder: TempFolder = tempFolder();

  constructor(config: object = {}) {
    this.path = realpathSync(this.#folder.path);
    writeProject(this.path, {
      'agent.sh': agent,
      'web/.keep': '',
      'tutti.yaml': {
        driver: 'mine',
        drivers: { mine: { type: 'command', command: ['sh', join(this.path, 'agent.sh')] } },
        env: ['TUTTI_TEST_NODE', 'TUTTI_TEST_PROGRAM'],
        ...config,
      },
    });
  }

  /** In this process. */
  call(args: readonly string[], options: Partial<CliOptions> = {}): Promise<CliEnd> {
    return cli({ folder: this.path, stdin: '', ...options }, ...args);
  }

  spawn(prompt: string, ...flags: readonly string[]): Promise<CliEnd> {
    return this.call(['spawn', '--prompt', prompt, ...flags]);
  }

  /** As a program of its own. */
  start(prompt: string, ...flags: readonly string[]) {
    const env = { TUTTI_TEST_NODE: process.execPath, TUTTI_TEST_PROGRAM: installedTutti() };
    return startTutti(this.path, ['spawn', '--prompt', prompt, ...flags], env);
  }

  write(name: string, text: string): void {
    writeFileSync(join(this.path, name), text);
  }

  read(name: string): string {
    const path = join(this.path, name);
    return existsSync(path) ? readFileSync(path, 'utf8') : '';
  }

  /** One line for each agent process that began. */
  get begun(): readonly string[] {
    return lines(join(this.path, 'ledger'));
  }

  get nestedCodes(): readonly string[] {
    return lines(join(this.path, 'nested.codes'));
  }

  [Symbol.dispose](): void {
    this.#folder[Symbol.dispose]();
  }
}

/** The values of an answer in lines, as a shell would read them; the last one of a key counts. */
export function answerOf(out: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    out
      .trimEnd()
      .split('\n')
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );
}

export function jsonLines(text: string): readonly Record<string, unknown>[] {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}
