import { useApi } from "../../api.ts";
import { useConfirm } from "../../kit/overlay/confirm.tsx";
import { useToast } from "../../kit/overlay/toast.tsx";
import { siteAnalytics, type Turn } from "../../replies.ts";
import { navigate } from "../../router.ts";
import { type SiteView, sitePath } from "../../site-view.ts";
import { useAttempt } from "../../use-attempt.ts";

/** Deletes the conversation that an answer belongs to, when that is agreed to, and goes back to the list. */
export function useDeleteConversation(site: SiteView, turn: Turn): () => Promise<void> {
  const api = useApi();
  const confirm = useConfirm();
  const toast = useToast();
  const attempt = useAttempt();
  return async () => {
    const others = turn.thread.filter(({ id }) => id !== turn.id).length;
    const isAgreed = await confirm({
      title: "Delete this conversation?",
      text: (
        <>
          {others > 0 && <p>All {others + 1} questions of it go, with their answers. </p>}
          <p>
            It cannot be brought back: what its reader said goes from conversations, gaps and evaluation
            questions. Only the counts stay. A curated answer that was made of it stays, too.
          </p>
        </>
      ),
      action: "Delete the conversation",
    });
    if (!isAgreed) return;
    await attempt(async () => {
      await api.delete(`${siteAnalytics(site.domain)}/conversations/${encodeURIComponent(turn.id)}`);
      toast("The conversation was deleted.");
      navigate(sitePath(site, "conversations"), { replace: true });
    });
  };
}
