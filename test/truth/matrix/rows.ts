import type { Row } from './calls.ts';
import * as plans from './plan-rows.ts';
import * as runs from './run-rows.ts';
import * as sessions from './session-rows.ts';

/** What is printed has no state in it: no row of the database, no dead process. */
function stateless(...args: readonly string[]): Row {
  return () => [{ args, where: 'no state', find: () => [] }];
}

/** Every command that only looks, by its words. One that is missing here fails the matrix. */
export const rows: Readonly<Record<string, Row>> = {
  runs: runs.runs,
  status: runs.status,
  events: runs.events,
  report: runs.report,
  costs: runs.costs,
  inbox: runs.inbox,
  'plan show': plans.show,
  'plan status': plans.status,
  'plan list': plans.list,
  'task ready': plans.taskReady,
  'task list': plans.taskList,
  'task show': plans.taskShow,
  'bundle validate': plans.bundleValidate,
  'bundle validate-integrity': plans.bundleIntegrity,
  'bundle list': plans.bundleList,
  'checkpoint status': plans.checkpointStatus,
  'check-halt': plans.checkHalt,
  'halt-status': plans.haltStatus,
  'session list': sessions.list,
  'session status': sessions.status,
  'session attach': sessions.attach,
  'session logs': sessions.logs,
  'session audit': sessions.audit,
  agents: stateless(),
  config: stateless(),
  'compose list': stateless(),
  'compose show': stateless('spec'),
  'compose lint': stateless(),
  'compose exits': stateless(),
  // No service is installed in the home of the test.
  'service status': () => [{ args: [], where: 'no state', code: 1, find: () => [] }],
  completions: stateless('bash'),
};
