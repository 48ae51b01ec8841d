import { isComing, type Turn } from "../../../conversation/state.ts";
import { copyButton, iconButton } from "../../../dom/button.ts";
import { element, fill } from "../../../dom/element.ts";
import * as paths from "../../../dom/icon-paths.ts";
import { icon } from "../../../dom/icons.ts";
import { contextChip } from "../contexts.ts";
import type { PanelDeps } from "../deps.ts";
import { errorBox, errorText } from "../error-box.ts";
import { waitingText } from "../waiting.ts";
import { createAnswerView } from "./answer.ts";
import { createFeedbackView } from "./feedback.ts";
import { createHandOverView } from "./hand-over.ts";
import { linksOf } from "./links.ts";

/** A question with its answer, as it is shown. */
export interface TurnView {
  element: HTMLElement;
  update(turn: Turn, isLast: boolean): void;
}

/** Shows a turn, and what becomes of it. */
export function createTurnView(first: Turn, deps: PanelDeps): TurnView {
  const { say, onRetry } = deps;
  let shown: Turn | undefined;
  let wasLast = false;
  const you = element("span", { class: "hidden" }, `${say("you")}: `);
  const question = element("h3", { class: "question" }, you, first.question);
  const asked = first.asked.context ?? [];
  const chips = asked.map((context) => contextChip(context, say));
  const contexts = element("ul", { class: "contexts", hidden: asked.length === 0 }, ...chips);
  const corrected = element("p", { class: "mark", hidden: true });
  const status = element("p", { class: "status" });
  const thoughts = createThoughts(say);
  const answer = createAnswerView(deps);
  const mark = element("p", { class: "mark" });
  const notice = element("div", { class: "notice" });
  const links = element("div", { class: "links" });
  const feedback = createFeedbackView(deps);
  const handOver = createHandOverView(deps);
  const retry = iconButton(paths.retry, say("retry"), onRetry);
  const copy = copyButton({ copy: say("copy"), copied: say("copied") }, () => shown?.answer ?? "");
  const actions = element("div", { class: "actions" }, copy, retry, feedback.buttons);
  const group = { class: "reply", role: "group", "aria-label": say("assistant") };
  const said = [corrected, thoughts.element, answer.element, status, mark, notice];
  const parts = [...said, links, actions, feedback.form, handOver.element];
  const view = element("article", { class: "turn" }, question, contexts, element("div", group, ...parts));
  return {
    element: view,
    update(turn, isLast) {
      if (turn === shown && isLast === wasLast) return;
      const coming = isComing(turn);
      showSearches(corrected, turn, deps);
      showStatus(status, turn, deps);
      // A retry takes the place of the turn, and has said nothing yet.
      if (shown && !turn.answer.startsWith(shown.answer)) answer.reset();
      answer.show(turn, shown === undefined);
      thoughts.update(turn);
      showMark(mark, turn, deps);
      if (turn.error !== shown?.error || isLast !== wasLast) showError(notice, turn, isLast, deps);
      fill(links, ...(coming ? [] : linksOf(turn, isLast, deps, answer.numberOf)));
      const isEmpty = turn.answer === "";
      copy.hidden = feedback.buttons.hidden = isEmpty;
      retry.hidden = !isLast;
      // What failed has its button beside what went wrong.
      actions.hidden = coming || (isEmpty && (!isLast || turn.status === "failed"));
      feedback.update(turn);
      handOver.update(turn);
      view.setAttribute("aria-busy", String(coming));
      shown = turn;
      wasLast = isLast;
    },
  };
}

/** What the model thought before it answered, folded away. */
function createThoughts(say: PanelDeps["say"]) {
  const text = element("div", { class: "thoughts-text" });
  const details = element("details", { class: "thoughts" }, element("summary", {}, say("thoughts")), text);
  return {
    element: details,
    update({ reasoning }: Turn) {
      details.hidden = reasoning === "";
      if (text.textContent !== reasoning) text.textContent = reasoning;
    },
  };
}

/** What is going on before the first word, and that an answer was stopped. */
function showStatus(status: HTMLElement, turn: Turn, { say }: PanelDeps): void {
  const text = statusOf(turn, say);
  status.hidden = text === undefined;
  status.classList.toggle("is-live", isComing(turn));
  if (text !== undefined && status.textContent !== text) status.textContent = text;
}

function statusOf(turn: Turn, say: PanelDeps["say"]): string | undefined {
  switch (turn.status) {
    case "searching":
      return say("searching");
    case "waiting":
      return waitingText(turn, say);
    case "thinking":
      return say("thinking");
    case "answering":
      return turn.answer === "" ? say("writing") : undefined;
    case "stopped":
      return say("stopped");
    default:
      return undefined;
  }
}

/** What was searched for: in the place of misspelled words, and by a model that looked for itself. */
function showSearches(line: HTMLElement, { corrected, looks }: Turn, { say }: PanelDeps): void {
  line.textContent =
    (corrected ? `${say("corrected", { query: corrected })} ` : "") +
    (looks ? say("searched", { query: looks }) : "");
  line.hidden = line.textContent === "";
}

/** What went wrong; the last turn can be asked once more. */
function showError(notice: HTMLElement, turn: Turn, isLast: boolean, { say, onRetry }: PanelDeps): void {
  const error = turn.status === "failed" ? turn.error : undefined;
  fill(notice, error && errorBox(errorText(error, turn, say), say, isLast ? onRetry : undefined));
}

/** Whose words an answer is made of, where a model did not write it. */
function showMark(mark: HTMLElement, turn: Turn, { say }: PanelDeps): void {
  const kind = turn.isCurated ? "curated" : turn.outcome === "quoted" ? "quoted" : undefined;
  mark.hidden = kind === undefined;
  if (kind) fill(mark, icon(kind === "curated" ? paths.team : paths.quote), say(kind));
}
