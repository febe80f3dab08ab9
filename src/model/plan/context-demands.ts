import { runsCommand } from './validate-criteria.ts';

const demanded = 'must pass afterwards';
const waived = 'need not pass: a person chose to continue without it';
const demand = new RegExp(`^- \`(.*)\` (?:${demanded}|${waived})$`, 'gm');

/** The demand of a project's context that one of its commands keeps passing. */
export function demandLine(command: string): string {
  return `- \`${command}\` ${demanded}`;
}

/** A project's context that demands exactly the commands that a person did not choose to continue without. */
export function contextWithout(context: string, without: readonly string[]): string {
  return context.replaceAll(demand, (_, command: string) => {
    const isWaived = without.some((each) => runsCommand(command, each));
    return isWaived ? `- \`${command}\` ${waived}` : demandLine(command);
  });
}
