import { blocksOf, groupArguments } from './enter.ts';
import type { LimitPlan } from './plan.ts';

/**
 * The shell launcher's guard: the deadline, the disk quota and the silence of an agent, with no other tutti alive.
 * Times are hundredths of a second. It sleeps for one tick at a time, which is longer with a deadline alone, and the size of the
 * folder is measured beside the sleep: a file system that hangs must not hold up the deadline. When the launcher was killed, the
 * guard ends what is left and then itself.
 *
 * Whoever belongs to the attempt is found by its group, its marker, its session and its parents, as in lib/process/process-family.ts.
 * A shell's child has its parent's handlers for a moment, and a signal they take is lost. So the guard is started
 * before the launcher traps the TERM that will call it off, and calls off its own sleep with KILL (a TERM was seen to leave some).
 * It knows the sleep as `$!` only: between a start and an assignment there is time for a signal.
 * Agents are known to run `pkill sleep`: it goes on waiting.
 */
const loop = `
tutti_clock() {
  if read -r tutti_up tutti_x <"$tutti_proc/uptime"; then
    tutti_up=\${tutti_up%.*}\${tutti_up#*.}
  else
    tutti_up=$(date +%s)00
  fi
}
tutti_remaining() {
  [ "$tutti_limit" != - ] || return 0
  if [ -r "$tutti_proc/uptime" ]; then
    tutti_limit=$((tutti_end - tutti_up))
  elif [ "$1" = slept ] && [ "$tutti_limit" -lt $((tutti_step + 300)) ]; then
    tutti_limit=$((tutti_limit - tutti_step))
  else
    tutti_limit=$((tutti_until * 100 - tutti_up))
  fi
}
tutti_pause() {
  tutti_x=$((tutti_step % 100))
  [ "$tutti_x" -gt 9 ] || tutti_x=0$tutti_x
  sleep "$((tutti_step / 100)).$tutti_x" &
  wait $! && tutti_how=slept || tutti_how=woken
}
tutti_guard() {
  tutti_meter= tutti_warned= tutti_stalled= tutti_size=-1
  trap 'kill -KILL $!; exit 0' TERM
  tutti_clock
  tutti_look=$tutti_up tutti_heard=$tutti_up
  [ "$tutti_limit" = - ] || tutti_end=$((tutti_up + tutti_limit))
  if [ "$tutti_fail" = - ]; then
    tutti_tick=500
  else
    tutti_every=$((tutti_stall / 4))
    [ "$tutti_every" -gt 10 ] || tutti_every=10
    [ "$tutti_every" -lt 1500 ] || tutti_every=1500
    tutti_tick=100
    [ "$tutti_every" -gt "$tutti_tick" ] || tutti_tick=$tutti_every
  fi
  while [ "$tutti_limit" = - ] || [ "$tutti_limit" -gt 0 ]; do
    tutti_step=$tutti_tick
    [ "$tutti_limit" = - ] || [ "$tutti_limit" -ge "$tutti_step" ] || tutti_step=$tutti_limit
    tutti_pause
    tutti_led || { tutti_orphaned; return; }
    tutti_clock
    tutti_remaining "$tutti_how"
    [ "$tutti_fail" != - ] || continue
    tutti_weigh || { tutti_finally "quota $tutti_failure"; return; }
    [ "$tutti_session" = - ] || [ "$tutti_up" -lt "$tutti_look" ] || tutti_listen
  done
  tutti_finally 'timeout the time limit was reached'
}
`;

/** The size of the folder. A measurement takes as long as it takes; the next begins when it is there. */
const disk = `
tutti_measure() {
  set -- $(exec du -skx "\${tutti_dir%/*}")
  [ "\${1:-0}" -le "$tutti_fail" ] || exit 22
  [ "\${1:-0}" -le "$tutti_warn" ] || exit 21
  exit 0
}
tutti_weigh() {
  if [ -n "$tutti_meter" ]; then
    ! kill -0 "$tutti_meter" || return 0
    wait "$tutti_meter"
    case $? in
      22) tutti_meter=; return 1 ;;
      21) [ -n "$tutti_warned" ] || { tutti_stamp; tutti_note WARN "$tutti_warning"; }; tutti_warned=yes ;;
    esac
  fi
  tutti_measure &
  tutti_meter=$!
}
`;

/** Whether the log grows. */
const silence = `
tutti_listen() {
  tutti_look=$((tutti_up + tutti_every))
  [ -f "$tutti_log" ] || return 0
  tutti_x=$(exec wc -c <"$tutti_log")
  if [ "$tutti_x" != "$tutti_size" ]; then
    tutti_size=$tutti_x tutti_heard=$tutti_up
    tutti_stamp
    tutti_since=$tutti_at
    [ -z "$tutti_stalled" ] || tutti_state RUNNING null null null working null
    tutti_stalled=
  elif [ -z "$tutti_stalled" ] && [ $((tutti_up - tutti_heard)) -ge "$tutti_stall" ]; then
    tutti_stalled=yes
    tutti_stamp
    tutti_note WARN "Stalled: nothing on its output since $tutti_since"
    tutti_state RUNNING null null null stalled "\\"nothing on its output since $tutti_since\\""
  fi
}
`;

/**
 * Whether the launcher lives. Without it no end is recorded and no result is read, so what is left of the attempt must not work
 * on: the attempt is lost, as for the process that adopts it.
 */
const leader = `
tutti_led() {
  if read -r tutti_x <"$tutti_proc/self/stat"; then
    set -- \${tutti_x##*) }
    [ "$2" = $$ ]
  else
    kill -0 $$
  fi
}
tutti_orphaned() {
  tutti_end_others
  [ "$tutti_session" != - ] && [ ! -s "\${tutti_dir}exit" ] || return 0
  tutti_at=$tutti_began
  [ ! "$tutti_log" -nt "\${tutti_dir}started" ] || tutti_stamp -r "$tutti_log"
  tutti_note ERROR 'Lost: its launcher ended without a word' INFO 'Exit code: none' ERROR 'Status: RUNNING → FAILED'
  tutti_state FAILED "\\"$tutti_at\\"" null '"lost"' finished null
}
`;

const ending = `
tutti_finally() {
  echo "$1" >"\${tutti_dir}ending"
  tutti_end_others
}
tutti_end_others() {
  trap '' TERM
  tutti_clock
  tutti_asked=$tutti_up tutti_how=ask tutti_round=0
  while tutti_others && [ "$tutti_round" -lt 100 ]; do
    tutti_clock
    [ $((tutti_up - tutti_asked)) -lt 300 ] || tutti_how=kill
    for tutti_pid in $tutti_found; do
      case $tutti_how in
        ask) kill -TERM "$tutti_pid"; kill -CONT "$tutti_pid" ;;
        kill) kill -KILL "$tutti_pid" ;;
      esac
    done
    [ "$tutti_how" != kill ] || [ "$tutti_group" = - ] || tutti_each tutti_sweep
    tutti_how=wait tutti_round=$((tutti_round + 1))
    sleep 0.1
  done
}
tutti_sweep() {
  if [ -e "$1/cgroup.kill" ]; then
    echo 1 >>"$1/cgroup.kill"
  elif [ -e "$1/pids.max" ]; then
    echo 0 >>"$1/pids.max"
  fi
}
tutti_others() {
  tutti_rows=
  if read -r tutti_self tutti_x <"$tutti_proc/self/stat"; then
    for tutti_row in "$tutti_proc"/[0-9]*; do
      read -r tutti_stat <"$tutti_row/stat" || continue
      set -- \${tutti_stat##*) }
      tutti_rows="$tutti_rows \${tutti_row##*/}:$2:$4:$1"
    done
    tutti_marked=$({
      grep -lszxF -e "TUTTI_ATTEMPT_ID=$TUTTI_ATTEMPT_ID" "$tutti_proc"/[0-9]*/environ
      [ "$tutti_group" = - ] || grep -lsF -e "/$tutti_group" "$tutti_proc"/[0-9]*/cgroup
    } | while IFS=/ read -r tutti_x tutti_x tutti_pid tutti_x; do echo " $tutti_pid "; done)
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

export const guardFunctions = loop + disk + silence + leader + ending;

/** What the guarded launcher is told before everything else, in the order in which it takes them. */
export function guardArguments(
  plan: LimitPlan,
  timeoutMs: number | null,
  logFile: string,
): readonly string[] {
  const { disk: quota, stallMs } = plan;
  return [
    timeoutMs === null ? '-' : String(Math.max(1, Math.ceil(timeoutMs / 10))),
    timeoutMs === null ? '-' : String(Math.ceil((Date.now() + timeoutMs) / 1000)),
    quota === null ? '-' : String(Math.floor(quota.warnBytes / 1024)),
    quota === null ? '-' : String(Math.floor(quota.failBytes / 1024)),
    stallMs === null ? '-' : String(Math.max(1, Math.round(stallMs / 10))),
    blocksOf(plan.fileBytes),
    logFile,
    quota?.warning ?? '-',
    quota?.failure ?? '-',
    plan.lacking ?? '-',
    plan.groupName,
    ...groupArguments(plan.groups),
  ];
}
