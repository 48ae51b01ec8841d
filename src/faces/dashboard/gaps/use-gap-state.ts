import { useApi } from "../api.ts";
import { useToast } from "../kit/overlay/toast.tsx";
import { type Gap, siteAnalytics } from "../replies.ts";
import type { SiteView } from "../site-view.ts";
import { useAttempt } from "../use-attempt.ts";
import { STATE_WORDS } from "./gap-words.ts";

/** Says what became of a gap. What was said can be taken back for a while. */
export type SetGapState = (gap: Gap, state: Gap["state"]) => Promise<void>;

/** Sets the state of gaps, and reads them anew. */
export function useGapState(site: SiteView, onChanged: () => void): SetGapState {
  const api = useApi();
  const toast = useToast();
  const attempt = useAttempt();
  const put = async (gap: Gap, state: Gap["state"]) => {
    await api.post<Gap>(`${siteAnalytics(site.domain)}/gaps/${encodeURIComponent(gap.id)}`, { state });
    onChanged();
    return true;
  };
  return async (gap, state) => {
    const undo = () => void attempt(() => put(gap, gap.state));
    if (await attempt(() => put(gap, state)))
      toast(STATE_WORDS[state].done, { action: { label: "Undo", run: undo } });
  };
}
