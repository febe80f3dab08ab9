import { join } from 'node:path';
import { contentAddress } from '../../lib/digest.ts';
import { readText } from '../../lib/read-text.ts';
import type { PlanRecord } from '../../model/plan/plan-record.ts';
import { findOffBranch, type TargetFault } from '../../workspace/target.ts';
import { uncommittedFiles } from '../../workspace/uncommitted.ts';
import type { Tutti } from '../tutti.ts';

const maxSpecBytes = 4 * 1024 * 1024;

/** What a person should know about the checkout before anything is paid for. */
export interface CheckoutState {
  /** Files that no task will see, because the person has not committed them. */
  readonly uncommitted: readonly string[];
  /** Why nothing could be landed there as it is; null: it could. */
  readonly offBranch: TargetFault | null;
}

export async function checkoutState(
  tutti: Pick<Tutti, 'paths'>,
  plan: Pick<PlanRecord, 'targetDir' | 'specChecksum'>,
): Promise<CheckoutState> {
  const offBranch = await findOffBranch(plan.targetDir);
  return { uncommitted: await uncommittedWork(tutti, plan), offBranch };
}

/**
 * What the person has not committed, so that no task sees it. Settings and the specification are read where they are, so
 * they do not count.
 */
export async function uncommittedWork(
  { paths }: Pick<Tutti, 'paths'>,
  { targetDir, specChecksum }: Pick<PlanRecord, 'targetDir' | 'specChecksum'>,
): Promise<readonly string[]> {
  const settings = join(paths.root, 'tutti.yaml');
  const isInput = (path: string): boolean => {
    if (path === settings) return true;
    const text = readText(path, { maxBytes: maxSpecBytes, links: 'refuse' });
    return text.ok && contentAddress(text.value) === specChecksum;
  };
  return (await uncommittedFiles(targetDir)).filter((path) => !isInput(join(targetDir, path)));
}
