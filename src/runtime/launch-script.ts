/**
 * The shell launcher. Constant text: everything variable comes as an argument or in the environment, nothing is ever
 * put into shell text. POSIX sh, tried with dash. Builtins only unless there is a deadline or a session state: a
 * thousand small commands pay for every process started here.
 *
 * Arguments: place (what its files' names begin with), rest of the `started` line, deadline in seconds or -, the same as seconds since 1970,
 * session or -, working directory, where /proc is, then the program and its arguments.
 * The end of work that may be dear is worth waiting for: on a full disk the launcher stays until it could record it.
 * Standard input and output are the program's own. Variables begin with `tutti_`, because one that the environment
 * happens to hold as well would be changed for the program too.
 */
const main = `
tutti_dir=$1 tutti_tail=$2 tutti_limit=$3 tutti_until=$4 tutti_session=$5 tutti_cwd=$6 tutti_proc=$7
shift 7
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
  [ "$tutti_limit" = - ] || { tutti_deadline </dev/null >/dev/null & tutti_timer=$!; }
  trap : HUP INT TERM
  (exec "$@" 2>&1)
  tutti_code=$?
  case $tutti_code in 126 | 127) command -v -- "$1" >/dev/null || tutti_problem=no-program ;; esac
  [ -z "$tutti_timer" ] || { kill "$tutti_timer"; wait "$tutti_timer"; }
  if [ -e "\${tutti_dir}ending" ]; then
    read -r tutti_ended tutti_reason <"\${tutti_dir}ending"
    [ "$tutti_ended" = timeout ] || tutti_ended=killed
  fi
else
  tutti_problem=no-directory
fi
tutti_end() {
  printf 'exit %s ? %s %s %s .\\n' "$tutti_code" "$tutti_ended" "$tutti_problem" "\${tutti_reason:--}"
}
tutti_tries=3600
tutti_end >"\${tutti_dir}exit" ||
  while [ -d "\${tutti_dir%/*}" ] && [ ! -s "\${tutti_dir}exit" ] && [ "$tutti_tries" -gt 0 ]; do
    sleep 1
    tutti_tries=$((tutti_tries - 1))
    tutti_end >|"\${tutti_dir}exit"
  done
[ "$tutti_session" = - ] || tutti_finish
exit 0
`;

/** Writes `state.json` as the session moves. `date`, `cat` and `mv` are affordable once per agent. */
const session = `
tutti_now() { date -u +%Y-%m-%dT%H:%M:%SZ; }
tutti_state() (
  umask 077
  set +C
  { cat "\${tutti_dir}state.head" && printf "$@"; } >"\${tutti_dir}.state.json.tmp.$$" &&
    mv -f "\${tutti_dir}.state.json.tmp.$$" "\${tutti_dir}state.json"
)
tutti_begin() {
  tutti_began=$(tutti_now)
  tutti_state '"status":"RUNNING","started_at":"%s","completed_at":null,"exit_code":null,"ended":null}\\n' \
    "$tutti_began"
}
tutti_finish() {
  tutti_status=FAILED tutti_why=null
  [ "$tutti_code" != 0 ] || tutti_status=COMPLETED
  [ "$tutti_ended" = - ] || { tutti_status=KILLED; tutti_why="\\"$tutti_ended\\""; }
  tutti_state '"status":"%s","started_at":"%s","completed_at":"%s","exit_code":%s,"ended":%s}\\n' \
    "$tutti_status" "$tutti_began" "$(tutti_now)" "$tutti_code" "$tutti_why"
}
`;

/**
 * Enforces the deadline with no other tutti alive. Whoever belongs to the attempt is found by its marker, its session
 * and its parents, as in lib/process/family.ts.
 * A shell's child has its parent's handlers for a moment, and a signal they take is lost. So the timer is started
 * before the launcher traps the TERM that will call it off, and calls off its own sleep with KILL (a TERM was seen to leave some).
 * Agents are known to run `pkill sleep`: it goes on waiting.
 */
const deadline = `
tutti_deadline() {
  trap 'kill -KILL $!; exit 0' TERM
  while sleep "$tutti_limit" & ! wait $!; do
    tutti_limit=$((tutti_until - $(date +%s)))
    [ "$tutti_limit" -gt 0 ] || break
    sleep 0.1 & wait $!
  done
  trap '' TERM
  echo 'timeout the time limit was reached' >"\${tutti_dir}ending"
  tutti_round=0
  while tutti_others && [ "$tutti_round" -lt 100 ]; do
    for tutti_pid in $tutti_found; do
      case $tutti_round in
        0) kill -TERM "$tutti_pid"; kill -CONT "$tutti_pid" ;;
        ? | 1? | 2?) ;;
        *) kill -KILL "$tutti_pid" ;;
      esac
    done
    tutti_round=$((tutti_round + 1))
    sleep 0.1
  done
}
tutti_others() {
  tutti_rows=
  if read -r tutti_self tutti_x <"$tutti_proc/self/stat"; then
    for tutti_row in "$tutti_proc"/[0-9]*; do
      read -r tutti_stat <"$tutti_row/stat" || continue
      set -- \${tutti_stat##*) }
      tutti_rows="$tutti_rows \${tutti_row##*/}:$2:$4:$1"
    done
    tutti_marked=$(exec grep -lszxF -e "TUTTI_ATTEMPT_ID=$TUTTI_ATTEMPT_ID" "$tutti_proc"/[0-9]*/environ |
      while IFS=/ read -r tutti_x tutti_x tutti_pid tutti_x; do echo " $tutti_pid "; done)
  else
    tutti_self=$(exec sh -c 'echo $PPID')
    set -- $(exec ps -A -o pid= -o ppid= -o pgid= -o stat=)
    while [ $# -ge 4 ]; do
      tutti_rows="$tutti_rows $1:$2:$3:$4"
      shift 4
    done
    tutti_marked=$({ ps -AEww -o pid= -o command= || ps axeww -o pid= -o command=; } |
      while read -r tutti_pid tutti_x; do
        case " $tutti_x " in *" TUTTI_ATTEMPT_ID=$TUTTI_ATTEMPT_ID "*) echo " $tutti_pid " ;; esac
      done)
  fi
  tutti_found=' ' tutti_before=
  until [ "$tutti_found" = "$tutti_before" ]; do
    tutti_before=$tutti_found
    for tutti_row in $tutti_rows; do
      tutti_pid=\${tutti_row%%:*} tutti_stat=\${tutti_row##*:} tutti_x=\${tutti_row#*:}
      tutti_parent=\${tutti_x%%:*} tutti_x=\${tutti_x#*:} tutti_leader=\${tutti_x%%:*}
      case " $$ $tutti_self $tutti_found" in *" $tutti_pid "*) continue ;; esac
      case $tutti_stat:$tutti_parent in [ZX]* | *":$tutti_self") continue ;; esac
      case "$tutti_marked $$ $tutti_found" in
        *" $tutti_pid "* | *" $tutti_parent "*) tutti_found="$tutti_found$tutti_pid " ;;
        *) [ "$tutti_leader" != $$ ] || tutti_found="$tutti_found$tutti_pid " ;;
      esac
    done
  done
  [ "$tutti_found" != ' ' ]
}
`;

export const plainScript = main;
export const guardedScript = session + deadline + main;
