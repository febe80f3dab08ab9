import { describe, expect, test } from 'vitest';
import { admission } from './checks/admission.ts';
import { amending } from './checks/amending.ts';
import { audit } from './checks/audit.ts';
import { cancelling } from './checks/cancelling.ts';
import { children } from './checks/children.ts';
import { conductors } from './checks/conductors.ts';
import { fencing } from './checks/fencing.ts';
import { halting } from './checks/halting.ts';
import { keys } from './checks/keys.ts';
import { leases } from './checks/leases.ts';
import { plans } from './checks/plans.ts';
import { stopWishes } from './checks/stop-wishes.ts';
import { questions } from './checks/questions.ts';
import { races } from './checks/races.ts';
import { reads } from './checks/reads.ts';
import { recovery } from './checks/recovery.ts';
import { restarts } from './checks/restarts.ts';
import { rules } from './checks/rules.ts';
import { sessionQuestions } from './checks/session-questions.ts';
import { sessions } from './checks/sessions.ts';
import { snapshots } from './checks/snapshots.ts';
import { steps } from './checks/steps.ts';
import { timeAtWork } from './checks/time-at-work.ts';
import { values } from './checks/values.ts';
import { portMethods } from './port-methods.ts';
import { calledMethods, type Check, type Subject } from './world.ts';

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
  ...timeAtWork,
  ...sessions,
  ...sessionQuestions,
  ...values,
  ...keys,
  ...plans,
  ...audit,
  ...conductors,
  ...recovery,
  ...reads,
  ...snapshots,
];

export function conformance(subject: Subject): void {
  describe(subject.name, () => {
    for (const { promise, keeps } of checks) {
      // eslint-disable-next-line vitest/expect-expect, vitest/valid-title -- the check holds both
      test(promise, () => keeps(subject));
    }

    test('every method of the ports is called by a check', () => {
      expect(portMethods.filter((method) => !calledMethods.has(method))).toEqual([]);
    });
  });
}
