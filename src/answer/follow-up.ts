import { analyzeQuestion } from "../search/analyze.ts";
import type { PastMessage, ReaderContext } from "./responder.ts";

const TELLING_TERMS_MIN = 3;
const CONTEXT_CHARACTERS_MAX = 300;
/** Openings and words that point back at what was said before. */
const POINTS_BACK =
  /^(and|but|so|or|also|what about|how about|why|ok(ay)?|yes|no|sure|then)\b|\b(it|its|that|this|these|those|they|them|one|ones|there|same|instead|above|former|latter|other)\b/i;

/**
 * The question as it is searched for. One that leans on the conversation is preceded by the question before it, and
 * what the reader pointed at is searched for too, because "what does this mean?" says nothing by itself.
 */
export function toSearchText(question: string, history: PastMessage[], contexts: ReaderContext[]): string {
  const previous = history.findLast((message) => message.role === "user")?.text;
  const pointedAt = contexts
    .filter((context) => context.kind === "code" || context.kind === "textSelection")
    .map((context) => context.text.slice(0, CONTEXT_CHARACTERS_MAX).toWellFormed());
  const before = previous !== undefined && leansOnWhatWasSaid(question) ? [previous] : [];
  return [...before, question, ...pointedAt].map((text) => text.trim()).join("\n");
}

function leansOnWhatWasSaid(question: string): boolean {
  return (
    analyzeQuestion(question).length < TELLING_TERMS_MIN ||
    (question.length < 60 && POINTS_BACK.test(question))
  );
}
