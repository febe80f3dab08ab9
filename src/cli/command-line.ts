import { run } from '@stricli/core';
import { errorCode } from '../lib/error-code.ts';
import { isMachineTrouble } from '../lib/machine-trouble.ts';
import { exitCodeOf } from '../model/outcome.ts';
import { nearest } from '../lib/nearest.ts';
import { loadApplication } from './application.ts';
import { asksForJson, expandShortcut, rewritten } from './arguments-line.ts';
import { commandNames, knownCommands, partNames } from './commands.ts';
import type { Context } from './context.ts';
import { fail } from './fail.ts';
import { fullOverview } from './help/overview.ts';
import { findTopic, topicNames } from './help/topics.ts';
import { knownAs } from './known-names.ts';
import { Misuse } from './misuse.ts';
import { isConfined, relayLine } from './command-relay-line.ts';

/** Runs one command line and says with which code the process should end. An answer that could not be written is no success. */
export async function runCommandLine(args: readonly string[], context: Context): Promise<number> {
  const code = await answerCommandLine(args, context);
  const problem = await context.screen.writeProblem();
  if (code !== 0 || problem === null) return code;
  const message = `standard output cannot be written: ${problem}`;
  const hint = 'write the output to another place; the rest of the command ran';
  return exitCodeOf(fail(context, { outcome: 'FAILURE', message, hint }, asksForJson(args)));
}

async function answerCommandLine(args: readonly string[], context: Context): Promise<number> {
  if (args[0] === '__complete' && !isConfined(context)) {
    const { complete } = await import('./completions/propose.ts');
    await complete(context, args.slice(1));
    return 0;
  }
  try {
    const topic = askedTopic(args);
    if (topic !== null) {
      const { printTopic } = await import('./help/print-topic.ts');
      return exitCodeOf(printTopic(context, topic, asksForJson(args)));
    }
    if (args[0] === 'help' && args.length === 2 && args[1] === '--all') {
      context.process.stdout.write(fullOverview());
      return 0;
    }
    const asksHelp = args[0] === 'help';
    const words = expandShortcut(asksHelp ? args.slice(1) : args);
    const line = asksHelp
      ? [...words, '--help']
      : rewritten(words, context.folder, partNames.get('plan') ?? []);
    const code = asksHelp ? null : await relayLine(line, context);
    if (code !== null) return code;
    await run(await loadApplication(line), line, context);
    return Number(context.process.exitCode ?? 0);
  } catch (error) {
    const json = asksForJson(args);
    if (error instanceof Misuse)
      return exitCodeOf(fail(context, { outcome: 'USAGE', ...explained(error, args) }, json));
    return exitCodeOf(fail(context, unexpected(error, context), json));
  }
}

/** `tutti help WORD` where WORD is a page and no command. A word that is neither is refused with the nearest of both. */
function askedTopic(args: readonly string[]): string | null {
  const [first, ...rest] = args;
  const [word, ...more] = rest.filter((arg) => !arg.startsWith('-'));
  if (first !== 'help' || word === undefined || more.length > 0 || knownCommands.includes(word)) return null;
  const topic = findTopic(word);
  if (topic !== null) return topic;
  const meant = knownAs(word, null) ?? nearest(word, [...commandNames, ...topicNames()]);
  const message = `there is no help on '${word}'`;
  throw new Misuse(
    meant === null ? message : `${message}; did you mean '${meant}'?`,
    null,
    'see all topics: tutti help topics',
  );
}

function explained(
  misuse: Misuse,
  args: readonly string[],
): { readonly message: string; readonly hint: string } {
  const { message, unknownCommand, hint: known } = misuse;
  if (known !== null) return { message, hint: known };
  const [command = '', part = ''] = expandShortcut(args).filter((arg) => !arg.startsWith('-'));
  const parts = partNames.get(command);
  if (unknownCommand === null) {
    if (command === 'session' && message === 'ID is missing')
      return { message, hint: `name one (tutti session list), or the newest: tutti session ${part} last` };
    const whole = parts?.includes(part) === true ? `${command} ${part}` : command;
    return { message, hint: `see how it is used: tutti ${whole} --help` };
  }
  const within = parts !== undefined && unknownCommand !== command;
  const names = within ? parts : commandNames;
  // Who stopped typing too early is nearer to the beginning of a name than to its letters.
  const begun = names.filter((name) => name.startsWith(unknownCommand));
  const meant =
    knownAs(unknownCommand, within ? command : null) ??
    (begun.length === 1 ? (begun[0] ?? null) : nearest(unknownCommand, names));
  // `tutti plan SPEC` takes a file, and this word is near no command.
  if (within && command === 'plan' && meant === null && !unknownCommand.startsWith('-')) {
    const neither = `the specification ${unknownCommand} does not exist, and there is no command 'plan ${unknownCommand}'`;
    return { message: neither, hint: 'check the path: tutti plan FILE; see the commands: tutti plan --help' };
  }
  const hint = within ? `see how it is used: tutti ${command} --help` : 'see all commands: tutti --help';
  return { message: meant === null ? message : `${message}; did you mean '${meant}'?`, hint };
}

/** A bug, or the machine's fault. The stack helps only who can read it. */
function unexpected(error: unknown, { env }: Context) {
  const cause = error instanceof Error ? error : new Error(String(error));
  if (isMachineTrouble(error) || /^(?:EACCES|EPERM)$/.test(errorCode(error))) {
    const hint = 'see what is wrong there: tutti doctor --all, then again';
    return { outcome: 'UNAVAILABLE', message: cause.message, hint } as const;
  }
  const refusal = { outcome: 'FAILURE', message: cause.message } as const;
  return env['TUTTI_DEBUG'] === '1' && cause.stack !== undefined
    ? { ...refusal, hint: 'report it with these lines: it is a fault of Tutti', detail: cause.stack }
    : { ...refusal, hint: 'see where it happened: type it again after TUTTI_DEBUG=1' };
}
