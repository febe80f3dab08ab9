/**
 * A program that plays all planning agents, with no model behind it. The specification has lines such as
 * `- B1 parse: reads numerals`; each becomes a behavior, a file, and a task. Everything else in it is prose.
 * `name T003 tables` in a prompt gives that task another name. What it does wrong is said by `mood.json` in the project: a list of
 * `[step, misdeed]`. It notes itself in `ledger`.
 */
export const plannerProgram = `
import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const { TUTTI_STEP: step, TUTTI_PLAN_DIR: dir, TUTTI_RESULT: result, TUTTI_PROJECT: project } = process.env;
const prompt = readFileSync(0, 'utf8');
const here = join(dir, '..', '..', '..');
const note = (word) => appendFileSync(join(here, 'ledger'), step + ' ' + word + '\\n');
note('begin');
writeFileSync(join(here, 'prompts', step.replaceAll('/', '_') + '.txt'), prompt);

const mood = existsSync(join(here, 'mood.json')) ? JSON.parse(readFileSync(join(here, 'mood.json'), 'utf8')) : [];
const isSo = (misdeed) => mood.some(([where, what]) => where === step && what === misdeed);
const sha = (text) => createHash('sha256').update(text).digest('hex');
const read = (file) => readFileSync(join(dir, file), 'utf8');
const write = (file, value) => {
  if (isSo('forget')) return;
  const text = isSo('spoil') ? '{"version": ' : JSON.stringify(value, null, isSo('reformat') ? 4 : 2) + '\\n';
  writeFileSync(join(dir, file), text);
};
const spec = read('inputs/spec.md');
const wishes = [...spec.matchAll(/^- (B\\d+) (\\w+): (.*)$/gm)].map(([quote, id, name, description]) => ({ quote, id, name, description }));
const slow = Number(mood.find(([where]) => where === 'ms')?.[1] ?? 0);
while (isSo('wait') && !existsSync(join(here, 'go'))) await new Promise((resolve) => setTimeout(resolve, 10));
if (slow > 0) await new Promise((resolve) => setTimeout(resolve, slow));

const roles = {
  logical() {
    write('artifacts/capability-map.json', {
      version: '1.0',
      spec_checksum: isSo('stale') ? sha('another one') : sha(spec),
      domains: [{ id: 'D1', name: 'Numbers', description: 'All of it', capabilities: wishes.map(({ quote, id, name, description }) => ({
        id: 'C' + id.slice(1), name, spec_ref: { quote, location: 'line ' + (spec.slice(0, spec.indexOf(quote)).split('\\n').length) },
        behaviors: [{ id, name, type: 'process', description }] })) }],
      flows: [{ id: 'F1', name: 'Thread', is_steel_thread: true,
        steps: wishes.slice(0, 2).map(({ id }, order) => ({ order, behavior_id: id, description: 'then' })) }],
      coverage: { total_requirements: wishes.length, covered_requirements: wishes.length, gaps: [] },
      phase_filtering: { active_phase: 1, excluded_phases: [], total_excluded_requirements: 0 },
    });
  },
  physical() {
    const files = (name) => [{ path: 'src/' + name + '.js', action: 'create', layer: 'domain', purpose: 'Does ' + name }];
    const tests = (name) => [{ path: 'test/' + name + '.test.js', action: 'create' }];
    const map = JSON.parse(read('artifacts/capability-map.json'));
    const behaviors = map.domains.flatMap(({ capabilities }) => capabilities.flatMap((each) => each.behaviors));
    write('artifacts/physical-map.json', {
      version: '1.0', target_dir: '.', capability_map_checksum: sha(read('artifacts/capability-map.json')),
      file_mapping: behaviors.map(({ id, name }) => ({ behavior_id: id, behavior_name: name, files: files(name), tests: tests(name) })),
      cross_cutting: [], infrastructure: [], summary: { total_behaviors: behaviors.length, total_files: 2 * behaviors.length },
    });
  },
  definition() {
    const map = JSON.parse(read('artifacts/capability-map.json'));
    const behaviors = map.domains.flatMap(({ capabilities }) => capabilities.flatMap((each) => each.behaviors.map((b) => ({ ...b, ref: each.spec_ref }))));
    const renamed = /\\bname (T\\d+) (\\w+)/.exec(prompt);
    const kept = new Set(behaviors.map(({ id }) => 'T' + id.slice(1).padStart(3, '0') + '.json'));
    for (const name of readdirSync(join(dir, 'tasks'))) if (!kept.has(name)) rmSync(join(dir, 'tasks', name));
    for (const [index, { id, name, description, ref }] of behaviors.entries()) {
      const task = 'T' + id.slice(1).padStart(3, '0');
      const before = existsSync(join(dir, 'tasks', task + '.json')) ? JSON.parse(read('tasks/' + task + '.json')) : null;
      if (isSo('careful') && /these tasks: ([T0-9, ]+)\\./.exec(prompt)?.[1].split(', ').includes(task)) continue;
      write('tasks/' + task + '.json', {
        id: task, name: renamed?.[1] === task ? renamed[2] : name, phase: isSo('rephase') ? 1 : before?.phase ?? 1, task_type: 'feature',
        context: { domain: 'Numbers', capability: name, spec_ref: ref.quote, spec_requirements: [description], steel_thread: index < 2 },
        behaviors: isSo('drop') && index > 0 ? [] : [id],
        files: [{ path: 'src/' + name + '.js', action: 'create', purpose: 'Does it' }, { path: 'test/' + name + '.test.js', action: 'create', purpose: 'Tests it' },
          ...(isSo('share') && index > 0 ? [{ path: 'package.json', action: 'modify', purpose: 'A script more' }] : [])],
        dependencies: { tasks: index === 0 ? [] : ['T001'], external: [] },
        acceptance_criteria: [{ criterion: 'All tests of ' + name + ' pass without a failure', verification: 'node --test test/' + name + '.test.js' },
          ...(prompt.includes('\`npm test\`') && !isSo('alone') ? [{ criterion: 'The suite of the project still passes', verification: 'npm test' }] : [])],
        estimate_hours: 2,
      });
    }
  },
  validation() {
    // A person at work beside it.
    if (isSo('edited')) writeFileSync(join(dir, 'tasks/T003.json'), read('tasks/T003.json').replace('"name": "table"', '"name": "tables"'));
    if (isSo('misedited')) writeFileSync(join(dir, 'tasks/T003.json'), read('tasks/T003.json').replace('"B3"', '"B1"'));
    const verdict = isSo('block') ? 'BLOCKED' : isSo('notes') ? 'READY_WITH_NOTES' : 'READY';
    write('reports/task-validation.json', { verdict, summary: verdict + ' it is', issues: verdict === 'READY' ? [] : ['T001: look'] });
  },
  sequencing() {
    const told = /(T\\d+)\\.json: was changed [^\\n]* put it back as it was: (\\{.*\\})/.exec(prompt);
    if (told !== null && !isSo('deaf')) write('tasks/' + told[1] + '.json', JSON.parse(told[2]));
    for (const name of readdirSync(join(dir, 'tasks'))) {
      const task = JSON.parse(read('tasks/' + name));
      const phase = task.context.steel_thread ? 2 : 3;
      const changed = isSo('meddle') && task.id === 'T001' ? { ...task, phase, name: 'Another' } : { ...task, phase };
      if (task.phase !== phase || changed.name !== task.name) write('tasks/' + name, changed);
    }
  },
};
roles[step.split('/')[0]]();
writeFileSync(result, JSON.stringify({ status: isSo('fail') ? 'failed' : 'success', summary: step + ' done' }));
note('end');
`;
