/** The CPU time that synchronous work takes: unlike the time on the clock it is the same on a busy machine. */
export function cpuMsOf(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
