import type { AcpDriver } from '../../model/acp.ts';
import type { CliDefinition } from '../cli-definition.ts';
import type { Preset } from './preset.ts';

/** A setup with what is known about the agent that it names; of an agent by its bare command nothing is known. */
export interface AcpSetup extends Omit<AcpDriver, 'agent'> {
  readonly agent: KnownAgent | { readonly command: readonly [string, ...string[]] };
}

export interface KnownAgent {
  readonly preset: Preset;
  readonly cli: CliDefinition;
  /** The preset's, unless the operator named another one. */
  readonly program: string;
}
