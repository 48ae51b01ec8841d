/**
 * How long this process computed while something was done, in milliseconds. Unlike what a clock says, it is the same where
 * other programs keep the machine busy; what blocks the thread is all in it.
 */
export async function ownMs(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
