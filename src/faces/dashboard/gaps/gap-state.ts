import { useApi } from "../api.ts";
import { useToast } from "../kit/overlay/toast.tsx";
import type { Tone } from "../kit/text/badge.tsx";
import { type Gap, siteAnalytics } from "../replies.ts";
import type { SiteView } from "../site-view.ts";
import { useAttempt } from "../use-attempt.ts";

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

/** What has become of a gap. */
export const STATE_WORDS: Readonly<Record<Gap["state"], { label: string; done: string; tone: Tone }>> = {
  open: { label: "Open", done: "The gap is open again.", tone: "warn" },
  documented: { label: "Documented", done: "Marked as documented.", tone: "good" },
  dismissed: { label: "Dismissed", done: "The gap was dismissed.", tone: "quiet" },
};

/** The states that a gap may be put into, in the order of their tabs. */
export const STATES = ["open", "documented", "dismissed"] as const;

/** What asking again after a new page showed, for a gap that is said to be documented. */
export function askedAgainWords({ state, askedAgain }: Gap): { text: string; tone: Tone } | undefined {
  if (state !== "documented") return undefined;
  if (askedAgain === null) return { text: "It is asked again when the docs are read next.", tone: "quiet" };
  if (!askedAgain.answered) return { text: "Asked again: the docs still do not answer it.", tone: "bad" };
  const by = askedAgain.curated === null ? "" : `, by the curated answer ${askedAgain.curated}`;
  return { text: `Asked again: it is answered now${by}.`, tone: "good" };
}
