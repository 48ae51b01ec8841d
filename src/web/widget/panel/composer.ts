import type { QuestionContext } from "../../conversation/state.ts";
import { iconButton } from "../../dom/button.ts";
import { element, fill } from "../../dom/element.ts";
import { icon } from "../../dom/icons.ts";
import { isComposing } from "../hotkey.ts";
import type { Say } from "../labels.ts";

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

export interface Draft {
  text: string;
  contexts: QuestionContext[];
}

interface ComposerOptions {
  say: Say;
  onAsk: (text: string, contexts: QuestionContext[]) => void;
  onStop: () => void;
}

const QUESTION_CHARACTERS_MAX = 8000;
const CONTEXTS_MAX = 5;
const HEIGHT_PIXELS_MAX = 168;

export function createComposer({ say, onAsk, onStop }: ComposerOptions): Composer {
  let contexts: QuestionContext[] = [];
  let isBusy = false;
  let isComposed = true;
  const chips = element("ul", { class: "contexts" });
  const field = element("textarea", {
    rows: 1,
    maxlength: QUESTION_CHARACTERS_MAX,
    placeholder: say("placeholder"),
    "aria-label": say("placeholder"),
    enterkeyhint: "send",
    autocomplete: "off",
    oninput: () => update(),
    oncompositionstart: () => (isComposed = false),
    oncompositionend: () => (isComposed = true),
  });
  const send = iconButton("send", say("send"), () => submit(), "send");
  const stop = iconButton("stop", say("stop"), onStop, "send stop");
  // No form: a frame may forbid them.
  const composer = element("div", { class: "composer" }, chips, field, send, stop);

  const update = () => {
    grow(field);
    send.disabled = field.value.trim() === "" && contexts.length === 0;
    send.hidden = isBusy;
    stop.hidden = !isBusy;
  };
  const showContexts = () => {
    fill(chips, ...contexts.map((context) => contextChip(context, say, () => drop(context))));
    chips.hidden = contexts.length === 0;
    update();
  };
  const drop = (context: QuestionContext) => {
    contexts = contexts.filter((each) => each !== context);
    showContexts();
    field.focus();
  };
  const submit = () => {
    const text = field.value.trim();
    if (isBusy || (text === "" && contexts.length === 0)) return;
    const asked = contexts;
    contexts = [];
    field.value = "";
    showContexts();
    onAsk(text === "" ? say("explain") : text, asked);
  };
  field.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.shiftKey || isComposing(event)) return;
    event.preventDefault();
    submit();
  });
  showContexts();

  return {
    element: composer,
    field,
    whenComposed(run) {
      if (isComposed) run();
      else field.addEventListener("compositionend", run, { once: true });
    },
    draft: () => ({ text: field.value, contexts }),
    restore(draft) {
      field.value = draft.text;
      contexts = draft.contexts;
      showContexts();
    },
    add(context) {
      const others = contexts.filter(({ value }) => value !== context.value);
      contexts = [...others, context].slice(-CONTEXTS_MAX);
      showContexts();
    },
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

const SNIPPET_CHARACTERS_MAX = 80;

/** A piece of the page, as it is shown beside a question. */
export function contextChip(
  { type, value }: QuestionContext,
  say: Say,
  onRemove?: () => void,
): HTMLLIElement {
  const label = say(type === "code" ? "aboutCode" : "aboutSelection");
  const text = value.replace(/\s+/g, " ").trim();
  const shown = text.length > SNIPPET_CHARACTERS_MAX ? `${text.slice(0, SNIPPET_CHARACTERS_MAX)}…` : text;
  return element(
    "li",
    { class: "context" },
    icon(type === "code" ? "code" : "quote"),
    element("span", { class: "hidden" }, `${label}: `),
    element("span", { class: "context-text" }, shown),
    onRemove && iconButton("close", `${say("removeContext")}: ${shown}`, onRemove),
  );
}

function grow(field: HTMLTextAreaElement): void {
  field.style.height = "auto";
  const wanted = field.scrollHeight;
  if (wanted > 0) field.style.height = `${Math.min(wanted, HEIGHT_PIXELS_MAX)}px`;
}

/** The shadow root that an element is in: it alone knows what has the focus there. */
export function rootOf(element: Node): Document | ShadowRoot {
  const root = element.getRootNode();
  return root instanceof ShadowRoot ? root : document;
}
