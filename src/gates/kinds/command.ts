import { type CommandEnd, judgeCommand } from '../../model/command.ts';
import type { GateSpec } from '../../model/flow.ts';
import type { GateEvidence } from '../../model/gate.ts';

/** A command passes; whoever holds the power to run it has done so. `name`: what people know it by. */
export function commandGate(
  { argv }: Pick<Extract<GateSpec, { kind: 'command' }>, 'argv'>,
  end: CommandEnd,
  name = argv.join(' '),
): GateEvidence {
  const { problem, words } = judgeCommand(end);
  const { exitCode, timedOut, outputTail: output, log } = end;
  return {
    gate: 'command',
    passed: problem === null,
    ...(problem === null ? {} : { problem }),
    finding: `\`${name}\` ${words}`,
    evidence: { argv, exit_code: exitCode, timed_out: timedOut, output, ...(log === null ? {} : { log }) },
  };
}
