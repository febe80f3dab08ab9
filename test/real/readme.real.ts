import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { repository } from '../rig/repository.ts';
import { tempFolder } from '../rig/temp-folder.ts';
import { outsideTmp } from './cli-place.ts';
import { type CliName, cliTools, cliWorlds } from './cli-tools.ts';
import { ordinaryModel, type Solution } from './ordinary-model.ts';
import { programOf } from './program-of.ts';
import { tuttiRegistry } from './tutti-registry.ts';

/*
 * The README's own commands, from an empty home: installed as it says, then typed one after the other in a new repository, in
 * an existing Node repository whose node_modules are ignored, and in a Python one. No file is edited by hand.
 */

const readme = readFileSync(repository('README.md'), 'utf8');

/** Lines of the first block of commands below a heading. */
function commandsBelow(heading: string): readonly string[] {
  const [, rest = ''] = readme.split(`\n## ${heading}\n`);
  const block = /```sh\n([\s\S]*?)\n```/.exec(rest)?.[1] ?? '';
  return block.split('\n').filter((line) => line !== '');
}

type Variables = Readonly<Record<string, string>>;

interface End {
  readonly code: number;
  readonly out: string;
}

/** As a person types it: in a shell. */
function type(command: string, cwd: string, env: Variables): Promise<End> {
  return new Promise((resolve) => {
    execFile('sh', ['-c', command], { cwd, env, maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === 'number' ? error.code : 1;
      resolve({ code, out: `${stdout}${stderr}` });
    });
  });
}

/** Without a terminal, planning ends with 3: the plan waits for a person, who approves it with the next line. */
async function typed(command: string, cwd: string, env: Variables): Promise<string> {
  const { code, out } = await type(command, cwd, env);
  expect(code, `${command}\n${out}`).toBe(command.startsWith('tutti plan SPEC.md') ? 3 : 0);
  return out;
}

const folder = tempFolder();
const root = realpathSync(folder.path);
const prefix = join(root, 'prefix');
const system = '/usr/local/bin:/usr/bin:/bin';

/** How this machine reaches the registry: the one thing that an empty home has to take from it. */
const network = Object.fromEntries(
  Object.entries(process.env).flatMap(([name, value]) =>
    /^(?:NODE_EXTRA_CA_CERTS|SSL_CERT_\w+|(?:https?|no)_proxy)$/i.test(name) && value !== undefined
      ? [[name, value]]
      : [],
  ),
);

/** The person's own npm settings, which may name a registry or a certificate. */
const npmSettings = { npm_config_userconfig: join(process.env['HOME'] ?? '', '.npmrc') };

function person(home: string, more: Variables = {}): Variables {
  return {
    PATH: `${prefix}/bin:${dirname(process.execPath)}:${system}`,
    HOME: home,
    LANG: 'C.UTF-8',
    TERM: 'dumb',
    ...more,
  };
}

beforeAll(async () => {
  const [clone, home] = [join(root, 'clone'), join(root, 'installer')];
  mkdirSync(home);
  await typed(`git clone -q ${repository('.')} ${clone}`, root, person(home));
  const [line = ''] = commandsBelow('Install');
  // The Node of the machine, whichever that is: the build brings its own.
  const env = { ...person(home, network), PATH: system, npm_config_prefix: prefix, ...npmSettings };
  await typed(line, clone, env);
}, 600_000);

afterAll(() => {
  folder[Symbol.dispose]();
});

const quote = 'A function slugify(text) that turns a title into a URL slug, with tests.';
const spec = `${quote}\n`;
const esm = `export function slugify(text) {
  return text.toLowerCase().split(/[^a-z0-9]+/).filter((word) => word !== '').join('-');
}
`;
const jsTest = `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { slugify } from '../src/slugify.js';

test('a title becomes a slug', () => {
  assert.equal(slugify('Hello, World!'), 'hello-world');
});
`;

interface Repository {
  readonly solution: Solution;
  readonly files: Readonly<Record<string, string>>;
  /** Typed in the repository before Tutti is. */
  readonly prepare: string;
  /** Its tests, after landing. */
  readonly check: string;
}

const node = {
  spec,
  quote,
  sources: [['src/slugify.js', esm]],
  tests: [['test/slugify.test.js', jsTest]],
  verification: 'node --test test/slugify.test.js',
} as const;

const manifest = JSON.stringify({
  name: 'shop',
  version: '1.0.0',
  type: 'module',
  scripts: { test: 'node --test' },
});
const lock = JSON.stringify({
  name: 'shop',
  version: '1.0.0',
  lockfileVersion: 3,
  requires: true,
  packages: { '': { name: 'shop', version: '1.0.0' } },
});

const repositories: Readonly<Record<string, Repository>> = {
  'a new repository': {
    solution: { ...node, sources: [['package.json', '{"type":"module"}\n'], ...node.sources] },
    files: {},
    prepare: 'true',
    check: 'node --test',
  },
  'a Node repository with ignored node_modules': {
    solution: node,
    files: {
      'package.json': manifest,
      'package-lock.json': lock,
      '.gitignore': 'node_modules/\n',
      'src/price.js': 'export const price = 3;\n',
      'test/price.test.js': `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { price } from '../src/price.js';

test('there is a price', () => {
  assert.equal(price, 3);
});
`,
    },
    prepare: 'npm ci',
    check: 'npm test',
  },
  'a Python repository': {
    solution: {
      spec,
      quote,
      sources: [
        [
          'slugs.py',
          'import re\n\n\ndef slugify(text):\n    return "-".join(re.findall("[a-z0-9]+", text.lower()))\n',
        ],
      ],
      tests: [
        [
          'tests/test_slugs.py',
          'import unittest\n\nfrom slugs import slugify\n\n\nclass Slugs(unittest.TestCase):\n    def test_title(self):\n        self.assertEqual(slugify("Hello, World!"), "hello-world")\n',
        ],
      ],
      verification: 'python3 -m unittest tests.test_slugs',
    },
    files: {
      'price.py': 'PRICE = 3\n',
      'tests/__init__.py': '',
      'tests/test_price.py':
        'import unittest\n\nfrom price import PRICE\n\n\nclass Price(unittest.TestCase):\n    def test_price(self):\n        self.assertEqual(PRICE, 3)\n',
      '.gitignore': '__pycache__/\n',
    },
    prepare: 'true',
    check: 'python3 -m unittest',
  },
};

const cells = (['claude', 'codex'] as const).flatMap((cli) =>
  Object.keys(repositories).map((name): readonly [CliName, string] => [cli, name]),
);

test.for(cells)(
  'the README leads to landed work with %s in %s',
  { timeout: 600_000 },
  async ([cli, name]) => {
    const { program } = await programOf(cli);
    const { solution, files, prepare, check } = repositories[name] as Repository;
    using place = tempFolder(outsideTmp);
    const at = (path: string): string => join(realpathSync(place.path), path);
    for (const path of ['bin', 'home', 'project']) mkdirSync(at(path));
    symlinkSync(program, join(at('bin'), cli));
    await using world = await cliWorlds[cli](at('home'), ordinaryModel(cliTools[cli], solution));
    const base = person(at('home'), world.env);
    const env = { ...base, PATH: `${at('bin')}:${base['PATH'] ?? ''}` };
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(dirname(join(at('project'), path)), { recursive: true });
      writeFileSync(join(at('project'), path), content);
    }
    const who = '-c user.name=ann -c user.email=ann@localhost';
    const begin = `git init -q && git add -A && git ${who} commit -q --allow-empty -m Begin`;
    await typed(begin, at('project'), env);
    await typed(prepare, at('project'), env);
    const lines = commandsBelow('With Claude Code').map((line) =>
      // The one flag that a script needs: the repository has commands of its own.
      line
        .replace('--driver claude', `--driver ${cli}`)
        .replace('tutti plan SPEC.md', 'tutti plan SPEC.md --trust'),
    );
    expect(lines.length).toBeLessThanOrEqual(10);
    expect(lines.filter((line) => line.includes('--trust'))).toHaveLength(1);
    for (const line of lines) await typed(line, at('project'), env);
    const source = solution.sources.at(-1)?.[0] ?? '';
    expect(await typed('git log --format=%s', at('project'), env)).toContain('Slugify a title');
    expect(await typed('git ls-files', at('project'), env)).toContain(source);
    await typed(check, at('project'), env);
  },
);

test('npm i -g tutti installs the program from a registry that holds our tarball', {
  timeout: 300_000,
}, async () => {
  expect(readme).toContain('`npm i -g tutti`');
  using place = tempFolder();
  const home = realpathSync(place.path);
  await using registry = await tuttiRegistry(join(root, 'clone'));
  const env = { ...person(home), npm_config_prefix: join(home, 'prefix'), npm_config_registry: registry.url };
  await typed('npm i -g tutti', home, env);
  expect(await typed(`${join(home, 'prefix/bin/tutti')} help topics`, home, env)).toContain('planning');
});
