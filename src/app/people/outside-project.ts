import { join } from 'node:path';
import { appendText, makePrivateFolder } from '../../lib/atomic-file.ts';
import { auditText } from '../../model/audit.ts';
import type { CallerFacts } from '../../model/ports/caller.ts';
import type { DecisionPlace } from './decide.ts';

/** Where decisions about a folder are made that need not be a project: their audit is a file in the user's state directory. */
export function outsideProject(caller: CallerFacts, root: string): DecisionPlace {
  return {
    caller,
    clock: { wall: Date.now },
    paths: { root },
    store: {
      note: async (_run, event) => {
        const { home } = caller.user;
        if (home === null) return;
        const folder = join(home, '.local', 'state', 'tutti');
        try {
          makePrivateFolder(folder);
          appendText(join(folder, 'decisions.log'), auditText(Date.now(), event));
        } catch {
          // What cannot be written here cannot be decided here either: trust and delegations lie in the same folder.
        }
      },
    },
  };
}
