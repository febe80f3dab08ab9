import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Writes files into a folder, by path. */
export function write(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
}

/**
 * Every file below a folder with a digest of its bytes, and every folder: what "left as it was" means. The person's own state
 * directory, which is below it where the folder is the home too, is not of the project.
 */
export function contentsOf(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .map((entry) => {
      const path = join(entry.parentPath, entry.name);
      const what = entry.isFile()
        ? createHash('sha256').update(readFileSync(path)).digest('hex').slice(0, 12)
        : 'folder';
      return `${path.slice(folder.length)} ${what}`;
    })
    .filter((line) => !/(?:^|\/)\.local[/ ]/.test(line))
    .toSorted();
}

/** Three steps, one of which asks a person. */
export const asking = `
name: asking
steps:
  - { id: build, command: [echo, built] }
  - id: approve
    needs: [build]
    command: [echo, ready]
    gates: [{ approval: May it go out? }]
  - { id: ship, needs: [approve], command: [echo, shipped] }
`;

/** Ends at once, well. */
export const quick = `
name: quick
steps:
  - { id: one, command: [echo, 'one'] }
  - { id: two, needs: [one], command: [echo, 'two'] }
`;

/** Fails as long as there is no file \`go\`. */
export const failing = `
name: failing
steps:
  - { id: fine, command: [echo, fine] }
  - { id: broken, command: [sh, -c, 'echo the disk is made of cheese; test -e go'] }
  - { id: later, needs: [broken], command: [echo, later] }
`;
