import { PayProject, plan, until } from './project.ts';

/** `tutti plan` is killed while its planner works, and typed again. */
export async function planTypedAgain(program?: string): Promise<readonly string[]> {
  using project = new PayProject(program);
  const order = ['plan', 'records.md', '--yes'];
  project.hold('logical');
  const first = project.start(...order);
  await until(() => project.turns().includes('logical'));
  first.child.kill('SIGKILL');
  await first.ended;
  const second = project.start(...order);
  await until(
    async () => (await project.ends(`${plan}-plan`)).filter((id) => id === 'ingestion').length === 2,
  );
  project.release('logical');
  await second.ended;
  return project.turns();
}
