import type { Database } from "bun:sqlite";

/** Runs a write within a transaction, and gives what it returned once it is committed. */
export type WriteTogether = <T>(write: () => T) => Promise<T>;

/** The most writes in one transaction: so many short ones keep the thread for a few milliseconds. */
const TOGETHER_MAX = 32;

interface Waiting {
  run(): void;
  settle(): void;
  fail(error: unknown): void;
}

/**
 * Commits the writes that come at the same time together. A commit writes each page that was changed, so a hundred
 * questions at once cost little more than one does. A write that fails fails alone.
 */
export function createWriteTogether(database: Database): WriteTogether {
  let waiting: Waiting[] = [];
  const runAll = database.transaction((writes: readonly Waiting[]) => {
    for (const { run } of writes) run();
  });

  function commitSome(): void {
    const some = waiting.slice(0, TOGETHER_MAX);
    waiting = waiting.slice(TOGETHER_MAX);
    if (waiting.length > 0) setImmediate(commitSome);
    commit(some);
  }

  function commit(writes: readonly Waiting[]): void {
    try {
      runAll.immediate(writes);
    } catch (error) {
      const [only, ...others] = writes;
      if (others.length === 0) only?.fail(error);
      else for (const each of writes) commit([each]);
      return;
    }
    for (const { settle } of writes) settle();
  }

  return <T>(write: () => T) =>
    new Promise<T>((resolve, reject) => {
      let result: { value: T } | undefined;
      waiting.push({
        run: () => {
          result = { value: write() };
        },
        settle: () => result && resolve(result.value),
        fail: reject,
      });
      if (waiting.length === 1) setImmediate(commitSome);
    });
}
