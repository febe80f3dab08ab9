import type { Variables } from '../../drivers/environment.ts';
import { defineDriver, findWorkingDriver, knownClis } from '../../drivers/registry.ts';
import { listWords } from '../../lib/word-list.ts';
import type { Config } from '../../model/config.ts';
import {
  type AgentProgram,
  chooseSandbox,
  refuseUnlimited,
  type SandboxChoice,
} from '../../model/sandbox.ts';
import type { SessionSpec } from '../../model/turn.ts';
import { isReadOnly, turnTools } from '../../model/turn-tools.ts';
import { bubbleProblem } from '../../workspace/bubble-probe.ts';
import { sandboxProblem } from '../../workspace/sandbox.ts';

interface Known {
  readonly config: Pick<Config, 'sandbox' | 'drivers'>;
  readonly env: Variables;
}

/** Of a turn, what decides its sandbox. */
export type AgentTurn = Pick<SessionSpec, 'driver' | 'role' | 'tools'>;

/** The sandbox of one agent's turns. */
export function findSandbox({ config, env }: Known, turn: AgentTurn): SandboxChoice {
  const driver = findWorkingDriver(config, turn.driver);
  return chooseSandbox(config.sandbox, {
    program: driver?.program ?? { kind: 'program', obeysTools: false },
    readsOnly: isReadOnly(turnTools(turn)),
    bubbleProblem: () => bubbleProblem(env['PATH']),
  });
}

/** Why an agent may not start here: its sandbox is missing, or nothing else can hold it to its tools. Null: it may. */
export function findSandboxProblem(known: Known, turn: AgentTurn): string | null {
  return (
    sandboxProblem(known.config.sandbox, known.env['PATH']) ??
    refuseUndeniable(known.config, turn) ??
    refuseUnlimited(findSandbox(known, turn))
  );
}

/** The refusal of an agent that may write and has no `Bash`, where nothing can keep its program from running commands. */
function refuseUndeniable(config: Known['config'], turn: AgentTurn): string | null {
  const { writes, runs } = turnTools(turn);
  const driver = findWorkingDriver(config, turn.driver);
  if (runs || writes === 'scratch' || driver === null) return null;
  return deniesCommands(driver.program)
    ? null
    : `its tools name Edit or Write but not Bash, and nothing can keep driver ${turn.driver} from running commands: add Bash to the agent's tools, or use ${listWords(denyingClis(), 'or')}`;
}

/** Whether a program that a driver runs can be kept from running commands. */
function deniesCommands(program: AgentProgram): boolean {
  return program.kind === 'cli' ? program.deniesCommands : program.kind === 'player' || program.obeysTools;
}

function denyingClis(): readonly string[] {
  return knownClis.flatMap(({ name, driver }) => {
    const definition = defineDriver(driver);
    return definition !== null && deniesCommands(definition.program) ? [name] : [];
  });
}
