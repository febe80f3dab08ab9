import type { DriverForm } from '../../model/config.ts';
import { type DriverDefinition, obeysNobody, unknownProgram } from '../driver-definition.ts';
import { missingCassette } from './capabilities.ts';
import { planReplay } from './launch.ts';
import { replayReader } from './parse.ts';

export function defineReplay({ cassette }: Extract<DriverForm, { type: 'replay' }>): DriverDefinition {
  return {
    ...unknownProgram,
    program: { kind: 'player' },
    commands: [],
    files: [cassette],
    agent: (name) => ({
      name,
      steering: 'none',
      resumes: false,
      tellsTools: true,
      tellsUsage: 'cost',
      ...obeysNobody,
      missing: () => missingCassette(cassette),
      plan: (spec) => planReplay(cassette, spec),
      interactive: () => null,
      reader: replayReader,
    }),
  };
}
