import { useState } from "react";
import { useApi } from "../../api.ts";
import { useConfirm } from "../../kit/overlay/confirm.tsx";
import { useToast } from "../../kit/overlay/toast.tsx";
import { type RunJob, type Source, siteOperations } from "../../replies.ts";
import type { SiteView } from "../../site-view.ts";
import { useAttempt } from "../../use-attempt.ts";

/** What can be done with a source. Each tells what came of it. */
export function useSourceActions(site: SiteView, source: Source) {
  const api = useApi();
  const confirm = useConfirm();
  const toast = useToast();
  const tried = useAttempt();
  const [isSending, setIsSending] = useState(false);
  const path = `${siteOperations(site.domain)}/sources/${source.number}`;

  async function attempt<T>(work: () => Promise<T>): Promise<T | undefined> {
    setIsSending(true);
    const done = await tried(work);
    setIsSending(false);
    return done;
  }

  const run = () => attempt(() => api.post<RunJob>(`${path}/runs`, { force: false }));

  return {
    isSending,
    /** Reads it now. */
    run,

    /** Reads it once more; by force, it takes away what the source no longer lists, however much that is. */
    async again(force: boolean): Promise<RunJob | undefined> {
      if (!force) return run();
      const isAgreed = await confirm({
        title: "Read it, and take away what is gone?",
        text: `Docent stops where most of a source's pages are gone, because it may only be out of order. This takes away every page that ${source.place} no longer lists.`,
        action: "Read and take away",
      });
      return isAgreed ? attempt(() => api.post<RunJob>(`${path}/runs`, { force: true })) : undefined;
    },

    async schedule(everyMs: number | null): Promise<boolean> {
      const before = source.everyMs;
      const changed = await attempt(() => api.patch<Source>(path, { everyMs }));
      if (!changed) return false;
      toast("The schedule was changed", {
        action: { label: "Undo", run: () => void attempt(() => api.patch(path, { everyMs: before })) },
      });
      return true;
    },

    /** Changes how it is read from the next time on. */
    async change(fields: Partial<Pick<Source, "groups" | "published">>): Promise<boolean> {
      const changed = await attempt(() => api.patch<Source>(path, fields));
      if (changed) toast("It counts when the source is read next");
      return changed !== undefined;
    },

    async remove(): Promise<RunJob | undefined> {
      const isAgreed = await confirm({
        title: "Remove this source?",
        text: `Its pages leave the index, and answers no longer use them. You can go back to an earlier generation for a while; ${source.kind === "upload" ? "the uploaded file is deleted." : `${source.place} itself is not touched.`}`,
        action: "Remove the source",
      });
      return isAgreed ? attempt(() => api.delete<RunJob>(path, { confirm: source.number })) : undefined;
    },
  };
}
