import { existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { cli, type CliEnd, type CliOptions } from '../cli/rig.ts';
import { lines } from '../e2e/project.ts';
import { installedTutti } from '../rig/installed-tutti.ts';
import { startTutti, writeProject } from '../rig/program.ts';
import { type TempFolder, tempFolder } from '../rig/temp-folder.ts';

/**
 * An agent in shell that obeys the words of its call, each for itself: `writes:FILE`, `says:TEXT_WITH_UNDERSCORES`, and so on. Without
 * one it does nothing. What it notes for the test stands outside the project. On a healing turn it obeys the words behind `then`.
 */
const agent = (outside: string) => `prompt=$(cat)
printf '%s' "$prompt" > "${outside}/prompt-$TUTTI_TURN"
task=\${prompt##*'**TASK DELEGATION**:'}
line=$(printf '%s\\n' "$task" | grep -m1 '^/')
echo "begin turn $TUTTI_TURN tier $TUTTI_TIER depth $TUTTI_DEPTH: $line" >> "${outside}/ledger"
case $line in *" then "*) if [ "$TUTTI_TURN" = 1 ]; then line=\${line%% then *}; else line=\${line#* then }; fi ;; esac
result() { printf '%s' "$1" > "$TUTTI_RESULT"; }
for word in $line; do
  value=$(printf '%s' "\${word#*:}" | tr -d "'")
  case $word in
    *calls:*) eval "set -- $(printf '%s' "$value" | sed 's/%/ /g')"
      "$TUTTI_TEST_NODE" "$TUTTI_TEST_PROGRAM" "$@" > "${outside}/called.out" 2>> "${outside}/called.err"
      echo "exit $?" >> "${outside}/called.codes" ;;
    *writes:*) mkdir -p "$(dirname "$value")"; echo "by turn $TUTTI_TURN" >> "$value" ;;
    *clones:*) git init -q "$value" && (cd "$value" && git -c user.name=a -c user.email=a@b commit -q --allow-empty -m x) ;;
    *becomes:*) rm -f "$value"; mkdir -p "$value"; echo x > "$value/inner" ;;
    *restores:*) echo 'as it was' > "$value" ;;
    *removes:*) rm -f "$value" ;;
    *empties:*) rmdir "$value" ;;
    *says:*) printf '%s\\n' "$value" | sed 's/%/ /g' ;;
    *names:*) artifacts="\${artifacts:+$artifacts,}\\"$value\\"" ;;
    *succeeds*) status=success ;;
    *fails*) status=failed ;;
    *summary:*) summary=$(printf '%s' "$value" | sed 's/%/ /g') ;;
    *waits*) while [ ! -e "${outside}/go" ]; do sleep 0.05; done ;;
    *refines*) status=needs_refinement ;;
    *asks*) if [ "$TUTTI_TURN" = 1 ]; then result '{"status":"blocked","summary":"?","questions":[{"text":"Which colour?"}]}'; exit 0; fi ;;
    *exits:*) exit "$value" ;;
  esac
done
[ -z "$status" ] || result '{"status":"'"$status"'","summary":"'"$summary"'","artifacts":['"$artifacts"']}'
exit 0
`;

/** Executors whose only agent is that program. */
const executors = `description: Does what its words say
actions:
  - name: PLAN
    args: [target]
  - name: WRITE
    args: [target]
    writes: ["docs/**"]
  - name: GATED
    args: [target]
    gates: [{ file: docs/done.md }]
  - name: CHANGE
    args: [target]
    gates: [{ diff: true }]
  - name: AUDIT
    answers: [PASS, FAIL]
system_prompt: |
  ## Role
  You are a worker.
`;

/** A project with the executor `work`, in its folder below a temporary one. */
export class ExecutorProject implements Disposable {
  readonly path: string;
  readonly outside: string;
  readonly #folder: TempFolder = tempFolder();

  constructor({
    files = {},
    config = {},
  }: { readonly files?: Record<string, string>; readonly config?: object } = {}) {
    const root = realpathSync(this.#folder.path);
    this.path = join(root, 'project');
    this.outside = join(root, 'outside');
    mkdirSync(this.outside);
    mkdirSync(this.path);
    writeFileSync(join(this.outside, 'agent.sh'), agent(this.outside));
    writeProject(this.path, {
      'compose/executors/work.yaml': executors,
      'README.md': 'as it was\n',
      ...files,
      'tutti.yaml': {
        driver: 'mine',
        drivers: { mine: { type: 'command', command: ['sh', join(this.outside, 'agent.sh')] } },
        env: ['TUTTI_TEST_NODE', 'TUTTI_TEST_PROGRAM'],
        ...config,
      },
    });
  }

  /** In this process. */
  call(args: readonly string[], options: Partial<CliOptions> = {}): Promise<CliEnd> {
    return cli({ folder: this.path, stdin: '', ...options }, ...args);
  }

  /** `tutti executor work ACTION WORDS`. */
  work(action: string, words: string, ...flags: readonly string[]): Promise<CliEnd> {
    return this.call(['executor', 'work', action, words, ...flags]);
  }

  /** As a program of its own. */
  start(...args: readonly string[]) {
    const env = { TUTTI_TEST_NODE: process.execPath, TUTTI_TEST_PROGRAM: installedTutti() };
    return startTutti(this.path, [...args], env);
  }

  write(name: string, text: string): void {
    mkdirSync(dirname(join(this.path, name)), { recursive: true });
    writeFileSync(join(this.path, name), text);
  }

  /** Empty: it does not exist. */
  read(name: string): string {
    const path = join(this.path, name);
    return existsSync(path) ? readFileSync(path, 'utf8') : '';
  }

  /** What the agent noted for the test. */
  noted(name: string): string {
    const path = join(this.outside, name);
    return existsSync(path) ? readFileSync(path, 'utf8') : '';
  }

  /** One line for each turn that began. */
  get begun(): readonly string[] {
    return lines(join(this.outside, 'ledger'));
  }

  [Symbol.dispose](): void {
    this.#folder[Symbol.dispose]();
  }
}
