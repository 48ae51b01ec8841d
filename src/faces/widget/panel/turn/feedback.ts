import type { Turn } from "../../../conversation/state.ts";
import { iconButton } from "../../../dom/button.ts";
import { element, fill } from "../../../dom/element.ts";
import * as paths from "../../../dom/icon-paths.ts";
import type { PanelDeps } from "../deps.ts";

/** Whether an answer helped, and what was wrong with it. */
interface FeedbackView {
  buttons: HTMLElement;
  form: HTMLElement;
  update(turn: Turn): void;
}

const COMMENT_CHARACTERS_MAX = 2000;

/** Two thumbs; the one that points down opens a field for the reason. */
export function createFeedbackView({ say, onRate }: PanelDeps): FeedbackView {
  let turn: Turn | undefined;
  let isOpen = false;
  const rate = (helpful: boolean, comment?: string) => turn && onRate(turn, helpful, comment);
  const helpful = iconButton(paths.helpful, say("helpful"), () => {
    isOpen = false;
    rate(true);
  });
  const unhelpful = iconButton(paths.unhelpful, say("unhelpful"), () => {
    isOpen = true;
    rate(false);
    show();
    field.focus();
  });
  const field = element("textarea", {
    rows: 2,
    maxlength: COMMENT_CHARACTERS_MAX,
    placeholder: say("comment"),
    "aria-label": say("comment"),
  });
  const send = () => {
    isOpen = false;
    const comment = field.value.trim();
    if (comment !== "") rate(false, comment);
    show();
    unhelpful.focus();
  };
  const form = element(
    "div",
    { class: "feedback", hidden: true },
    field,
    element("button", { type: "button", class: "plain", onclick: send }, say("sendComment")),
  );
  const said = element("span", { class: "said", role: "status" });

  const show = () => {
    const given = turn?.feedback;
    helpful.setAttribute("aria-pressed", String(given?.helpful === true));
    unhelpful.setAttribute("aria-pressed", String(given?.helpful === false));
    form.hidden = !isOpen;
    const word = given?.status === "failed" ? say("failed") : given && !isOpen ? say("thanks") : "";
    if (said.textContent !== word) fill(said, word);
  };
  return {
    buttons: element("span", { class: "thumbs" }, helpful, unhelpful, said),
    form,
    update(next) {
      turn = next;
      // Without the ids of the answer nobody could be told which one is meant.
      helpful.hidden = unhelpful.hidden = next.messageId === undefined || next.threadId === undefined;
      show();
    },
  };
}
