import { isLeftOut } from "@docent/reading/source-reader";
import type { Pass } from "./pass.ts";

/** How often the progress is noted: often enough to watch it, rarely enough to cost nothing. */
const NOTE_MS = 400;

/** Notes how far a run is, where every process can read it. What cannot be noted is no reason to end the run. */
export function createRunProgress({ ledger, ledgerRunId, seen, counts, skipped, clock }: Pass) {
  let notedAt = Number.NEGATIVE_INFINITY;
  /** The next page may take long: what was read just before it is noted all the same. */
  let later: Timer | undefined;
  let vectors = 0;

  async function note(more: Record<string, number> = {}): Promise<void> {
    clearTimeout(later);
    later = undefined;
    notedAt = clock();
    const reached = { listed: seen.size, ...counts, skipped: skipped.filter(isLeftOut).length, ...more };
    await ledger.noteProgress(ledgerRunId, reached).catch(() => {});
    // The note may have waited for its database: the pages behind it are not to do so one by one.
    notedAt = clock();
  }

  return {
    /** Something was read. */
    async passed(): Promise<void> {
      if (clock() - notedAt >= NOTE_MS) await note();
      else later ??= setTimeout(note, NOTE_MS);
    },

    /** All is read, and so many passages have their vectors. */
    async embedded(passages: number): Promise<void> {
      vectors = passages;
      await note({ embedded: vectors });
    },

    /** All have them that will, and so many passages are indexed. */
    async indexed(passages: number): Promise<void> {
      if (passages === 0 || clock() - notedAt >= NOTE_MS)
        await note({ embedded: vectors, indexed: passages });
    },

    /** Nothing more is noted by itself. */
    end: () => clearTimeout(later),
  };
}

export type RunProgress = ReturnType<typeof createRunProgress>;
