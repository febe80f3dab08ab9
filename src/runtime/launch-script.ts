import { enterFunctions, takeGroups } from './limits/enter.ts';
import { guardFunctions } from './limits/guard-script.ts';
import type { RecordedEnd } from './recorded-end.ts';
import { noteFunctions } from './session-log.ts';

/**
 * The text travels in this variable, not in the arguments, where every list of processes would show 9 kB of shell. A file
 * could be changed under a living launcher, by an upgrade or by an agent; the environment of a process cannot.
 */
const textVariable = 'tutti_launch_script';
/** The variable is removed first, so that the program does not inherit it. */
const evaluate = `unset tutti_self; tutti_self=$${textVariable}; eval "unset ${textVariable}
$tutti_self"`;

/**
 * In the environment of a launcher that cannot record the end of its program: its marker, and the code, the ending and the
 * problem that it would record. No blanks, because not every system shows values with some.
 */
export const endVariable = 'TUTTI_ENDED';
/** What such a launcher is called. */
const waiting = 'tutti-ended';

/**
 * The shell launcher. Constant text: everything variable comes as an argument or in the environment, nothing is ever
 * put into shell text. POSIX sh, tried with dash. Builtins only unless there is a deadline or a session state: a
 * thousand small commands pay for every process started here.
 *
 * Arguments: place (what its files' names begin with), rest of the `started` line, session or -, working directory,
 * where /proc is, then the program and its arguments. Before them, for the guarded one only: those of `guardArguments`.
 * The end of work that may be dear is worth waiting for: on a full disk the launcher stays until it could record it. Meanwhile
 * its own environment tells the end: it becomes a shell that has the end in a variable, which needs no disk.
 * Standard input and output are the program's own. Variables begin with `tutti_`, because one that the environment
 * happens to hold as well would be changed for the program too.
 */
const main = (guard: string, run: string): string => `
tutti_dir=$1 tutti_tail=$2 tutti_session=$3 tutti_cwd=$4 tutti_proc=$5
shift 5
set -C
read -r tutti_x tutti_x tutti_x tutti_x tutti_x tutti_x tutti_x tutti_x tutti_x tutti_x tutti_x \
  tutti_x tutti_x tutti_x tutti_x tutti_x tutti_x tutti_x tutti_x tutti_x tutti_x tutti_start tutti_x \
  <"$tutti_proc/$$/stat" ||
  tutti_start=$(LC_ALL=C TZ=UTC ps -o lstart= -p $$ | sed 's/^ *//; s/ *$//; s/  */_/g')
printf 'started %s %s %s\\n' $$ "$tutti_start" "$tutti_tail" >"\${tutti_dir}started" || exit 0
tutti_code=126 tutti_ended=- tutti_problem=- tutti_reason= tutti_timer=
[ "$tutti_session" = - ] || tutti_begin
if cd -- "$tutti_cwd"; then
  unset OLDPWD
  ${guard}
  trap : HUP INT TERM
  ${run}
  tutti_code=$?
  case $tutti_code in 126 | 127) command -v -- "$1" >/dev/null || tutti_problem=no-program ;; esac
  [ -z "$tutti_timer" ] || { kill "$tutti_timer"; wait "$tutti_timer"; }
  if [ -e "\${tutti_dir}ending" ]; then
    read -r tutti_ended tutti_reason <"\${tutti_dir}ending"
    case $tutti_ended in timeout | quota) ;; *) tutti_ended=killed ;; esac
  fi
else
  tutti_problem=no-directory
fi
tutti_end >"\${tutti_dir}exit" || tutti_wait
tutti_over
`;

/** How the end is recorded. It is tried out first whether the shell that waits could start: a failed \`exec\` would lose the end. */
const recording = `
tutti_end() {
  printf 'exit %s ? %s %s %s .\\n' "$tutti_code" "$tutti_ended" "$tutti_problem" "\${tutti_reason:--}"
}
tutti_over() {
  [ "$tutti_session" = - ] || tutti_finish
  exit 0
}
tutti_waits() {
  [ -d "\${tutti_dir%/*}" ] && [ ! -s "\${tutti_dir}exit" ]
}
tutti_wait() {
  tutti_waits || return 0
  trap '' HUP INT TERM
  true >"\${tutti_dir}ended"
  tutti_marker=\${tutti_tail#* }
  ${endVariable}="\${tutti_marker% .}|$tutti_code|$tutti_ended|$tutti_problem" ${textVariable}=$tutti_self
  export ${endVariable} ${textVariable} tutti_dir tutti_tail tutti_session tutti_start tutti_began tutti_groups \
    tutti_code tutti_ended tutti_problem tutti_reason
  ! /bin/sh -c : || exec /bin/sh -c '${evaluate}' ${waiting}
  tutti_retry
}
tutti_retry() {
  trap '' HUP INT TERM
  tutti_tries=3600
  while tutti_waits && [ "$tutti_tries" -gt 0 ]; do
    sleep 1
    tutti_tries=$((tutti_tries - 1))
    tutti_end >|"\${tutti_dir}exit"
  done
}
[ "$0" != ${waiting} ] || { tutti_retry; tutti_over; }
`;

/**
 * Writes `state.json` and `session.log` as the session moves; `date`, `cat` and `mv` are affordable once per agent.
 * The state of a running session is not put over the one that was recorded as ended meanwhile.
 * Whoever ends the session sends TERM to all that is left of it: what helps to tell the end must not be ended by that.
 */
const session = `
tutti_state() (
  umask 077
  set +C
  { cat "\${tutti_dir}state.head" &&
    printf '"status":"%s","started_at":"%s","completed_at":%s,"exit_code":%s,"ended":%s,' \
      "$1" "$tutti_began" "$2" "$3" "$4" &&
    printf '"pid":%s,"start_time":"%s","boot_id":"%s","activity":"%s","activity_detail":%s}\\n' \
      $$ "$tutti_start" "\${tutti_tail%% *}" "$5" "$6"
  } >"\${tutti_dir}.state.json.tmp.$$" || exit 0
  [ "$1" != RUNNING ] || [ ! -e "\${tutti_dir}exit" ] || exit 0
  mv -f "\${tutti_dir}.state.json.tmp.$$" "\${tutti_dir}state.json"
)
tutti_begin() {
  tutti_stamp -r "\${tutti_dir}started" || tutti_stamp
  tutti_began=$tutti_at
  if [ "$tutti_lacking" = - ]; then
    tutti_note INFO 'Status: CREATED → RUNNING'
  else
    tutti_note INFO 'Status: CREATED → RUNNING' WARN "$tutti_lacking"
  fi
  tutti_state RUNNING null null null working null
}
tutti_finish() {
  trap '' HUP INT TERM
  tutti_status=FAILED tutti_level=ERROR tutti_why=null
  case $tutti_ended:$tutti_code in
    -:0) tutti_status=COMPLETED tutti_level=INFO ;;
    timeout:* | killed:*) tutti_status=KILLED tutti_level=WARN ;;
  esac
  case $tutti_ended:$tutti_problem in
    timeout:*) tutti_told=Timeout ;;
    killed:*) tutti_told=Killed ;;
    quota:*) tutti_told=Quota ;;
    -:-) tutti_told= ;;
    *) tutti_told='Not started' tutti_reason=$tutti_problem ;;
  esac
  [ "$tutti_ended" = - ] || tutti_why="\\"$tutti_ended\\""
  set -- INFO "Exit code: $tutti_code" "$tutti_level" "Status: RUNNING → $tutti_status"
  [ -z "$tutti_told" ] || set -- "$tutti_level" "$tutti_told: \${tutti_reason:-no reason was given}" "$@"
  tutti_x=exit
  [ ! -e "\${tutti_dir}ended" ] || tutti_x=ended
  tutti_stamp -r "\${tutti_dir}$tutti_x" || tutti_stamp
  tutti_note "$@"
  tutti_state "$tutti_status" "\\"$tutti_at\\"" "$tutti_code" "$tutti_why" finished null
  [ -z "$tutti_groups" ] || tutti_leave
}
tutti_leave() (
  set -f
  IFS='
'
  exec rmdir -- $tutti_groups
)
`;

const takeGuard = `
tutti_limit=$1 tutti_until=$2 tutti_warn=$3 tutti_fail=$4 tutti_stall=$5 tutti_blocks=$6 tutti_log=$7
shift 7
tutti_warning=$1 tutti_failure=$2 tutti_lacking=$3 tutti_group=$4
shift 4
${takeGroups}`;

const startGuard =
  '[ "$tutti_limit$tutti_fail" = -- ] || { tutti_guard </dev/null >/dev/null & tutti_timer=$!; }';

const plainScript = recording + main('', '(exec "$@" 2>&1)');
const guardedScript =
  noteFunctions +
  enterFunctions +
  session +
  guardFunctions +
  recording +
  takeGuard +
  main(startGuard, '(tutti_enter; exec "$@" 2>&1)');

/** How a shell becomes the launcher: what it is called with before the launcher's own arguments, and its variable. */
export interface ShellLauncher {
  readonly argv: readonly [string, ...string[]];
  readonly env: Readonly<Record<string, string>>;
}

export function shellLauncher(kind: 'plain' | 'guarded'): ShellLauncher {
  const text = kind === 'plain' ? plainScript : guardedScript;
  return { argv: ['/bin/sh', '-c', evaluate, 'tutti-launch'], env: { [textVariable]: text } };
}

/** What the shell that waits must know to record and tell an end in the place of its launcher. */
export interface WaitingEnd {
  /** What the names of the attempt's files begin with. */
  readonly place: string;
  readonly marker: string;
  /** Of the `started` line, after pid and start time. */
  readonly tail: string;
  readonly startTime: string;
  /** When the session started; null: it is none. */
  readonly sessionSince: string | null;
  readonly groups: readonly string[];
  /** With the code that a shell would give, also after a signal. */
  readonly end: RecordedEnd;
}

/** What a launcher that is no shell becomes when it cannot record the end: the same as the shell launcher in that case. */
export function waitingShell(told: WaitingEnd): ShellLauncher {
  const { place, marker, tail, startTime, sessionSince, groups, end } = told;
  const [code, ended, problem] = [String(end.exitCode ?? 126), end.ended ?? '-', end.problem ?? '-'];
  return {
    argv: ['/bin/sh', '-c', evaluate, waiting],
    env: {
      [endVariable]: [marker, code, ended, problem].join('|'),
      [textVariable]: guardedScript,
      tutti_dir: place,
      tutti_tail: tail,
      tutti_session: sessionSince === null ? '-' : 'session',
      tutti_start: startTime,
      tutti_began: sessionSince ?? '',
      tutti_groups: groups.map((group) => `${group}\n`).join(''),
      tutti_code: code,
      tutti_ended: ended,
      tutti_problem: problem,
      tutti_reason: end.reason?.replaceAll(/\s+/g, ' ').trim() ?? '',
    },
  };
}
