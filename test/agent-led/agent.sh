#!/bin/sh
# A scripted agent: it conducts a plan from its specification to the end, and knows nothing of Tutti but the state commands.
# Usage: agent.sh SPEC TARGET DRAFTS. DRAFTS holds what a model would have written: artifacts, tasks, and code by task.
set -eu
SPEC=$1
TARGET=$2
DRAFTS=$3

PLAN_DIR=$(tutti plan init "$TARGET" --plan story --new --spec "$SPEC")
export TUTTI_PLAN_DIR="$PLAN_DIR"
# From here on it stands somewhere else, as an agent in a worktree does.
cd /

say() { tutti log INFO orchestrator "$1" "$2"; }

say phase-transition "moving to logical"
tutti plan advance
cp "$DRAFTS/capability-map.json" "$PLAN_DIR/artifacts/"
tutti plan validate capability_map
tutti plan advance

cp "$DRAFTS/physical-map.json" "$PLAN_DIR/artifacts/"
tutti plan validate physical_map
tutti plan advance

cp "$DRAFTS"/tasks/*.json "$PLAN_DIR/tasks/"
tutti plan load-tasks
tutti plan advance

tutti plan validate-tasks READY "every behavior has a task, and every criterion can be run"
tutti plan advance
tutti plan load-tasks
tutti plan advance
# The person who reads the plan says yes.
tutti plan approve

tutti checkpoint recover
while tutti check-halt; do
  READY=$(tutti task ready | head -3 | cut -d: -f1)
  if [ -z "$READY" ]; then
    tutti plan advance
    tutti checkpoint clear
    break
  fi
  for ID in $READY; do
    tutti bundle generate "$ID"
    tutti bundle validate-integrity "$ID"
  done
  # shellcheck disable=SC2086
  tutti checkpoint create $READY
  for ID in $READY; do tutti task start "$ID" --as "executor-$ID"; done
  for ID in $READY; do
    # A first try that is not good enough: the claim must not pass.
    if [ -d "$DRAFTS/wrong/$ID" ]; then
      cp -R "$DRAFTS/wrong/$ID/." "$TARGET/"
      if tutti task complete "$ID"; then exit 99; fi
    fi
    cp -R "$DRAFTS/code/$ID/." "$TARGET/"
    # shellcheck disable=SC2046
    tutti task complete "$ID" --created $(cd "$DRAFTS/code/$ID" && find . -type f)
    STATUS=$(sed -n 's/.*"status": "\(success\|failed\)".*/\1/p' "$PLAN_DIR/bundles/$ID-result.json" | head -1)
    tutti checkpoint update "$ID" "$STATUS"
    tutti log-tokens "executor-$ID" 1000 200 0.02
  done
  tutti checkpoint complete
done
tutti plan status
