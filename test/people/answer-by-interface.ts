import { answerQuestion, openTutti } from '../../src/app/index.ts';

/** A program over the published interface that answers a question. */
const [, , folder = '', question = ''] = process.argv;
const opened = openTutti({ folder, env: {}, create: false });
if (!opened.ok) throw new Error(opened.error.message);
using tutti = opened.value;
const answered = await answerQuestion(tutti, question, 'yes');
process.exitCode = answered.ok ? 0 : 1;
