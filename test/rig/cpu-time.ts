/** Processor time that this work took. Unlike the time on the wall, it does not grow with what else the machine does. */
export function cpuMs(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
