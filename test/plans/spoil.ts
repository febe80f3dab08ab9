import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isObject, type Json, parsed } from '../../src/lib/json.ts';
import { textOf } from './good-plan.ts';

/** A written plan and its target, and ways to spoil them. */
export class Spoiler {
  readonly planDir: string;
  readonly targetDir: string;

  constructor(folder: string) {
    this.planDir = join(folder, 'plan');
    this.targetDir = join(folder, 'target');
  }

  /** One member of a document, by its path: `files.0.path`. */
  set(file: string, path: string, value: Json): void {
    this.#edit(file, (document) => changed(document, path.split('.'), value));
  }

  remove(file: string, path: string): void {
    this.#edit(file, (document) => changed(document, path.split('.'), undefined));
  }

  /** The text of a file, as nobody's JSON writer would write it. */
  replace(file: string, from: string, to: string): void {
    const text = readFileSync(this.#at(file), 'utf8');
    if (!text.includes(from)) throw new Error(`${file} has no ${from}`);
    writeFileSync(
      this.#at(file),
      text.replace(from, () => to),
    );
  }

  write(file: string, content: string | Uint8Array): void {
    writeFileSync(this.#at(file), content);
  }

  copy(from: string, to: string): void {
    this.write(to, readFileSync(this.#at(from)));
  }

  delete(file: string): void {
    rmSync(this.#at(file), { recursive: true });
  }

  folderInstead(file: string): void {
    rmSync(this.#at(file), { recursive: true });
    mkdirSync(this.#at(file));
  }

  /** The file is moved out of the plan and a link left in its place: what is read would be the same. */
  linkInstead(file: string): void {
    const away = join(dirname(this.planDir), `away-${file.replaceAll('/', '-')}`);
    mkdirSync(dirname(away), { recursive: true });
    writeFileSync(away, readFileSync(this.#at(file)));
    rmSync(this.#at(file));
    symlinkSync(away, this.#at(file));
  }

  inTarget(file: string, content = 'x'): void {
    mkdirSync(dirname(join(this.targetDir, file)), { recursive: true });
    writeFileSync(join(this.targetDir, file), content);
  }

  #at(file: string): string {
    return join(this.planDir, file);
  }

  #edit(file: string, change: (document: Json) => Json): void {
    this.write(file, textOf(change(parsed(readFileSync(this.#at(file), 'utf8')))));
  }
}

/** `undefined` takes the member away. Members keep their places. */
function changed(value: Json, [name = '', ...rest]: readonly string[], to: Json | undefined): Json {
  const member = new Map<string, Json>(Object.entries(value ?? {})).get(name);
  const next = rest.length === 0 ? to : changed(member ?? {}, rest, to);
  if (isObject(value)) {
    const all: Record<string, Json | undefined> = { ...value, [name]: next };
    return parsed(JSON.stringify(all));
  }
  const items = Array.isArray(value) ? Object.values(value) : [];
  if (next === undefined) return items.toSpliced(Number(name), 1);
  return name === 'end' ? [...items, next] : items.with(Number(name), next);
}
