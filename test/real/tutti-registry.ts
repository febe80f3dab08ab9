import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loopbackServer, sendJson } from '../rig/loopback-server.ts';
import { tempFolder } from '../rig/temp-folder.ts';

interface Packed {
  readonly manifest: { readonly name: string; readonly version: string };
  readonly tarball: Buffer;
}

export interface TuttiRegistry extends AsyncDisposable {
  readonly url: string;
}

/** A registry on the loopback that holds our package and what it depends on, each as npm would pack it. */
export async function tuttiRegistry(clone: string): Promise<TuttiRegistry> {
  const { dependencies = {} } = JSON.parse(readFileSync(join(clone, 'package.json'), 'utf8')) as {
    readonly dependencies?: Readonly<Record<string, string>>;
  };
  const folders = [clone, ...Object.keys(dependencies).map((name) => join(clone, 'node_modules', name))];
  const packed = new Map(folders.map(pack).map((each) => [each.manifest.name, each]));
  const server = await loopbackServer((request, response) => {
    const path = decodeURIComponent(request.url?.split('?')[0] ?? '').slice(1);
    const tarball = packed.get(path.replace(/\/-\.tgz$/, ''));
    if (tarball === undefined) sendJson(response, 404, { error: 'not found' });
    else if (path.endsWith('/-.tgz')) response.end(tarball.tarball);
    else sendJson(response, 200, packument(tarball, `${server.origin}/${path}/-.tgz`));
  });
  return { url: server.origin, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

/** Without scripts: the clone was built when it was installed from. */
function pack(folder: string): Packed {
  using place = tempFolder();
  const args = ['pack', '--ignore-scripts', '--silent', '--pack-destination', place.path, folder];
  const file = execFileSync('npm', args, { cwd: place.path, encoding: 'utf8' }).trim();
  return {
    manifest: JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Packed['manifest'],
    tarball: readFileSync(join(place.path, file)),
  };
}

function packument({ manifest, tarball }: Packed, url: string): object {
  const integrity = `sha512-${createHash('sha512').update(tarball).digest('base64')}`;
  const { name, version } = manifest;
  return {
    name,
    'dist-tags': { latest: version },
    versions: { [version]: { ...manifest, dist: { tarball: url, integrity } } },
  };
}
