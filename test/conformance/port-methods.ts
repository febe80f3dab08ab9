import type { AuditQueries } from '../../src/model/ports/audit-queries.ts';
import type { PlanQueries } from '../../src/model/ports/plan-queries.ts';
import type { ProjectStore } from '../../src/model/ports/project-store.ts';
import type { Queries } from '../../src/model/ports/queries.ts';
import type { SessionQueries } from '../../src/model/ports/session-queries.ts';

/** Names of the methods of a port: one that is missing here does not compile. */
type Methods<T> = Readonly<Record<keyof T, true>>;

const store: Methods<ProjectStore> = {
  admit: true,
  amend: true,
  answer: true,
  answerInSession: true,
  askInSession: true,
  backUp: true,
  begin: true,
  budget: true,
  cancel: true,
  cancelEnded: true,
  claim: true,
  complete: true,
  continueSession: true,
  createPlan: true,
  drop: true,
  finish: true,
  halt: true,
  isInPlace: true,
  keptRun: true,
  keptTurn: true,
  knows: true,
  leaveConductor: true,
  lineage: true,
  markArchived: true,
  markPruned: true,
  missingInCopy: true,
  news: true,
  note: true,
  noteOnce: true,
  open: true,
  park: true,
  pruneEvents: true,
  put: true,
  readPlan: true,
  refuseChanges: true,
  release: true,
  renew: true,
  reopen: true,
  resume: true,
  retakeAudit: true,
  runMark: true,
  settleHalt: true,
  start: true,
  startSession: true,
  subscribe: true,
  takeAudit: true,
  takeConductor: true,
  turns: true,
  wakeable: true,
  withdraw: true,
  writePlan: true,
};

const queries: Methods<Omit<Queries, 'sessions' | 'plans' | 'audit'>> = {
  budget: true,
  conductor: true,
  entries: true,
  entry: true,
  events: true,
  holder: true,
  holders: true,
  input: true,
  lastAnswered: true,
  lastSeq: true,
  lease: true,
  openQuestions: true,
  question: true,
  questionAt: true,
  questionsOf: true,
  run: true,
  runs: true,
  runsInside: true,
  slots: true,
  snapshot: true,
  spec: true,
  succeededSteps: true,
  wakeable: true,
  warnedSessions: true,
};

const sessions: Methods<SessionQueries> = {
  isLaunched: true,
  launched: true,
  list: true,
  live: true,
  newest: true,
  ofRun: true,
  one: true,
  spending: true,
  startingWith: true,
  totals: true,
  unlaunched: true,
};

const plans: Methods<PlanQueries> = {
  all: true,
  counts: true,
  node: true,
  nodes: true,
  one: true,
  states: true,
  task: true,
  tasks: true,
};

const audit: Methods<AuditQueries> = { events: true, isBehind: true };

/** Every method of the ports, by the name under which the checks call it. */
export const portMethods: readonly string[] = Object.entries({
  store,
  queries,
  'queries.sessions': sessions,
  'queries.plans': plans,
  'queries.audit': audit,
}).flatMap(([port, methods]) => Object.keys(methods).map((method) => `${port}.${method}`));
