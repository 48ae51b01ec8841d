import type { ConversationState, Turn } from "../../conversation/state.ts";
import { element } from "../../dom/element.ts";
import * as paths from "../../dom/icon-paths.ts";
import { icon } from "../../dom/icons.ts";
import type { TurnDrawing } from "../later.ts";
import { createCitationCard } from "./citation-card.ts";
import type { PanelDeps } from "./deps.ts";
import { errorBox } from "./error-box.ts";
import type { TurnView } from "./turn/turn.ts";

/** The conversation, as it is read. */
interface Transcript {
  element: HTMLElement;
  /** What a citation shows; it stands beside the transcript, which would cut it off. */
  card: HTMLElement;
  /** Takes the reader back to the end. */
  latest: HTMLElement;
  update(state: ConversationState): void;
  /** Whether Escape had something to close. */
  dismiss(): boolean;
  toNewest(): void;
}

/** Nearer to the end than this, the reader wants to see what comes. */
const END_PIXELS = 48;
/** What stays above the newest question. */
const QUESTION_PIXELS = 14;

/** `greeting` is shown until something is asked. */
export function createTranscript(deps: Omit<PanelDeps, "onGrow">, greeting: HTMLElement): Transcript {
  const views = new Map<string, TurnView>();
  const turnOf = new WeakMap<Element, Turn>();
  const list = element("div", { class: "turns" });
  const scroller = element(
    "div",
    // Arrow keys scroll what has the focus.
    { class: "transcript", tabindex: 0, role: "region", "aria-label": deps.say("conversation") },
    greeting,
    list,
  );
  const end = keepAtEnd(scroller, list, deps.say("latest"));
  const card = createCitationCard();
  const turnWith = (link: Element) => {
    const article = link.closest("article.turn");
    return article ? turnOf.get(article) : undefined;
  };
  card.watch(scroller, turnWith);
  followLinks(scroller, turnWith, deps.onFollow);

  const draw = ({ turns }: ConversationState, { createTurnView }: TurnDrawing) => {
    for (const [id, view] of views) {
      if (turns.some((turn) => turn.id === id)) continue;
      view.element.remove();
      views.delete(id);
    }
    for (const [index, turn] of turns.entries()) {
      const known = views.get(turn.id);
      const view = known ?? createTurnView(turn, { ...deps, onGrow: end.follow });
      views.set(turn.id, view);
      turnOf.set(view.element, turn);
      view.update(turn, index === turns.length - 1);
      if (known) continue;
      list.insertBefore(view.element, list.children[index] ?? null);
      // What was just asked is what the reader looks for.
      end.stick();
    }
    end.follow();
  };
  const drawn = whenDrawable(deps, list, draw);
  const update = (state: ConversationState) => {
    greeting.hidden = state.turns.length > 0;
    drawn(state);
  };
  const dismiss = () => {
    const wasShown = card.isShown();
    card.hide();
    return wasShown;
  };
  return {
    element: scroller,
    card: card.element,
    latest: end.button,
    update,
    dismiss,
    toNewest: end.toNewest,
  };
}

/** Tells which links of answers are followed, and how. */
function followLinks(
  scroller: HTMLElement,
  turnWith: (link: Element) => Turn | undefined,
  onFollow: PanelDeps["onFollow"],
): void {
  scroller.addEventListener("click", (event) => {
    const link = event.target instanceof Element ? event.target.closest("a[href]") : null;
    const turn = link && turnWith(link);
    if (!(link instanceof HTMLAnchorElement) || !turn) return;
    const type = link.dataset["suggestion"] === undefined ? "source_click" : "suggestion_click";
    onFollow(turn, type, link.href, link.target === "" && !event.defaultPrevented);
  });
}

/** Draws the latest state as soon as what draws it has come, and says so where that cannot be had. */
function whenDrawable(
  { turns, say }: Pick<PanelDeps, "turns" | "say">,
  list: HTMLElement,
  draw: (state: ConversationState, drawing: TurnDrawing) => void,
): (state: ConversationState) => void {
  let latest: ConversationState | undefined;
  const missing = errorBox(say("unreachable"), say, () => latest && drawn(latest));
  const drawn = async (state: ConversationState) => {
    latest = state;
    const drawing = turns.now() ?? (state.turns.length > 0 && (await turns.load()));
    if (drawing === undefined) list.before(missing);
    else if (drawing && latest === state) {
      missing.remove();
      draw(state, drawing);
    }
  };
  return drawn;
}

/**
 * Keeps what is scrolled at its end as it grows, for as long as the reader stays there, but never so far that the newest
 * question leaves the top: an answer is read from its beginning. A button leads to the very end, and keeps the reader there.
 */
function keepAtEnd(scroller: HTMLElement, list: HTMLElement, label: string) {
  let isKept = true;
  let isHeldByQuestion = true;
  let lastTop = 0;
  const button = element(
    "button",
    { type: "button", class: "latest", title: label, "aria-label": label, hidden: true },
    icon(paths.down),
  );
  const left = () => scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight;
  const topOfNewest = () => {
    const newest = list.lastElementChild?.getBoundingClientRect().top ?? 0;
    return newest - scroller.getBoundingClientRect().top + scroller.scrollTop - QUESTION_PIXELS;
  };
  const stick = () => {
    isKept = isHeldByQuestion = true;
  };
  const follow = () => {
    if (isKept) scroller.scrollTop = isHeldByQuestion ? Math.max(topOfNewest(), 0) : scroller.scrollHeight;
    lastTop = scroller.scrollTop;
    button.hidden = left() < END_PIXELS;
  };
  const toNewest = () => {
    stick();
    follow();
  };
  const go = () => {
    isKept = true;
    isHeldByQuestion = false;
    follow();
  };
  const scrolled = () => {
    const { scrollTop } = scroller;
    if (scrollTop !== lastTop) {
      // The least step upwards is meant: a reader who begins one is not pulled back.
      isKept = left() < (scrollTop < lastTop ? 2 : END_PIXELS);
      isHeldByQuestion = false;
    }
    lastTop = scrollTop;
    button.hidden = left() < END_PIXELS;
  };
  button.addEventListener("click", () => {
    // The button is about to go, and the focus with it.
    scroller.focus({ preventScroll: true });
    go();
  });
  scroller.addEventListener("scroll", scrolled, { passive: true });
  return { button, stick, follow, toNewest };
}
