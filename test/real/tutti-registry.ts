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

/** A registry on the loopback that holds our package as npm would pack it, and no other: Tutti depends on none. */
export async function tuttiRegistry(clone: string): Promise<TuttiRegistry> {
  const packed = pack(clone);
  const { name } = packed.manifest;
  const server = await loopbackServer((request, response) => {
    const path = decodeURIComponent(request.url?.split('?')[0] ?? '').slice(1);
    if (path === name) sendJson(response, 200, packument(packed, `${server.origin}/${name}/-.tgz`));
    else if (path === `${name}/-.tgz`) response.end(packed.tarball);
    else sendJson(response, 404, { error: 'not found' });
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
