import type { StricliProcess } from '@stricli/core';
import { Redactor } from '../lib/redact.ts';
import { secretsIn } from '../model/secret-names.ts';
import type { Environment } from '../app/opened-project.ts';

/** Standard output and error without secrets. Raw bytes go another way, for who asks for just that. */
export interface ProtectedProcess {
  readonly process: StricliProcess;
  /** From now on, with what a project says is secret. */
  readonly protect: (redactor: Redactor) => void;
}

/** Before a project is opened, what sounds secret in the environment is all that is known. */
export function protectedProcess(real: StricliProcess, env: Environment): ProtectedProcess {
  let redactor: Redactor | null = null;
  const clean = (text: string): string => {
    redactor ??= new Redactor(secretsIn(env, []));
    return redactor.text(text);
  };
  return {
    process: {
      ...real,
      stdout: { ...real.stdout, write: (text) => real.stdout.write(clean(text)) },
      stderr: { ...real.stderr, write: (text) => real.stderr.write(clean(text)) },
    },
    protect: (next) => {
      redactor = next;
    },
  };
}
