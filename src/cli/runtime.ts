import type { Runtime } from "../app/surroundings.ts";

/**
 * Lets the runtime compile what runs often, as it does by itself where no build said otherwise. The program is built to
 * begin in the interpreter: most of what a start runs is run once, and to compile it costs half of the start.
 */
export const compileWhatRunsOften = (): void => Bun.unsafe.setJITPolicy(1);

export const ownRuntime: Runtime = {
  compileWhatRunsOften,
  residentBytes: () => process.memoryUsage.rss(),
  collect() {
    Bun.gc(true);
    // Compiled code is a third of what a thousand answers leave behind; the first question after it takes 40 ms longer. The
    // runtime keeps it where a collection is under way, so it is asked for in a turn of its own.
    setTimeout(() => Bun.shrink(), 0);
  },
};
