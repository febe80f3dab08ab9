import { answerQuestion, openTutti } from '../../src/app/index.ts';
import * as internal from '../../src/app/tutti.ts';
import { playedPerson } from '../rig/person.ts';

/** A program over the published interface that answers a question. The control opens the project as the rig does. */
const [, , folder = '', question = ''] = process.argv;
const place = { folder, env: {}, create: false };
const opened =
  process.env['RULE'] === 'removed'
    ? internal.openTutti({ ...place, caller: playedPerson({}) })
    : openTutti(place);
if (!opened.ok) throw new Error(opened.error.message);
using tutti = opened.value;
const answered = await answerQuestion(tutti, question, 'yes');
process.exitCode = answered.ok ? 0 : 1;
