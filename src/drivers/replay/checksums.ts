import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { contentAddress } from '../../lib/digest.ts';

const files = [
  ['SPEC_SHA256', 'inputs/spec.md'],
  ['CAPABILITY_MAP_SHA256', 'artifacts/capability-map.json'],
] as const;

/** What an agent of a plan would ask `sha256sum` for: of the files as they are when its turn begins. */
export function checksums(planDir: string): readonly (readonly [name: string, value: string])[] {
  if (planDir === '') return [];
  return files.flatMap(([name, file]) => {
    try {
      return [[name, contentAddress(readFileSync(join(planDir, file), 'utf8'))] as const];
    } catch {
      return [];
    }
  });
}
