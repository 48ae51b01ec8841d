import type { QuestionContext } from "../../conversation/state.ts";
import { iconButton } from "../../dom/button.ts";
import { element } from "../../dom/element.ts";
import { rootOf } from "../../dom/focus.ts";
import * as paths from "../../dom/icon-paths.ts";
import { isComposing } from "../../dom/keyboard.ts";
import type { Say } from "../labels.ts";
import { createContextList } from "./contexts.ts";

/** Where a question is written. */
export interface Composer {
  element: HTMLElement;
  field: HTMLTextAreaElement;
  /** What is written and not sent. */
  draft(): Draft;
  restore(draft: Draft): void;
  /** Adds a piece of the page that the next question is about. */
  add(context: QuestionContext): void;
  setBusy(isBusy: boolean): void;
  /** Runs when no character is being put together. */
  whenComposed(run: () => void): void;
}

interface Draft {
  text: string;
  contexts: QuestionContext[];
}

interface ComposerOptions {
  say: Say;
  onAsk: (text: string, contexts: QuestionContext[]) => void;
  onStop: () => void;
}

const QUESTION_CHARACTERS_MAX = 8000;
const HEIGHT_PIXELS_MAX = 168;

export function createComposer({ say, onAsk, onStop }: ComposerOptions): Composer {
  let isBusy = false;
  const update = () => {
    grow(field);
    send.disabled = field.value.trim() === "" && contexts.all().length === 0;
    send.hidden = isBusy;
    stop.hidden = !isBusy;
  };
  const submit = () => {
    const text = field.value.trim();
    const asked = contexts.all();
    if (isBusy || (text === "" && asked.length === 0)) return;
    field.value = "";
    contexts.set([]);
    onAsk(text === "" ? say("explain") : text, asked);
  };
  const { field, whenComposed } = createField(say("placeholder"), update, submit);
  const contexts = createContextList(say, update, () => field.focus());
  const send = iconButton(paths.send, say("send"), submit, "send");
  const stop = iconButton(paths.stop, say("stop"), onStop, "send stop");
  // No form: a frame may forbid them.
  const composer = element("div", { class: "composer" }, contexts.element, field, send, stop);
  contexts.set([]);

  return {
    element: composer,
    field,
    whenComposed,
    draft: () => ({ text: field.value, contexts: contexts.all() }),
    restore(draft) {
      field.value = draft.text;
      contexts.set(draft.contexts);
    },
    add: contexts.add,
    setBusy(busy) {
      // An answer that comes says so with every frame: the focus may have gone on to the button that stops it.
      if (busy === isBusy) return;
      isBusy = busy;
      // The button that was pressed is about to go: the next key is for the field.
      const hadFocus = composer.contains(rootOf(composer).activeElement);
      update();
      if (hadFocus) field.focus();
    },
  };
}

/** The field that a question is written in: Enter sends it, unless the key belongs to a character that is put together. */
function createField(placeholder: string, onInput: () => void, onEnter: () => void) {
  let isComposed = true;
  const field = element("textarea", {
    rows: 1,
    maxlength: QUESTION_CHARACTERS_MAX,
    placeholder,
    "aria-label": placeholder,
    enterkeyhint: "send",
    autocomplete: "off",
    oninput: onInput,
    oncompositionstart: () => (isComposed = false),
    oncompositionend: () => (isComposed = true),
  });
  field.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.shiftKey || isComposing(event)) return;
    event.preventDefault();
    onEnter();
  });
  return {
    field,
    whenComposed(run: () => void) {
      if (isComposed) run();
      else field.addEventListener("compositionend", run, { once: true });
    },
  };
}

function grow(field: HTMLTextAreaElement): void {
  field.style.height = "auto";
  const wanted = field.scrollHeight;
  if (wanted > 0) field.style.height = `${Math.min(wanted, HEIGHT_PIXELS_MAX)}px`;
}
