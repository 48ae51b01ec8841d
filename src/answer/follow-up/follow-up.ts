import type { PastMessage, ReaderContext } from "../responder.ts";
import { complete } from "./complete.ts";
import { openingOf } from "./openings.ts";
import type { Subject } from "./topic.ts";

const CONTEXT_CHARACTERS_MAX = 300;
/** How far back a topic is looked for. */
const MESSAGES_MAX = 16;
const QUESTION_CHARACTERS_MAX = 400;
const ANSWER_CHARACTERS_MAX = 8000;

/** A question as it is searched for. */
export interface Completed {
  query: string;
  /** It did not stand alone: what it left unsaid was taken from the conversation. */
  leans: boolean;
}

/**
 * The question as it is searched for: one that leans on the conversation is completed from it, and what the reader
 * pointed at is searched for too, because "what does this mean?" says nothing by itself. The conversation is wanted
 * as readers saw it, with the links of its answers.
 */
export function toSearchText(
  question: string,
  conversation: PastMessage[],
  contexts: ReaderContext[],
): string {
  const pointedAt = contexts
    .filter((context) => context.kind === "code" || context.kind === "textSelection")
    .map((context) => context.text.slice(0, CONTEXT_CHARACTERS_MAX).toWellFormed());
  const { query } = completeQuestion(question, conversation);
  return [query, ...pointedAt].map((text) => text.trim()).join("\n");
}

/** Decides whether a question stands alone, and completes it from the conversation where it does not. */
export function completeQuestion(question: string, conversation: PastMessage[]): Completed {
  let subject: Subject | undefined;
  for (const { role, text } of conversation.slice(-MESSAGES_MAX)) {
    if (role === "user") subject = nextSubject(text, subject);
    else if (subject !== undefined) {
      subject = { ...subject, answer: text.slice(-ANSWER_CHARACTERS_MAX).toWellFormed() };
    }
  }
  return searched(question, subject);
}

/** What is talked about once this was asked. Thanks change nothing. */
function nextSubject(question: string, subject: Subject | undefined): Subject | undefined {
  if (question.length <= QUESTION_CHARACTERS_MAX && openingOf(question).isPleasantry) return subject;
  const { query } = searched(question, subject);
  return {
    question: query.slice(0, QUESTION_CHARACTERS_MAX).toWellFormed(),
    answer: subject?.answer ?? "",
  };
}

function searched(question: string, subject: Subject | undefined): Completed {
  // What is longer stands alone, and is not looked through.
  const isLong = question.length > QUESTION_CHARACTERS_MAX;
  const query = subject === undefined || isLong ? undefined : complete(question, subject);
  return query === undefined ? { query: question, leans: false } : { query, leans: true };
}
