import * as z from 'zod';
import { fileActions, type TaskType } from '../plan/plan-task.ts';
import { filledText, list, oneOf, text, wanted, wholeNumber, yesOrNo } from './basic-shapes.ts';
import { behaviorId, document, specRef, taskId } from './plan-shapes.ts';

const taskTypes = ['feature', 'refactor', 'bugfix', 'test'] as const satisfies readonly TaskType[];

const shortestCriterion = 20;
const criterionWords = `a measurable sentence of ${shortestCriterion} characters or more`;
const hoursWords = 'a number of hours, more than 0 and at most 10000';

export const taskFileMembers = {
  path: filledText('a path below the target directory'),
  action: oneOf(fileActions),
  purpose: filledText(),
};

const criterionForm = document({
  criterion: text(criterionWords)
    .refine((words) => words.trim().length >= shortestCriterion, `must be ${criterionWords}`)
    .meta({ minLength: shortestCriterion }),
  verification: filledText('a command that passes or fails').refine(
    (command) => command.trim() !== '',
    'must be a command that passes or fails',
  ),
});

export const criteriaForm = list(criterionForm, 'a list of criteria').min(
  1,
  'must have at least one criterion',
);

export const taskContext = document({
  domain: filledText(),
  capability: filledText(),
  spec_ref: specRef,
  spec_requirements: list(filledText(), 'a list of requirements'),
  steel_thread: yesOrNo(),
});

/** `tasks/T001.json` */
export const planTaskForm = document({
  id: taskId,
  name: filledText(),
  phase: wholeNumber(1, 1000),
  task_type: oneOf(taskTypes),
  context: taskContext,
  behaviors: list(behaviorId, 'a list of behavior ids'),
  files: list(document(taskFileMembers), 'a list of files').min(1, 'must have at least one file'),
  dependencies: document({
    tasks: list(taskId, 'a list of task ids'),
    external: list(filledText(), 'a list of what is needed from outside'),
  }),
  acceptance_criteria: criteriaForm,
  estimate_hours: z
    .number(wanted(hoursWords))
    .gt(0, `must be ${hoursWords}`)
    .max(10_000, `must be ${hoursWords}`),
});

export type PlanTaskForm = z.output<typeof planTaskForm>;
