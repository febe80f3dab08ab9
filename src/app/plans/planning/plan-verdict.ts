import { changePlan } from '../../plan-record/change-plan.ts';
import { existsSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { replaceFile } from '../../../lib/atomic-file.ts';
import { digestText } from '../../../lib/digest.ts';
import { ok } from '../../../lib/result.ts';
import { phaseAgents } from '../../../model/plan/phase.ts';
import type { VerdictCheck } from '../../../model/plan/plan-check.ts';
import type { Judged } from '../../../model/plan/planning-operations.ts';
import { advance } from '../../../model/plan/plan-record.ts';
import { withVerdict } from '../../../model/plan/plan-transitions.ts';
import { readJsonForm } from '../../../model/schemas/json-document.ts';
import { problemSentence } from '../../../model/schemas/problem.ts';
import { taskValidationForm } from '../../../model/schemas/task-validation.ts';
import { done, failed } from '../../host/completions.ts';
import type { HostParts } from '../../host/host-parts.ts';
import type { OperationCall, OperationEnd } from '../../host/operation-call.ts';
import { planPathsOf } from '../../plan-files/plan-paths.ts';
import { readPlanFile } from '../../plan-files/plan-file.ts';
import { writePlanViews } from '../plan-views.ts';
import { ownFolder } from './own-folder.ts';
import { reportCheck } from './plan-check.ts';
import { log } from './plan-log.ts';

const file = 'reports/task-validation.json';
const maxBytes = 4 * 1024 * 1024;

/** What an earlier verifier said is put away: only what the next one says counts. */
export async function planVerdictBegin({
  parts,
  args: { plan },
}: OperationCall<'plan-verdict-begin'>): Promise<OperationEnd<null>> {
  const paths = planPathsOf(parts.paths, plan);
  ownFolder(paths.dir, 'reports');
  for (const path of [paths.verdict, paths.report]) rmSync(path, { force: true });
  const changed = await changePlan(parts, plan, (record) => ok({ ...record, verdict: null }));
  return changed.ok ? done(null) : failed(changed.error);
}

/** The verdict from its file, which works in any sandbox, or as it was registered by the command. */
export async function planVerdictCheck({
  parts,
  args: { plan },
}: OperationCall<'plan-verdict-check'>): Promise<OperationEnd<VerdictCheck>> {
  const paths = planPathsOf(parts.paths, plan);
  const registered = (await parts.queries.plans.one(plan))?.verdict ?? null;
  if (!existsSync(paths.verdict)) {
    if (registered === null) return reportCheck({ at: 'missing', path: paths.verdict });
    const { verdict, summary, issues } = registered;
    return judged(parts, plan, { at: 'judged', verdict, summary, issues });
  }
  const text = readPlanFile(paths.dir, file, maxBytes);
  const form = text.ok ? readJsonForm(taskValidationForm, text.value, file) : null;
  if (form?.ok === true) return judged(parts, plan, { at: 'judged', ...form.value });
  const problems = form === null ? (text.ok ? [] : [text.error]) : form.error;
  return reportCheck({
    at: 'invalid',
    problems: problems.map(problemSentence),
    left: text.ok ? digestText(text.value) : '',
  });
}

async function judged(parts: HostParts, plan: string, verdict: Judged): Promise<OperationEnd<Judged>> {
  const paths = planPathsOf(parts.paths, plan);
  // People read the report; a verifier that wrote only the verdict has said enough for one.
  if (!existsSync(join(ownFolder(paths.dir, 'reports'), basename(paths.report))))
    replaceFile(paths.report, parts.redactor.text(reportOf(verdict)));
  await log(parts, paths, 'validation', `tasks - ${verdict.verdict}: ${verdict.summary}`);
  return reportCheck(verdict);
}

function reportOf({ verdict, summary, issues }: Judged): string {
  const said = issues.length === 0 ? ['No issues.'] : issues.map((issue) => `- ${issue}`);
  return [
    '# Task validation',
    '',
    `**Verdict:** ${verdict}`,
    '',
    summary,
    '',
    '## Issues',
    '',
    ...said,
    '',
  ].join('\n');
}

/** Makes the verdict count for the tasks as they are now. */
export async function planVerdictRecord({
  parts,
  args: { plan, verdict },
}: OperationCall<'plan-verdict-record'>): Promise<OperationEnd<null>> {
  const at = parts.clock.wall();
  const { verdict: word, summary, issues } = verdict;
  const changed = await changePlan(parts, plan, (record) => {
    const said = withVerdict(record, { verdict: word, summary, issues, by: phaseAgents.validation, at });
    if (!said.ok || word === 'BLOCKED' || said.value.phase !== 'validation') return said;
    return advance(said.value, { total: 0, open: 0 });
  });
  if (!changed.ok) return failed(changed.error);
  if (word !== 'BLOCKED') {
    const paths = planPathsOf(parts.paths, plan);
    await log(parts, paths, 'spawn-complete', `${phaseAgents.validation} finished with ${word}`);
    await log(parts, paths, 'phase-transition', `moving from validation to ${changed.value.phase}`);
  }
  await writePlanViews(parts, plan);
  return done(null);
}
