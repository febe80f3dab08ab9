import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, matchesGlob } from 'node:path';
import { expect, test } from 'vitest';
import { agentClis } from '../src/model/agent-clis.ts';
import { repository } from './rig/repository.ts';
import { tempFolder } from './rig/temp-folder.ts';

/** Files that name an agent CLI, and why they may. Its own folder below `src/drivers` may name it anyway. */
const allowed: Readonly<Record<string, string>> = {
  'src/drivers/registry.ts': 'the one list of CLIs and drivers',
  'src/model/agent-clis.ts': 'names of CLIs: model and help may not load drivers',
  'src/model/{acp,claude,codex,config}.ts': 'types of the configuration',
  'src/model/schemas/{acp,claude,codex,driver}.ts': 'the schema of the configuration',
  'src/model/driver.ts': 'CLAUDE.md is a file of repositories, whichever CLI runs',
  'src/model/trust.ts': 'CLAUDE.md is a file of repositories, whichever CLI runs',
  'src/app/agents/equip.ts': 'CLAUDE.md is a file of repositories, whichever CLI runs',
  'src/cli/commands/agents.ts': 'help names the folder .claude/agents, and may not load drivers',
  'src/lib/package-files.ts': 'names each program that Tutti starts by its source',
  'src/workspace/sandbox.ts': 'CLAUDE_CODE_TMPDIR is a variable of srt, not of the CLI',
  'src/drivers/opencode/*.ts': 'it reads .claude/skills, and takes keys of other vendors',
};

/** Each line of code that names a CLI outside its own folder, as `path:line`. Comments may name any. */
function namingLines(root: string): readonly string[] {
  return globSync('src/**/*.ts', { cwd: root })
    .filter((path) => !path.endsWith('.test.ts'))
    .flatMap((path) => {
      const own = /^src\/drivers\/([^/]+)\//.exec(path)?.[1];
      const others = agentClis.filter((name) => name !== own);
      const lines = withoutComments(readFileSync(join(root, path), 'utf8')).split('\n');
      return lines.flatMap((line, at) =>
        others.some((name) => line.toLowerCase().includes(name)) ? [`${path}:${at + 1}`] : [],
      );
    });
}

function withoutComments(text: string): string {
  return text
    .replaceAll(/\/\*[\s\S]*?\*\//g, (comment) => comment.replaceAll(/[^\n]/g, ''))
    .replaceAll(/(?<=^|\s)\/\/.*$/gm, '');
}

function isAllowed(line: string): boolean {
  const path = line.replace(/:\d+$/, '');
  return Object.keys(allowed).some((pattern) => matchesGlob(path, pattern));
}

test('an agent CLI is named in its own folder, the registry, the schema and nowhere else', () => {
  const lines = namingLines(repository('.'));
  expect(lines.filter((line) => !isAllowed(line))).toEqual([]);
  // An exemption that nothing needs any more would hide the next mistake.
  const unused = Object.keys(allowed).filter(
    (pattern) => !lines.some((line) => matchesGlob(line.replace(/:\d+$/, ''), pattern)),
  );
  expect(unused).toEqual([]);
});

test('the check sees a CLI that is named elsewhere, and leaves comments and its own folder alone', () => {
  using folder = tempFolder();
  const tree = {
    'src/app/bad.ts': `// codex may be named here\nexport const is = (type: string) => type === 'codex';\n`,
    'src/drivers/bad.ts': `/**\n * claude may be named here\n */\nexport const variable = 'CLAUDE_CODE';\n`,
    'src/drivers/gemini/bad.ts': `export const own = 'gemini';\nexport const other = '.opencode/plugin';\n`,
    'src/drivers/codex/good.ts': `export const own = 'codex';\nexport const url = 'https://example.org';\n`,
    'src/app/good.test.ts': `export const name = 'claude';\n`,
  };
  for (const [name, content] of Object.entries(tree)) {
    mkdirSync(dirname(join(folder.path, name)), { recursive: true });
    writeFileSync(join(folder.path, name), content);
  }
  const lines = namingLines(folder.path);
  expect(lines.toSorted()).toEqual([
    'src/app/bad.ts:2',
    'src/drivers/bad.ts:4',
    'src/drivers/gemini/bad.ts:2',
  ]);
  expect(lines.filter(isAllowed)).toEqual([]);
});
