import type { PlanStatus } from './plan-status.ts';
import type { Output } from '../../../model/schemas/published.ts';

/** `tutti plan status --json`; the published schema is plan-status.schema.json. */
export function planStatusJson(status: PlanStatus): Output<'plan-status'> {
  const { plan, paths, total, board, parked, tokens, blocked, halted, halt, stopFile, changed, next } =
    status;
  const { verdict, approval, checkpoint } = plan;
  return {
    plan: plan.name,
    plan_dir: paths.dir,
    target_dir: plan.targetDir,
    project_type: plan.projectType,
    tech_stack: plan.stack,
    phase: plan.phase,
    spec_checksum: plan.specChecksum,
    artifacts: plan.checked,
    verdict:
      verdict === null
        ? null
        : {
            verdict: verdict.verdict,
            summary: verdict.summary,
            issues: verdict.issues,
            by: verdict.by,
            at: instant(verdict.at),
            current: verdict.tasks === plan.checked.tasks && changed === null,
          },
    approval:
      approval === null
        ? null
        : {
            said: approval.said,
            reason: approval.reason,
            by: approval.by,
            at: instant(approval.at),
            current: approval.tasks === plan.checked.tasks && changed === null,
          },
    halt: {
      halted,
      reason: halt?.reason ?? null,
      requested_at: halt === null ? null : instant(halt.requestedAt),
      confirmed_at: halt === null || halt.confirmedAt === null ? null : instant(halt.confirmedAt),
      stop_file: stopFile,
    },
    checkpoint:
      checkpoint === null
        ? null
        : { status: checkpoint.status, created_at: instant(checkpoint.createdAt), tasks: status.marks },
    tasks: {
      total,
      ready: board.ready.length,
      waiting: board.waiting.length,
      blocked: blocked.length,
      running: board.running.length,
      parked: parked.length,
      done: board.done.length,
      failed: board.failed.length,
      skipped: board.skipped.length,
    },
    running: board.running,
    parked,
    blocked: blocked.map(({ id, name, by, reason }) => ({ id, name, by, reason })),
    tokens,
    next,
  };
}

function instant(at: number): string {
  return new Date(at).toISOString();
}
