import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { Clone } from './clone.ts';
import type { Person } from './person.ts';

const fires = ['session', 'create', 'coder', '../task.md'] as const;

/** A claude of the archive's own, which leaves a canary. */
function unpackClaude(person: Person, folder: string): void {
  const text = `#!/bin/sh\necho planted claude >> '${person.canary}'\necho 9.9.9\n`;
  person.program(join(person.place, folder), 'claude', text);
}

/** Unpacked folders without git that have a program in the place of the person's own. */
export const archives: readonly Clone[] = [
  {
    name: 'is an archive without git that has claude in a folder of PATH',
    kind: 'archive',
    fires,
    folder: ({ place }) => join(place, 'archive'),
    make: (person) => {
      unpackClaude(person, 'archive/bin');
      person.putOnPath(join(person.place, 'archive/bin'));
    },
  },
  {
    name: 'is an archive with a tutti.yaml, entered below it, that has claude in a folder of PATH',
    kind: 'archive with a project',
    fires,
    folder: ({ place }) => join(place, 'archive/doc'),
    make: (person) => {
      unpackClaude(person, 'archive/bin');
      person.write('archive/tutti.yaml', JSON.stringify({ max_sessions: 2 }));
      person.write('archive/task.md', 'Do it.\n');
      person.write('archive/doc/README.md', 'Read it.\n');
      person.putOnPath(join(person.place, 'archive/bin'));
    },
  },
  {
    name: "is an archive that a link in the person's own folder of PATH leads into",
    kind: 'link into an archive',
    fires,
    folder: ({ place }) => join(place, 'archive'),
    make: (person) => {
      unpackClaude(person, 'archive/tools');
      mkdirSync(join(person.place, 'own'));
      symlinkSync(join(person.place, 'archive/tools/claude'), join(person.place, 'own/claude'));
      person.putOnPath(join(person.place, 'own'));
    },
  },
];
