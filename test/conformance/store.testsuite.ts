import { describe, test } from 'vitest';
import { admission } from './checks/admission.ts';
import { amending } from './checks/amending.ts';
import { cancelling } from './checks/cancelling.ts';
import { children } from './checks/children.ts';
import { fencing } from './checks/fencing.ts';
import { halting } from './checks/halting.ts';
import { leases } from './checks/leases.ts';
import { stopWishes } from './checks/stop-wishes.ts';
import { questions } from './checks/questions.ts';
import { races } from './checks/races.ts';
import { restarts } from './checks/restarts.ts';
import { rules } from './checks/rules.ts';
import { sessionQuestions } from './checks/session-questions.ts';
import { sessions } from './checks/sessions.ts';
import { steps } from './checks/steps.ts';
import { values } from './checks/values.ts';
import type { Check, Subject } from './world.ts';

/** Everything a store must keep, alone and under the engine. A store on several hosts passes the same list. */
export const checks: readonly Check[] = [
  ...steps,
  ...rules,
  ...restarts,
  ...fencing,
  ...leases,
  ...stopWishes,
  ...questions,
  ...races,
  ...cancelling,
  ...children,
  ...amending,
  ...halting,
  ...admission,
  ...sessions,
  ...sessionQuestions,
  ...values,
];

export function conformance(subject: Subject): void {
  describe(subject.name, () => {
    for (const { promise, keeps } of checks) {
      // eslint-disable-next-line vitest/expect-expect, vitest/valid-title -- the check holds both
      test(promise, () => keeps(subject));
    }
  });
}
