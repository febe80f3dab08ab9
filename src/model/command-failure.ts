import { type CommandEnd, judgeCommand } from './command.ts';
import { failure, type Failure } from './failure.ts';

/** The failure of a step whose command did not pass; null: it passed. */
export function failureOfCommand(argv: readonly string[], end: CommandEnd): Failure | null {
  const { problem, words } = judgeCommand(end);
  if (problem === null) return null;
  const message = `\`${argv.join(' ').slice(0, 120)}\` ${words}`;
  const why = problem === 'unavailable' && end.lastLine !== '' ? `: ${end.lastLine}` : '';
  return failure(problem, `${message}${why}`, { evidence: { output: end.outputTail, log: end.log } });
}
