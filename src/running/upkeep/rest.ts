import { SECOND_MS } from "@docent/kernel/lib/clock";
import type { Storage } from "@docent/storage/storage";
import type { Runtime } from "../app/surroundings.ts";

const LOOK_MS = 3 * SECOND_MS;
/** Less is not worth a collection, which stops the process for some tens of milliseconds. */
const GROWN_BYTES = 24_000_000;

interface Resting extends Pick<Runtime, "residentBytes" | "collect">, Pick<Storage, "releaseMemory"> {
  /** Whether nobody waits for an answer. */
  isAtRest(): boolean;
}

/**
 * Gives memory back while nobody asks: on a machine with much of it, the runtime frees late, and a server that answered a
 * thousand questions in the morning would keep what they took.
 */
export function createRest({ isAtRest, residentBytes, releaseMemory, collect }: Resting) {
  // What the start took is given back as well.
  let restedBytes = 0;
  let wasAtRest = false;
  return {
    /** Collects where nobody asked since the last look and memory has grown since the last collection. */
    look(): void {
      const hasRested = wasAtRest && isAtRest();
      wasAtRest = isAtRest();
      if (!hasRested) return;
      // What a collection freed goes back little by little.
      restedBytes = Math.min(restedBytes, residentBytes());
      if (residentBytes() < restedBytes + GROWN_BYTES) return;
      releaseMemory();
      collect();
      restedBytes = residentBytes();
    },
  };
}

/** Looks every few seconds, where the process is this server's own. Returns what ends it. */
export function startRest(
  runtime: Runtime | undefined,
  { releaseMemory }: Pick<Storage, "releaseMemory">,
  isAtRest: () => boolean,
): { close(): void } {
  if (runtime === undefined) return { close() {} };
  const looking = setInterval(createRest({ ...runtime, releaseMemory, isAtRest }).look, LOOK_MS);
  return { close: () => clearInterval(looking) };
}
