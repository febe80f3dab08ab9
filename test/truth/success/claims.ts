import type { SceneName } from './scenes.ts';

/** A place that claims a success: the scene that plays it well and badly, and what it prints only when it is true. */
export interface Claim {
  readonly scene: SceneName;
  readonly success: RegExp;
}

/** Every place that claims a success. A new one fails the test until it stands here, or below with the reason. */
export const claims: Readonly<Record<string, Claim>> = {
  'advance.ts › closingLines › ✔': { scene: 'a flow is run', success: /✔ run \S+ succeeded/ },
  'advance.ts › closingLines › … run … succeeded in …': { scene: 'a flow is run', success: /succeeded in/ },
  'render/event-line.ts › stepEnded › done': { scene: 'a flow is run', success: /^✔ work done$/m },
  'render/event-line.ts › ended › ✔': { scene: 'a flow is run', success: /^✔ work done$/m },
  'render/step-line.ts › stepMarks › ✔': { scene: 'the status of a run is shown', success: /^✔ work/m },
  'render/frame.ts › headOf › … of … done': {
    scene: 'the status of a run is shown',
    success: /· 1 of 1 done/,
  },
  'render/frame.ts › foldable › done': { scene: 'steps are folded on a small screen', success: /✔ \d+ done/ },
  'render/marks.ts › outcomeMark › ✔': { scene: 'runs are listed', success: /^✔/m },
  'commands/stop.ts › linesOf › run … had already succeeded: …': {
    scene: 'a run that is over is stopped',
    success: /had already succeeded/,
  },
  'attach/closing-lines.ts › closingOf › ✔': {
    scene: 'a session is watched to its end',
    success: /✔ session/,
  },
  'attach/live-view.ts › #send › ✔': {
    scene: 'a message is typed to a session',
    success: /✔ taken: hello/,
  },
  'commands/session/create.ts › printCreated › ✔': {
    scene: 'a session is created',
    success: /✔ Session created/,
  },
  'commands/doctor.ts › findingMarks › ✔': { scene: 'the machine is examined', success: /^✔ git/m },
  'commands/doctor-try.ts › linesOf › ✔': { scene: 'a driver is tried', success: /^✔ write/m },
  'commands/execute.ts › nothingToDoLine › plan …: all … done, nothing to do': {
    scene: 'a plan with nothing to do is executed',
    success: /all \d+ tasks? done/,
  },
  'commands/land.ts › landPlan › … has everything that landed already': {
    scene: 'a plan is landed',
    success: /has everything that landed already/,
  },
  'commands/plan/approve.ts › approve › approved': { scene: 'a plan is approved', success: /is approved/ },
  'commands/task/complete.ts › claimJson › done': { scene: 'a task is claimed', success: /"status":"done"/ },
  'render/event-line.ts › noteLine › ✔': { scene: 'work by hand is taken over', success: /✔/ },
  'render/event-line.ts › noteLine › done by hand, now on the integration branch: …': {
    scene: 'work by hand is taken over',
    success: /done by hand, now on the integration branch: T001/,
  },
  'render/event-line.ts › baseLine › ✔': { scene: 'the base of a plan is checked', success: /✔ base/ },
  'render/event-line.ts › taskMarks › ✔': { scene: 'a task of a plan ends', success: /✔ task T001 is done/ },
  'render/plan-status.ts › planStatusLines › … done': {
    scene: 'the status of a plan is shown',
    success: /\b1 done/,
  },
  'render/plan-status.ts › planListLines › … of … done': {
    scene: 'plans are listed',
    success: /1 of \d+ tasks done/,
  },
};

/** Places that use such a word and claim nothing. */
export const harmless: Readonly<Record<string, string>> = {
  'render/marks.ts › marks › ✔': 'the mark itself',
  'render/step-line.ts › detailOf › done, not proven: …': 'says that nothing has proven it',
  'commands/plan/group.ts › decidePlanAs › plan … is neither approved nor refused':
    'says that nothing was decided',
  'commands/task/list.ts › statuses › done': 'a state that tasks are chosen by',
  'commands/execute.ts › nothingToDoLine › plan …: nothing to do, and … of … done':
    'says how many of all tasks are done',
  'completions/scripts.ts › zsh › _tutti() {': 'a loop of a shell ends with this word',
  'commands/land.ts › landPlan ›   → … of … are not done…': 'says what is not done',
  'commands/answer.ts › notApprovedYet ›   the task files were edited after it was asked (…): they are verified and asked about again, and not approved yet':
    'says that nothing is approved',
  'commands/land.ts › askForBranch ›   → nothing was landed; to land on …: git switch …':
    'says that nothing was landed',
  'commands/task/start.ts › start ›   → when it is done: tutti task complete … --created FILE… --modified FILE…':
    'names the command for later',
  'commands/task/complete.ts › claimLines › …: not done: it did not pass': 'says that it is not done',
  'commands/build.ts › build ›   → once it is approved: tutti execute --plan …':
    'names the command for later',
  'commands/task/group.ts › reportReopened ›   it was done: its work stays on … and does not count before the task is done again':
    'says that it counts no longer',
  'commands/task/group.ts › reportReopened ›   what was done of it is kept in …':
    'names where work is kept that was given up',
  'commands/checkpoint/recover.ts › aliveLines › when it is done: tutti task complete …; to give it up: tutti task retry … --force':
    'names the commands for later',
  'render/plan-outlook.ts › approvalText › not approved yet': 'says that it is not approved',
  'render/plan-outlook.ts › followLines › task that is done runs': 'says what may run again',
  'render/plan-outlook.ts › followLines › tasks that are done run': 'says what may run again',
};
