/**
 * The processor time that this process spends on some work, in milliseconds. Unlike the time on a clock, it does not
 * depend on what else the machine does.
 */
export async function processorTimeOf(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
