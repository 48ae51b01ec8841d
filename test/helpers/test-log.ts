import { createLog, type Log } from "../../src/kernel/lib/log.ts";
import { TEST_TIME } from "./fake-clock.ts";

/** A log that keeps its lines, as JSON that was read back. */
export function testLog(): { log: Log; lines: Record<string, unknown>[] } {
  const lines: Record<string, unknown>[] = [];
  const write = (line: string) => void lines.push(JSON.parse(line));
  return { log: createLog({ level: "debug", format: "json", clock: () => TEST_TIME, write }), lines };
}

/** A log for tests that expect nothing worse than `info`: anything else fails the test that caused it. */
export function quietLog(): Log {
  const write = (line: string) => {
    throw new Error(`nothing should have been logged here: ${line}`);
  };
  return createLog({ level: "warn", format: "json", clock: () => TEST_TIME, write });
}
