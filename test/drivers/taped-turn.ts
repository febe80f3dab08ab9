import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { logLines } from '../../src/app/host/log-file.ts';
import type { CreateRequest } from '../../src/app/session-control/request.ts';
import type { Tutti } from '../../src/app/tutti.ts';
import { driverOf } from '../../src/drivers/registry.ts';
import type { DriverEvent } from '../../src/model/driver.ts';
import { cassetteForm, type CassetteTurn } from '../../src/model/schemas/cassette.ts';
import { readForm } from '../../src/model/schemas/yaml-document.ts';
import { isTerminal } from '../../src/model/session.ts';
import { until } from '../rig/attempt-rig.ts';
import { trustProject } from '../rig/trust.ts';
import type { SessionProject } from '../sessions/project.ts';

/** What a turn did, as everybody outside it sees it; its own id is `ID` there. */
interface Seen {
  readonly status: string;
  readonly outcome: string;
  readonly exitCode: number | null;
  readonly usage: unknown;
  readonly events: readonly DriverEvent[];
  /** Name, mode and content. */
  readonly files: readonly (readonly [string, number, string])[];
  readonly result: string | null;
}

/** A session of that driver in a fresh workspace `work`, from its creation to its end. */
export async function tapedTurn(
  rig: SessionProject,
  tutti: Tutti,
  prompt: string,
  change: Partial<CreateRequest>,
): Promise<{ readonly id: string; readonly seen: Seen }> {
  const work = join(rig.path, 'work');
  rmSync(work, { recursive: true, force: true });
  mkdirSync(work);
  writeFileSync(join(work, 'old.txt'), 'old');
  writeFileSync(join(work, 'kept.txt'), 'kept');
  // A cassette that was added to is another one than the person trusted.
  trustProject(rig.path, tutti.env);
  const { id } = await rig.create(tutti, prompt, { cwd: work, ...change });
  await until(`${id} is over`, async () =>
    isTerminal((await tutti.queries.sessions.one(id))?.status ?? 'CREATED'),
  );
  const { status, exitCode, outcome, usage } = (await tutti.queries.sessions.one(id)) ?? {};
  const found = driverOf(change.driver ?? '', tutti.config, { projectDir: rig.path, searchPath: '' });
  if (!found.ok) throw new Error(found.error.message);
  const reader = found.value.reader();
  const log = join(rig.path, '.tutti/sessions', id, 'output.log');
  const events = [...logLines(log)].flatMap((line) => [...reader.line(line)]);
  const seen = { status, exitCode, outcome, usage, events, files: filesIn(work), result: resultOf(rig, id) };
  return { id, seen: JSON.parse(JSON.stringify(seen).replaceAll(id, 'ID')) as Seen };
}

export function tapedTurns(rig: SessionProject): readonly CassetteTurn[] {
  const form = readForm(cassetteForm, readFileSync(join(rig.path, 'tapes/x.yaml'), 'utf8'), 'x.yaml');
  if (!form.ok) throw new Error(JSON.stringify(form.error));
  return form.value.turns;
}

export function filesIn(folder: string): Seen['files'] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .toSorted()
    .map(
      (path) =>
        [path.slice(folder.length + 1), statSync(path).mode & 0o777, readFileSync(path, 'latin1')] as const,
    );
}

/** As a value, where it is one: how it is set out is no matter. */
function resultOf(rig: SessionProject, id: string): string | null {
  try {
    const text = rig.file(id, 'result.json');
    try {
      return JSON.stringify(JSON.parse(text));
    } catch {
      return text;
    }
  } catch {
    return null;
  }
}
