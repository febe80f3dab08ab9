import * as z from 'zod';
import { errorCategories } from '../plan/task-state.ts';
import { filledText, list, oneOf, text, wanted, yesOrNo } from './basic-shapes.ts';
import { document, documentVersion, taskId } from './plan-shapes.ts';

const verdicts = ['PASS', 'FAIL'] as const;
const paths = list(filledText('a path'), 'a list of paths');
const instant = z.iso.datetime({ offset: true, ...wanted('a time such as 2026-01-31T18:00:00Z') });

/** `bundles/T001-result.json` */
export const planResultForm = document({
  version: documentVersion,
  task_id: taskId,
  name: filledText(),
  status: oneOf(['success', 'failed']),
  started_at: instant,
  completed_at: instant,
  files: document({ created: paths, modified: paths }),
  verification: document({
    verdict: oneOf(verdicts),
    criteria: list(
      document({ name: filledText(), status: oneOf(verdicts), evidence: text() }),
      'a list of criteria',
    ),
  }),
  error: document({ category: oneOf(errorCategories), message: text(), retryable: yesOrNo() }).nullable(),
  notes: text(),
});
