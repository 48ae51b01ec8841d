import type { ConversationState } from "../../conversation/state.ts";
import { iconButton } from "../../dom/button.ts";
import { element, fill } from "../../dom/element.ts";
import * as paths from "../../dom/icon-paths.ts";
import { icon } from "../../dom/icons.ts";
import type { Say } from "../labels.ts";
import type { Look } from "../look/look.ts";
import { type Composer, createComposer } from "./composer.ts";
import type { PanelDeps } from "./deps.ts";
import { errorText } from "./error-box.ts";
import { createTranscript } from "./transcript.ts";
import { waitingText } from "./waiting.ts";

/** The panel that the reader asks and reads in. */
export interface Panel {
  element: HTMLElement;
  composer: Composer;
  update(state: ConversationState): void;
  setOnline(isOnline: boolean): void;
  /** Whether Escape had something smaller to close than the panel. */
  dismiss(): boolean;
  toNewest(): void;
}

export interface PanelOptions extends Omit<PanelDeps, "onGrow"> {
  look: Look;
  /** The site's name. */
  name: string;
  onSubmit: Parameters<typeof createComposer>[0]["onAsk"];
  onStop: () => void;
  onNew: () => void;
  onSearch: () => void;
  onClose: () => void;
}

const TITLE_ID = "docent-title";

/** Heading, conversation, and the field for the next question. */
export function createPanel(options: PanelOptions): Panel {
  const { look, say, name, onSubmit, onStop, onNew, onSearch, onClose, onAsk } = options;
  const isInline = look.variant === "inline";
  const composer = createComposer({ say, onAsk: onSubmit, onStop });
  const transcript = createTranscript(options, createGreeting(say, look.starterQuestions, onAsk));
  const announcer = createAnnouncer(say);
  const renew = iconButton(paths.newConversation, say("newConversation"), () => {
    onNew();
    announcer.announce(say("newConversation"));
    composer.field.focus();
  });
  const offline = element("p", { class: "offline", hidden: true }, icon(paths.warn), say("offline"));
  const panel = element(
    isInline ? "section" : "dialog",
    { class: "panel", "aria-labelledby": TITLE_ID },
    element(
      "header",
      { class: "head" },
      logoOf(look.logo),
      element("h2", { id: TITLE_ID }, say("title", { name })),
      iconButton(paths.search, say("search"), onSearch),
      renew,
      !isInline && iconButton(paths.close, say("close"), onClose),
    ),
    element("div", { class: "middle" }, transcript.element, transcript.latest),
    element(
      "footer",
      { class: "foot" },
      offline,
      composer.element,
      element("p", { class: "disclaimer" }, say("disclaimer", { name })),
    ),
    transcript.card,
    announcer.element,
  );
  return {
    element: panel,
    composer,
    update(state) {
      transcript.update(state);
      announcer.update(state);
      composer.setBusy(state.isBusy);
      renew.hidden = state.turns.length === 0;
    },
    setOnline(isOnline) {
      if (offline.hidden === isOnline) return;
      offline.hidden = isOnline;
      if (!isOnline) announcer.announce(say("offline"));
    },
    dismiss: transcript.dismiss,
    toNewest: transcript.toNewest,
  };
}

/** The site's picture, or ours; one that does not load leaves no hole. */
function logoOf(address: string): Element {
  const place = element("span", { class: "logo" }, icon(paths.ask));
  if (address === "") return place;
  const image = element("img", { alt: "", src: address, onerror: () => fill(place, icon(paths.ask)) });
  fill(place, image);
  return place;
}

/** What stands in the panel before the first question. */
function createGreeting(say: Say, starterQuestions: string[], onAsk: (text: string) => void): HTMLElement {
  const starters = starterQuestions.map((question) =>
    element(
      "li",
      {},
      element("button", { type: "button", class: "starter", onclick: () => onAsk(question) }, question),
    ),
  );
  return element(
    "div",
    { class: "greeting" },
    element("h3", {}, say("greeting")),
    element("p", {}, say("introduction")),
    starters.length > 0 && element("ul", { class: "starters", "aria-label": say("starters") }, ...starters),
  );
}

/** Says what happens to those who do not see it: when it changes, and not with every word. */
interface Announcer {
  element: HTMLElement;
  update(state: ConversationState): void;
  announce(text: string): void;
}

function createAnnouncer(say: Say): Announcer {
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
