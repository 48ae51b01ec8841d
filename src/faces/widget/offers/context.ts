import type { QuestionContext } from "../../conversation/state.ts";
import { isEditing } from "../../dom/keyboard.ts";
import { pathHere } from "../page.ts";

const TEXT_CHARACTERS_MIN = 3;
const TEXT_CHARACTERS_MAX = 6000;

/** The text that is selected on the page, as a question's context; undefined where nothing is, or what is being written. */
export function selectedContext(): (QuestionContext & { range: Range }) | undefined {
  const selection = getSelection();
  if (!selection || selection.isCollapsed || selection.rangeCount === 0) return undefined;
  const range = selection.getRangeAt(0);
  const within = elementOf(range.commonAncestorContainer);
  if (!within || isEditing(within) || isEditing(document.activeElement ?? undefined)) return undefined;
  const value = selection.toString().trim();
  if (value.length < TEXT_CHARACTERS_MIN) return undefined;
  return { ...context("textSelection", value, within), range };
}

/** A block of code of the page, as a question's context. */
export function codeContext(block: Element): QuestionContext | undefined {
  const value = (block.textContent ?? "").trim();
  return value.length < TEXT_CHARACTERS_MIN ? undefined : context("code", value, block);
}

function context(type: QuestionContext["type"], value: string, within: Element): QuestionContext {
  const elementId = within.closest("[id]")?.id;
  return {
    type,
    value: value.slice(0, TEXT_CHARACTERS_MAX),
    path: pathHere(),
    ...(elementId ? { elementId } : {}),
  };
}

const elementOf = (node: Node): Element | null => (node instanceof Element ? node : node.parentElement);
