import { readMemory } from "../process-stats.ts";

const SETTLE_MS = 3000;

/** What this process holds, in MB, when it has had time to give back what it does not need. */
export async function memoryAtRest(): Promise<number> {
  Bun.gc(true);
  await Bun.sleep(SETTLE_MS);
  Bun.gc(true);
  return readMemory(process.pid).residentMb;
}
