import { useApi } from "../api.ts";
import { toApiError } from "../api-error.ts";
import { useToast } from "../kit/overlay/toast.tsx";
import { type Gap, siteAnalytics } from "../replies.ts";
import type { SiteView } from "../site-view.ts";
import { STATE_WORDS } from "./gap-words.ts";

/** Says what became of a gap. What was said can be taken back for a while. */
export type SetGapState = (gap: Gap, state: Gap["state"]) => Promise<void>;

/** Sets the state of gaps, and reads them anew. */
export function useGapState(site: SiteView, onChanged: () => void): SetGapState {
  const api = useApi();
  const toast = useToast();
  const put = async (gap: Gap, state: Gap["state"]) => {
    await api.post<Gap>(`${siteAnalytics(site.domain)}/gaps/${encodeURIComponent(gap.id)}`, { state });
    onChanged();
  };
  const fail = (error: unknown) => toast(toApiError(error).message, { tone: "bad" });
  return async (gap, state) => {
    try {
      await put(gap, state);
      const undo = () => void put(gap, gap.state).catch(fail);
      toast(STATE_WORDS[state].done, { action: { label: "Undo", run: undo } });
    } catch (error) {
      fail(error);
    }
  };
}
