import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { repository } from '../rig/repository.ts';

const execute = promisify(execFile);

export interface Packed {
  readonly tarball: string;
  /** Paths in the tarball. */
  readonly packed: readonly string[];
}

/** Packs the repository as it was built. */
export async function packRepository(destination: string): Promise<Packed> {
  // Without scripts: `prepack` builds anew, under the feet of every test that runs beside this one.
  const pack = ['pack', '--ignore-scripts', '--json', '--pack-destination', destination];
  const [report] = JSON.parse(await npm(repository('.'), pack)) as {
    readonly filename: string;
    readonly files: readonly { readonly path: string }[];
  }[];
  if (report === undefined) throw new Error('npm packed nothing');
  return { tarball: join(destination, report.filename), packed: report.files.map(({ path }) => path) };
}

/** The variables of an npm that runs these tests would steer this one. */
export async function npm(cwd: string, args: readonly string[]): Promise<string> {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name)));
  const { stdout } = await execute('npm', [...args], { cwd, env, maxBuffer: 16 * 1024 * 1024 });
  return stdout;
}
