import { lstatSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { fileContract } from '../rig/session-spec.ts';
import { logLines } from '../../src/app/host/log-file.ts';
import { driverOf } from '../../src/drivers/registry.ts';
import { readLog } from '../../src/drivers/turn-log.ts';
import type {
  AgentDriver,
  DriverEvent,
  DriverReader,
  LaunchPlan,
  ProcessEnd,
} from '../../src/model/driver.ts';
import { type SessionSpec, type StopReason, workflowHandoff } from '../../src/model/turn.ts';
import { unknownUsage } from '../../src/model/usage.ts';
import { tempFolder } from '../rig/temp-folder.ts';
import { ended, type Subject } from './subjects/subject.ts';
import { workPromises } from './zero-work.ts';
import { noTrust } from '../rig/trust.ts';

const systemPrompt = 'BLUE HERON is who you are; "$(id)"';
const prompt = "GREEN OTTER; it's `id` -- --flag\nsecond line";

/** The driver itself, as a project would have it. */
export function driverOfSubject({ name, config }: Subject): AgentDriver {
  const found = driverOf(name, { drivers: { [name]: config } }, { projectDir: '/p', searchPath: '' });
  if (!found.ok) throw new Error(found.error.message);
  return found.value;
}

function specOf(name: string, more: Partial<SessionSpec> = {}): SessionSpec {
  return {
    agent: 'coder',
    driver: name,
    tier: 'high',
    systemPrompt,
    prompt,
    workspace: '/w',
    turn: 1,
    continues: null,
    conversation: null,
    result: 'required',
    timeoutMs: 1000,
    priority: 0,
    handoff: workflowHandoff,
    ...more,
  };
}

/** A plan, and every file that making it left in the session's folder. */
interface Planned {
  readonly plan: LaunchPlan;
  readonly files: Readonly<Record<string, string>>;
}

function planned(driver: AgentDriver, dir: string, more: Partial<SessionSpec> = {}): Planned {
  const place = {
    sessionId: 's-2',
    sessionDir: dir,
    contract: fileContract(dir),
    projectDir: '/p',
    trust: noTrust,
  };
  const plan = driver.plan(specOf(driver.name, more), place);
  const files = readdirSync(dir).map((name) => [name, readFileSync(join(dir, name), 'utf8')] as const);
  return { plan, files: Object.fromEntries(files) };
}

function eventsOf(reader: DriverReader, lines: readonly string[]): readonly DriverEvent[] {
  return lines.flatMap((line) => [...reader.line(line)]);
}

/** What ended a process from outside, and what that is called whatever its log says. */
const outside: readonly (readonly [what: string, end: ProcessEnd, stop: StopReason])[] = [
  ['a signal', { exitCode: null, signal: 'SIGSEGV', ended: null }, 'crashed'],
  ['no end that anybody saw', { exitCode: null, signal: null, ended: null }, 'crashed'],
  ['its deadline', { exitCode: null, signal: 'SIGTERM', ended: 'timeout' }, 'timeout'],
  ['its deadline, with exit code 0', { exitCode: 0, signal: null, ended: 'timeout' }, 'timeout'],
  ['a person', { exitCode: 0, signal: null, ended: 'killed' }, 'killed'],
  ['its disk quota', { exitCode: 0, signal: null, ended: 'quota' }, 'over-quota'],
  ['no program', { exitCode: 127, signal: null, ended: null }, 'unavailable'],
  ['a program that may not be run', { exitCode: 126, signal: null, ended: null }, 'unavailable'],
];

/** One promise, and how it is tried. */
export interface Promised {
  readonly what: string;
  readonly keep: () => void;
}

/** The promises that every driver keeps, to be tried on one. */
export function promises(subject: Subject, driver: AgentDriver): readonly Promised[] {
  return [
    ...planPromises(driver),
    ...readPromises(subject, driver),
    ...endPromises(subject, driver),
    ...workPromises(subject, driver),
  ];
}

function planPromises(driver: AgentDriver): readonly Promised[] {
  return [
    {
      what: 'plans the same twice, and leaves nothing but private files in the session folder',
      keep: () => {
        using folder = tempFolder();
        const first = planned(driver, folder.path);
        expect(planned(driver, folder.path)).toEqual(first);
        for (const name of Object.keys(first.files)) {
          const facts = lstatSync(join(folder.path, name));
          expect({ name, file: facts.isFile(), mode: facts.mode & 0o077 }).toEqual({
            name,
            file: true,
            mode: 0,
          });
        }
      },
    },
    {
      what: 'tells the CLI who it is and what to do, and nobody else: not in arguments, not in the environment',
      keep: () => {
        using folder = tempFolder();
        const { plan, files } = planned(driver, folder.path);
        const everybodys = JSON.stringify([plan.argv, plan.env]);
        const own = [plan.stdin, ...Object.values(files).flatMap(withTexts)].join('\n');
        for (const text of ['BLUE HERON', 'GREEN OTTER']) expect(everybodys).not.toContain(text);
        for (const text of [systemPrompt, prompt]) expect(own).toContain(text);
      },
    },
    {
      what: 'starts a program with arguments, and not through a shell',
      keep: () => {
        using folder = tempFolder();
        const { plan } = planned(driver, folder.path);
        expect(plan.argv[0]).not.toMatch(/(?:^|\/)(?:ba|da)?sh$/);
        expect(plan.argv.every((argument) => !argument.includes('\0'))).toBe(true);
      },
    },
  ];
}

function readPromises(
  { good, unknown, usage, conversation }: Subject,
  driver: AgentDriver,
): readonly Promised[] {
  const read = (lines: readonly string[]): readonly DriverEvent[] => eventsOf(driver.reader(), lines);
  return [
    {
      what: 'reads what was said, and the same when it reads it again',
      keep: () => {
        const events = read(good);
        expect(events.some((event) => event.type === 'text' && event.text === 'finished')).toBe(true);
        expect(read(good)).toEqual(events);
      },
    },
    {
      what: 'reads the same from a file',
      keep: () => {
        using folder = tempFolder();
        const path = join(folder.path, 'output.log');
        writeFileSync(path, good.map((line) => `${line}\n`).join(''));
        expect(read([...logLines(path)])).toEqual(read(good));
      },
    },
    {
      what: 'reads two turns side by side as if each were alone',
      keep: () => {
        const [one, two] = [driver.reader(), driver.reader()];
        const both = good.map((line) => [one.line(line), two.line(line)] as const);
        expect(both.flatMap(([events]) => events)).toEqual(read(good));
        expect(both.flatMap(([, events]) => events)).toEqual(read(good));
      },
    },
    {
      what: 'leaves alone what it does not know',
      keep: () => {
        expect(read(unknown)).toEqual([]);
        expect(read(good.flatMap((line) => [...unknown, line]))).toEqual(read(good));
      },
    },
    {
      what: 'tells what it used as a total: reading it again does not double it, and nothing is negative',
      keep: () => {
        const once = readLog(good, driver.reader()).usage;
        expect(once).toEqual(usage ?? unknownUsage);
        expect(readLog(good, driver.reader()).usage).toEqual(once);
        const amounts = read(good).flatMap((event) =>
          event.type === 'usage' ? Object.values(event.usage) : [],
        );
        expect(amounts.every((amount) => amount === null || Number(amount) >= 0)).toBe(true);
      },
    },
    {
      what: 'takes the name of its conversation into the next plan, where it has one',
      keep: () => {
        using folder = tempFolder();
        expect(readLog(good, driver.reader()).conversation).toBe(conversation);
        if (!driver.resumes) return;
        const { plan, files } = planned(driver, folder.path, { continues: 's-1', conversation });
        const places = [...plan.argv, plan.stdin, ...Object.values(files).flatMap(withTexts)].join('\n');
        expect(places).toContain(conversation ?? '');
        expect(places).toContain(prompt);
      },
    },
  ];
}

function endPromises(subject: Subject, driver: AgentDriver): readonly Promised[] {
  const { good, cases, limits, unknown, tellsSuccess } = subject;
  const stopOf = (lines: readonly string[], end: ProcessEnd): StopReason => {
    const reader = driver.reader();
    eventsOf(reader, lines);
    return reader.stop(end);
  };
  const stops = (what: string, lines: readonly string[], end: ProcessEnd, stop: StopReason): Promised => ({
    what: `${what}: ${stop}`,
    keep: () => {
      expect(stopOf(lines, end)).toBe(stop);
    },
  });
  // Where the exit code says all, the log can take nothing away.
  const without = tellsSuccess ? 'failed' : 'finished';
  const last = good.at(-1) ?? '';
  return [
    stops('a turn that went well', good, ended, 'finished'),
    stops('the same with lines of a kind that nobody knows', [...good, ...unknown], ended, 'finished'),
    stops('nothing but such lines', unknown, ended, without),
    stops('a good log with another exit code', good, { ...ended, exitCode: 1 }, 'failed'),
    ...outside.map(([what, end, stop]) => stops(`ended by ${what}`, good, end, stop)),
    ...cases.map(({ what, lines, end, stop }) => stops(what, lines, end, stop)),
    {
      what: 'no line may be missing at the end',
      keep: () => {
        for (let kept = 0; kept < good.length; kept += 1) {
          expect({ kept, stop: stopOf(good.slice(0, kept), ended) }).toEqual({ kept, stop: without });
        }
      },
    },
    {
      what: 'no last line may be torn, wherever it is torn',
      keep: () => {
        for (let length = 0; length < last.length; length += 7) {
          const torn = [...good.slice(0, -1), last.slice(0, length)];
          expect({ length, stop: stopOf(torn, ended) }).toEqual({ length, stop: without });
        }
      },
    },
    ...limits.map(({ what, lines, end, resetAt }) => ({
      what: `${what} is a limit`,
      keep: () => {
        expect(stopOf(lines, end)).toBe('limit');
        expect(readLog(lines, driver.reader()).limit).toEqual({ resetAt });
        expect(stopOf(lines, { ...end, ended: 'killed' })).toBe('killed');
      },
    })),
    {
      what: 'the oracle of the fuzz agrees with all of these',
      keep: () => {
        expect(subject.mayFinish(good)).toBe(true);
        for (const { what, lines, end, stop } of cases) {
          const may = end.exitCode === 0 && subject.mayFinish(lines);
          expect({ what, may }).toEqual({ what, may: stop === 'finished' });
        }
      },
    },
  ];
}

/** A file as it is, and the texts in it where it is JSON: there quotes are escaped. */
function withTexts(content: string): readonly string[] {
  try {
    return [content, ...textsIn(JSON.parse(content))];
  } catch {
    return [content];
  }
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
