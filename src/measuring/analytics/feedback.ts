import { AppError } from "@docent/kernel/errors";
import type { Clock } from "@docent/kernel/lib/clock";
import { hrefOf } from "@docent/reading/page/page-path";
import { cutPart, type PartQuery, readListPlace, writeListPlace } from "./list-part.ts";
import type { Feedback, FeedbackStore, Period, StoredFeedback } from "./stores.ts";

/** What readers say of answers. */
export function createFeedback({ store, clock }: { store: FeedbackStore; clock: Clock }) {
  return {
    /** Takes what a reader says, or what it says now. Raises `not_found` for a message that is not in that thread. */
    async give(siteId: number, feedback: Feedback): Promise<void> {
      const comment = feedback.comment?.trim() || undefined;
      const known = await store.put(siteId, { ...feedback, comment }, clock());
      if (!known) throw new AppError("not_found", "Not found");
    },

    async list(siteId: number, period: Period, { limit, cursor }: PartQuery) {
      const rows = await store.list(siteId, period, { behind: readListPlace(cursor), limit: limit + 1 });
      const { part, ...more } = cutPart(rows, limit, writeListPlace);
      return { feedback: part.map(toJson), ...more };
    },
  };
}

export type FeedbackDesk = ReturnType<typeof createFeedback>;

function toJson({ id, at, helpful, comment, question, currentPath }: StoredFeedback) {
  return {
    id,
    path: currentPath === undefined ? null : hrefOf({ path: currentPath, anchor: "" }),
    query: question,
    comment: comment ?? null,
    createdAt: new Date(at).toISOString(),
    // The words of the service whose clients read this.
    source: comment === undefined ? "thumbs_only" : "contextual",
    status: "pending",
    helpful,
  };
}
