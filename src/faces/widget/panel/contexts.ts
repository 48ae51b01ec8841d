import type { QuestionContext } from "../../conversation/state.ts";
import { iconButton } from "../../dom/button.ts";
import { element, fill } from "../../dom/element.ts";
import * as paths from "../../dom/icon-paths.ts";
import { icon } from "../../dom/icons.ts";
import type { Say } from "../labels.ts";

const CONTEXTS_MAX = 5;
const SNIPPET_CHARACTERS_MAX = 80;

/** The pieces of the page that the next question is about, each with a button that leaves it out. */
interface ContextList {
  element: HTMLElement;
  all(): QuestionContext[];
  set(contexts: QuestionContext[]): void;
  add(context: QuestionContext): void;
}

/** `onChange` runs after each change, `onRemove` after one that the reader made with a chip's button. */
export function createContextList(say: Say, onChange: () => void, onRemove: () => void): ContextList {
  let contexts: QuestionContext[] = [];
  const chips = element("ul", { class: "contexts" });
  const set = (next: QuestionContext[]) => {
    contexts = next;
    fill(chips, ...contexts.map((context) => contextChip(context, say, () => remove(context))));
    chips.hidden = contexts.length === 0;
    onChange();
  };
  const remove = (context: QuestionContext) => {
    set(contexts.filter((each) => each !== context));
    onRemove();
  };
  return {
    element: chips,
    all: () => contexts,
    set,
    add(context) {
      const others = contexts.filter(({ value }) => value !== context.value);
      set([...others, context].slice(-CONTEXTS_MAX));
    },
  };
}

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
    icon(type === "code" ? paths.code : paths.quote),
    element("span", { class: "hidden" }, `${label}: `),
    element("span", { class: "context-text" }, shown),
    onRemove && iconButton(paths.close, `${say("removeContext")}: ${shown}`, onRemove),
  );
}
