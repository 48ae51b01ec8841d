import type { Reply } from "./hits.ts";

/** Searches; raises where that did not work. */
export type Find = (query: string, hitsMax: number, signal: AbortSignal) => Promise<Reply>;

/** Asks while somebody types: the first letter at once, then one search after the other, always for the latest words. */
export interface Asker {
  ask(query: string, hitsMax: number): void;
  /** What is on its way is shown to nobody. */
  leave(): void;
}

interface Wanted {
  query: string;
  hitsMax: number;
}

const PAUSE_MS = 60;
const WAIT_MS = 8000;

export function createAsker(
  find: Find,
  shown: { reply(query: string, hitsMax: number, reply: Reply): void; failed(query: string): void },
): Asker {
  let wanted: Wanted | undefined;
  let isBusy = false;
  let visit = 0;

  async function run(): Promise<void> {
    isBusy = true;
    for (let next = take(); next !== undefined; next = take()) {
      const { query, hitsMax } = next;
      const own = visit;
      const isCurrent = () => own === visit && wanted === undefined;
      try {
        const reply = await find(query, hitsMax, AbortSignal.timeout(WAIT_MS));
        if (isCurrent()) shown.reply(query, hitsMax, reply);
      } catch {
        if (isCurrent()) shown.failed(query);
      }
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
    isBusy = false;
  }

  function take(): Wanted | undefined {
    const next = wanted;
    wanted = undefined;
    return next;
  }

  return {
    ask(query, hitsMax) {
      wanted = { query, hitsMax };
      if (!isBusy) void run();
    },
    leave() {
      wanted = undefined;
      visit += 1;
    },
  };
}
