import { recorded, textMember } from '../../../lib/json.ts';
import { recordApproval, standingApproval } from '../planning/plan-approval.ts';
import { ingest } from '../planning/ingest.ts';
import type { CheckRequest } from '../planning/check-request.ts';
import { keepHandEdits, settleTasks, type SettleRequest } from '../planning/hand-edits.ts';
import { planCheck } from '../planning/plan-check.ts';
import { beginVerdict, readVerdict, recordVerdict } from '../planning/plan-verdict.ts';
import { planBase, planBaseRun, recordBase } from './plan-base.ts';
import type { PlanHostTasks } from './plan-host-task.ts';

/** What the workflow `plan` has done on the host, by the name that is recorded with it. */
export const planningTasks: PlanHostTasks = {
  'plan-ingest': ({ parts, args }) => ingest(parts, textMember(args, 'plan'), textMember(args, 'checksum')),
  'plan-base': planBase,
  'plan-base-run': planBaseRun,
  'plan-base-record': recordBase,
  'plan-check': ({ parts, args }) => planCheck(parts, recorded<CheckRequest>(args)),
  'plan-settle': ({ parts, args }) => Promise.resolve(settleTasks(parts, recorded<SettleRequest>(args))),
  'plan-keep-edits': ({ parts, args }) =>
    Promise.resolve(
      keepHandEdits(
        parts,
        textMember(args, 'plan'),
        recorded<{ readonly base: string; readonly ids: readonly string[] }>(args),
      ),
    ),
  'plan-verdict-begin': ({ parts, args }) => beginVerdict(parts, textMember(args, 'plan')),
  'plan-verdict': ({ parts, args }) => readVerdict(parts, textMember(args, 'plan')),
  'plan-judged': ({ parts, args }) =>
    recordVerdict(
      parts,
      textMember(args, 'plan'),
      recorded<Parameters<typeof recordVerdict>[2]>(args['verdict']),
    ),
  'plan-approval': ({ parts, args }) =>
    Promise.resolve(standingApproval(parts, textMember(args, 'plan'), textMember(args, 'tasks'))),
  'plan-approve': ({ parts, args }) =>
    recordApproval(parts, textMember(args, 'plan'), recorded<Parameters<typeof recordApproval>[2]>(args)),
};
