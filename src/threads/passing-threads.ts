import type { Ids } from "../lib/ids.ts";
import type { Threads } from "./threads.ts";

/** Threads of which nothing is kept: for questions that only try out what would be answered. */
export function createPassingThreads(ids: Ids): Threads {
  return {
    begin: async ({ threadId }) => ({
      turnId: ids.ulid(),
      threadId: threadId ?? ids.capability(),
      past: [],
      replaced: false,
      isNewThread: false,
    }),
    finish: async () => {},
    failUnfinished: async () => 0,
  };
}
