import type { OpenRequest } from "../request.ts";

/** Ids that a client draws are at least as long; shorter ones, such as `q1`, are written by hand and come again. */
const DRAWN_ID_CHARACTERS_MIN = 16;
const QUESTIONS_KEPT = 10_000;

/**
 * Knows a question that is asked once more, because its reader wants another answer. A reader's client may have lost
 * the thread's id by then: it came with the answer that is thrown away. So message ids are remembered as well.
 */
export function createRepeats() {
  const asked = new Set<string>();
  return {
    /** Whether that question was asked before, by its message id. Notes it. */
    isRepeat({ site, question: { questionMessageId: id }, replaced }: OpenRequest): boolean {
      if (id.length < DRAWN_ID_CHARACTERS_MIN) return replaced;
      const question = `${site.id} ${id}`;
      const known = asked.delete(question);
      asked.add(question);
      for (const oldest of asked) {
        if (asked.size <= QUESTIONS_KEPT) break;
        asked.delete(oldest);
      }
      return replaced || known;
    },
  };
}
