import type { ConversationState } from "../../conversation/state.ts";
import { element } from "../../dom/element.ts";
import type { Say } from "../labels.ts";
import { errorText } from "./error-box.ts";
import { waitingText } from "./waiting.ts";

/** Says what happens to those who do not see it: when it changes, and not with every word. */
interface Announcer {
  element: HTMLElement;
  update(state: ConversationState): void;
  announce(text: string): void;
}

export function createAnnouncer(say: Say): Announcer {
  const region = element("div", { class: "hidden", role: "status", "aria-live": "polite" });
  let last: string | undefined;
  const announce = (text: string) => {
    region.textContent = text;
  };
  return {
    element: region,
    announce,
    update({ turns }) {
      const turn = turns.at(-1);
      const now = turn && `${turn.id} ${turn.askedAt} ${turn.status} ${turn.queuePosition}`;
      // What was there when the panel was made is not news.
      const isNews = last !== undefined && now !== last;
      last = now ?? "";
      if (!turn || !isNews) return;
      if (turn.status === "searching") announce(say("searching"));
      if (turn.status === "waiting") announce(waitingText(turn, say));
      if (turn.status === "thinking") announce(say("thinking"));
      if (turn.status === "done") announce(say("answered"));
      if (turn.status === "stopped") announce(say("stopped"));
      if (turn.error && turn.status === "failed") announce(errorText(turn.error, turn, say));
    },
  };
}
