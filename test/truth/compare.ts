import type { Shown } from './shown.ts';
import { planRun, type TaskId, taskIds, type TrueRun, type Truth } from './truth.ts';

/** Everything that is shown and not true, in words; empty: all of it is true. */
export async function findLies(world: Truth, shown: Shown): Promise<readonly string[]> {
  const found = [liesOfRuns(world, shown), liesOfSessions(world, shown), liesOfPlan(world, shown)];
  return (await Promise.all(found)).flat();
}

function hasLivingTurn(world: Truth, run: TrueRun, step: TaskId): boolean {
  return world.turns.some((turn) => turn.run === run.id && turn.step === step && turn.process === 'alive');
}

/** The run's process has a turn of this step that it has not recorded. */
function isBusy(world: Truth, run: TrueRun, step: TaskId): boolean {
  return (
    world.isHeld(run) &&
    world.turns.some((turn) => turn.run === run.id && turn.step === step && turn.recorded === 'no')
  );
}

function waitsForPerson(world: Truth, run: TrueRun, step: TaskId): boolean {
  return run.asks.has(step) && !isBusy(world, run, step) && !hasLivingTurn(world, run, step);
}

function worksOn(world: Truth, run: TrueRun, step: TaskId): boolean {
  return world.isHeld(run) || hasLivingTurn(world, run, step);
}

async function liesOfRuns(world: Truth, shown: Shown): Promise<readonly string[]> {
  const listed = await shown.runs();
  const created = world.runs.map(({ id }) => id).toReversed();
  const order = listed.json.map(({ run_id }) => run_id);
  const lines = listed.text.slice(1).map((line) => line.split(/\s+/)[1]);
  const found = [
    ...(order.join() === created.join()
      ? []
      : [`runs are listed as ${order.join()}, not as ${created.join()}`]),
    ...(lines.join() === created.join() ? [] : [`runs are printed as ${lines.join()}`]),
  ];
  for (const run of world.runs) {
    const { json, text } = await shown.status(run.id);
    const holder = world.isHeld(run) ? run.pid : null;
    if (json.driven_by !== holder)
      found.push(`${run.id} is advanced by ${holder}, and ${json.driven_by} is named`);
    if (run.ended !== (json.state === 'ended')) found.push(`${run.id} is shown as ${json.state}`);
    if (json.state === 'running' && holder === null) found.push(`${run.id} runs without a process`);
    const inList = listed.json.find(({ run_id }) => run_id === run.id)?.state;
    if (inList !== json.state) found.push(`${run.id} is ${json.state} and, in the list, ${inList}`);
    if (run.halt !== 'no' && json.state !== run.halt)
      found.push(`${run.id} is ${run.halt}, shown ${json.state}`);
    if (run.halt === 'no' && json.state.startsWith('halt'))
      found.push(`${run.id} is shown as ${json.state}, and nobody halted it`);
    const asked = json.questions.map(({ key }) => key).toSorted();
    const asks = [...run.asks.values()].toSorted();
    if (asked.join() !== asks.join()) found.push(`${run.id} asks ${asks.join()}, shown: ${asked.join()}`);
    for (const step of taskIds) {
      const seen = json.steps.find(({ id }) => id === step);
      const line = text.find((each) => each.includes(step)) ?? '';
      const at = `${run.id} ${step}`;
      if (seen === undefined) found.push(`${at} is not shown`);
      else {
        if (seen.state === 'done' && !run.proven.has(step)) found.push(`${at} is done without proof`);
        if (line.startsWith('✔') && !run.proven.has(step)) found.push(`${at} is printed as ✔ without proof`);
        if (seen.state === 'running' && !worksOn(world, run, step))
          found.push(`${at} runs without a process`);
        if (line.startsWith('●') && !worksOn(world, run, step)) found.push(`${at} is printed as running`);
        if ((seen.state === 'waiting') !== waitsForPerson(world, run, step))
          found.push(`${at} is ${seen.state}${run.asks.has(step) ? ', and asks a person' : ''}`);
        if (seen.state === 'queued' && seen.message === null) found.push(`${at} is queued for nothing`);
        if (seen.state === 'queued' && !line.includes(seen.message?.slice(0, 20) ?? '?'))
          found.push(`${at} is printed as queued without a reason`);
      }
    }
  }
  return found;
}

async function liesOfSessions(world: Truth, shown: Shown): Promise<readonly string[]> {
  const { json, text, totals } = await shown.sessions();
  const counts = new Map<string, number>();
  const found = world.turns.flatMap((turn) => {
    const { status, lost } = world.statusOf(turn);
    counts.set(status, (counts.get(status) ?? 0) + 1);
    const row = json.find(({ session_id }) => session_id === turn.id);
    const line = text.find((each) => each.startsWith(`${turn.id} `)) ?? '';
    return [
      ...(row?.status === status && row.lost === lost
        ? []
        : [`${turn.id} is ${status}, shown ${row?.status}`]),
      ...(line.includes(status) ? [] : [`${turn.id} is ${status}, printed: ${line}`]),
    ];
  });
  const sums = [...counts].filter(([status, count]) => totals.get(status) !== count);
  return [...found, ...sums.map(([status, count]) => `${count} are ${status}, not ${totals.get(status)}`)];
}

async function liesOfPlan(world: Truth, shown: Shown): Promise<readonly string[]> {
  const run = world.runs.find(({ id }) => id === planRun);
  if (run === undefined) return [];
  const { json, text } = await shown.plan();
  const begun = taskIds.filter((id) => run.begun.has(id));
  const running = begun.filter(
    (id) => !run.ended && worksOn(world, run, id) && !waitsForPerson(world, run, id),
  );
  const parked = begun.filter((id) => !running.includes(id));
  const tasks = await shown.tasks();
  const ofState = (status: string) =>
    tasks.json.filter((task) => task.status === status).map(({ task_id }) => task_id);
  const same = (a: readonly string[], b: readonly string[]): boolean =>
    a.toSorted().join() === b.toSorted().join();
  return [
    ...(same(json.running, running) ? [] : [`tasks ${json.running.join()} are shown as running`]),
    ...(same(
      json.parked.map(({ id }) => id),
      parked,
    )
      ? []
      : ['parked tasks are not shown as parked']),
    ...(same(ofState('running'), running) ? [] : [`task list says running: ${ofState('running').join()}`]),
    ...(same(ofState('parked'), parked) ? [] : [`task list says parked: ${ofState('parked').join()}`]),
    ...parked
      .filter((id) => !tasks.text.some((line) => line.startsWith(`${id}  parked`)))
      .map((id) => `${id} is printed as if it were not parked`),
    ...((json.tokens.input ?? 0) === world.tokens
      ? []
      : [`${world.tokens} tokens, shown ${json.tokens.input}`]),
    ...(parked.length === 0 || text.some((line) => line.includes('parked'))
      ? []
      : ['no word about parked tasks']),
  ];
}
