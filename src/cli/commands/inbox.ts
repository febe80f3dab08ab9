import { waitingAtTerminals } from '../../app/sessions/waiting-at-terminals.ts';
import { findOpenQuestions } from '../../app/status/open-questions.ts';
import { instant } from '../../app/status/run-status.ts';
import { oneLine } from '../../lib/terminal-text.ts';
import type { Outcome } from '../../model/outcome.ts';
import { findAsker, type OpenQuestion } from '../../model/question.ts';
import type { Context } from '../context.ts';
import { defineCommand, jsonFlag, type JsonFlag } from '../define-command.ts';
import { printJson, printLines } from '../print.ts';
import { readProject, removedLines } from '../read-project.ts';
import { questionLines } from '../render/question-lines.ts';
import { painter } from '../render/style.ts';
import { glyphs } from '../../lib/glyphs.ts';

export const command = defineCommand<JsonFlag, []>({
  reads: true,
  parameters: { flags: { json: jsonFlag } },
  about: 'Lists open questions, oldest first, with options, age and the command that answers each.',
  examples: [
    ['tutti inbox', 'list open questions'],
    ['tutti inbox --json', 'print JSON'],
  ],
  run: inbox,
});

function inbox(flags: JsonFlag, context: Context): Promise<Outcome> {
  const none = (): Outcome => {
    const removed = removedLines(context);
    const isRemoved = removed.length > 0 ? { state_removed: true } : {};
    if (flags.json) printJson(context, { questions: [], sessions: [], ...isRemoved });
    else printLines(context, removed.length > 0 ? removed : ['no open questions']);
    return 'SUCCESS';
  };
  return readProject(context, flags, none, async (tutti): Promise<Outcome> => {
    const open = await findOpenQuestions(tutti);
    const atTerminals = await waitingAtTerminals(tutti);
    if (flags.json) {
      const sessions = atTerminals.map(({ session, waitsFor }) => ({ id: session.id, waits_for: waitsFor }));
      printJson(context, { questions: open.map(questionJson), sessions });
      return 'SUCCESS';
    }
    const { screen } = context;
    const columns = screen.isTerminal ? screen.columns() : 2000;
    const params = { now: tutti.clock.wall(), columns, paint: painter(screen.colour), withRun: true };
    const lines = [
      ...open.flatMap((each) => questionLines(each, params)),
      ...atTerminals.flatMap(({ session, waitsFor }) => [
        `${params.paint('waiting', glyphs.waiting)} session ${session.id} waits at its terminal: ${oneLine(waitsFor, 300)}`,
        params.paint('strong', `     tutti session attach ${session.id}`),
      ]),
    ];
    printLines(context, lines.length === 0 ? ['no open questions'] : lines);
    return 'SUCCESS';
  });
}

function questionJson(open: OpenQuestion): object {
  const { id, runId, key, question, askedAt } = open;
  return {
    id,
    run_id: runId,
    key,
    step: question.step ?? null,
    agent: question.agent ?? null,
    text: question.text,
    options: question.options ?? [],
    evidence: question.evidence ?? null,
    asked_at: instant(askedAt),
    session_id: findAsker(open),
    until: instant(question.until ?? null),
  };
}
