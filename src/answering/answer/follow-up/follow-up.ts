import { englishStem } from "@docent/finding/search/stems/stems";
import { isPointedAt, type PastMessage, type ReaderContext } from "../responder.ts";
import { alternativesIn, withAlternatives, withoutAlternatives } from "./alternatives.ts";
import { type Opened, openingOf } from "./openings.ts";
import { ANSWER_CHARACTERS_MAX, addressesIn, endsWithQuestion, itemIn, offerIn } from "./past-answer.ts";
import { hasPronoun, pointsBack } from "./pronouns.ts";
import { isAboutAnswer, isReport, isWhole, withoutShowing } from "./question-kinds.ts";
import { type Subject, topicFor } from "./topic.ts";
import { isAction, isOwnerless, tellingWords, withoutOwnerless } from "./words.ts";

const CONTEXT_CHARACTERS_MAX = 300;
/** How many of the latest messages are searched for the topic. */
const MESSAGES_MAX = 16;
const QUESTION_CHARACTERS_MAX = 400;

/** A question as it is searched. */
interface Completed {
  query: string;
  /** Whether it depended on the conversation, which supplied what it left unsaid. */
  leans: boolean;
  /** How the query begins, before a colon, where the conversation supplied that and the question asks for more of its own. */
  topic?: string | undefined;
}

/** What is searched for. */
export interface Wanted {
  text: string;
  /** Undefined for a question that stands by itself. */
  continued: Continued | undefined;
}

/** What a question goes on with. */
export interface Continued {
  topic: string | undefined;
  /** The addresses that the last answer cites. */
  cited: string[];
}

/** The same with what it goes on with. */
export function toSearch(question: string, conversation: PastMessage[], contexts: ReaderContext[]): Wanted {
  const text = toSearchText(question, conversation, contexts);
  const { leans, query, topic } = completeQuestion(question, conversation);
  if (!leans) return { text, continued: undefined };
  const answer = conversation.findLast(({ role }) => role === "assistant")?.text ?? "";
  // What the reader points at is asked about as well, and is no part of a question that goes on.
  return {
    text,
    continued: { topic: text === query.trim() ? topic : undefined, cited: addressesIn(answer) },
  };
}

/**
 * The text to search for. A follow-up is completed from the conversation, and the reader's selections are
 * added, because "what does this mean?" says nothing by itself. Expects the conversation as readers saw it,
 * with the links in its answers.
 */
export function toSearchText(
  question: string,
  conversation: PastMessage[],
  contexts: ReaderContext[],
): string {
  const pointedAt = contexts
    .filter(isPointedAt)
    .map((context) => context.text.slice(0, CONTEXT_CHARACTERS_MAX).toWellFormed());
  const { query } = completeQuestion(question, conversation);
  return [query, ...pointedAt].map((text) => text.trim()).join("\n");
}

/** Whether a text only greets or thanks. */
export const isPleasantry = (text: string) => openingOf(text).isPleasantry;

/** Decides whether a question stands by itself, and completes it from the conversation where it does not. */
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

/** The subject after a question. Thanks do not change it. */
function nextSubject(question: string, subject: Subject | undefined): Subject | undefined {
  if (question.length <= QUESTION_CHARACTERS_MAX && openingOf(question).isPleasantry) return subject;
  const { query } = searched(question, subject);
  return { question: query.slice(0, QUESTION_CHARACTERS_MAX).toWellFormed(), answer: subject?.answer ?? "" };
}

function searched(question: string, subject: Subject | undefined): Completed {
  // Long questions stand by themselves and are not examined.
  const isLong = question.length > QUESTION_CHARACTERS_MAX;
  if (subject === undefined || isLong) return { query: question, leans: false };
  const opened = openingOf(question);
  if (opened.isNewTopic) return { query: opened.rest, leans: false };
  const query = complete(opened, subject);
  return query === undefined
    ? { query: question, leans: false }
    : { query, leans: true, topic: topicOf(query, opened.rest) };
}

/** A question with so many words of its own asks for something else than its topic says; others are of that alone. */
const OWN_WORDS_ASKING = 2;
const LETTER = /\p{L}/u;

/** What a query has before its question, where that asks for something of its own. */
function topicOf(query: string, rest: string): string | undefined {
  const before = query.slice(0, -rest.length);
  const isBegun = query.endsWith(rest) && before.endsWith(": ");
  const asking = ownWords(rest).filter((word) => LETTER.test(word));
  return isBegun && asking.length >= OWN_WORDS_ASKING ? before.slice(0, -2) : undefined;
}

/** "not nginx, Caddy", "not nginx but Caddy". */
const DENIAL = /^not\s+([^,]{1,80}?)(?:,\s*(?:but\s+)?|\s+but\s+)(.{1,200})$/iu;

/** An opened question completed by the subject; undefined where it stands by itself. */
function complete(opened: Opened, subject: Subject): string | undefined {
  if (opened.isPleasantry) return undefined;
  const { rest } = opened;
  const offer = offerIn(subject.answer);
  if (opened.isYes) return offer === undefined ? subject.question : accepted(offer, subject);
  const item = itemIn(subject.answer, rest);
  if (item !== undefined) return saysNothing(rest) ? accepted(item, subject) : `${item}: ${rest}`;
  if (opened.isCorrection) return corrected(rest, subject);
  const said = new Set(tellingWords(`${subject.question} ${subject.answer}`).map(englishStem));
  const wasAsked = endsWithQuestion(subject.answer) && !opened.isContinued;
  if (!leans(opened, { wasSaid: (word) => said.has(englishStem(word)), wasAsked })) return undefined;
  const about = opened.beginsWithYes && offer !== undefined ? { ...subject, question: offer } : subject;
  return joined(rest, about);
}

/** The offer or list item that a reader accepts, with its topic where it does not name that itself. */
function accepted(offer: string, subject: Subject): string {
  return ownWords(offer).length > 0 || alternativesIn(offer).length > 0 ? offer : joined(offer, subject);
}

/** The previous question, with what was meant in place of what was asked by mistake. */
function corrected(rest: string, subject: Subject): string {
  const [, denied = "", wanted = rest] = DENIAL.exec(rest) ?? [];
  const at = denied === "" ? -1 : subject.question.toLowerCase().indexOf(denied.toLowerCase());
  if (at >= 0) {
    const after = subject.question.slice(at + denied.length);
    return subject.question.slice(0, at) + wanted.replace(/(?<![?.!])[?.!]+$/, "") + after;
  }
  const own = ownWords(wanted);
  const before = new Set(tellingWords(subject.question));
  if (own.length >= 2 && !own.some((word) => before.has(word)) && !pointsBack(wanted)) return wanted;
  return joined(wanted, subject);
}

/**
 * The previous question with another system, language or version; or the question with its topic in front.
 */
function joined(rest: string, subject: Subject): string {
  if (saysNothing(rest) && alternativesIn(rest).length > 0) {
    const before = subject.question.replace(/(?<![\s?？.!。！])[\s?？.!。！]+$/u, "");
    return withAlternatives(subject.question, rest) ?? `${before} ${rest}`;
  }
  const topic = topicFor(rest, subject);
  return topic === "" ? rest : `${topic}: ${withoutShowing(rest)}`;
}

/** Whether a text has no words that say what to look for: "on Windows", "the second one". */
const saysNothing = (text: string) => ownWords(text).length === 0 && !tellingWords(text).some(isAction);

/** A question with this many words of its own stands by itself. */
const OWN_WORDS_ENOUGH = 5;
/** The same where a word points back, as in "does it keep …". */
const OWN_WORDS_WITH_PRONOUN = 8;
/** A longer question stands by itself. */
const LEANING_CHARACTERS_MAX = 300;
/** Text that a reader copies from a screen: code, an error code. */
const PASTED = /```|\n {4}\S|\b[A-Z]{1,8}-?\d{3,}\b|\b\d{3}:|\bE[A-Z]{3,}\b|\w+Error\b|\w+Exception\b/;
/** A name, option or message between backticks. */
const MARKED = /`[^`]{3,}`/;
const ASKS =
  /\b(?:what|which|who|whom|whose|when|where|why|how|is|are|was|were|do|does|did|can|could|will|would|should|may|must|has|have|tell|show|give|explain|list|any|wie|was|wo|wann|warum|welche[rsn]?|kann|gibt|ist|sind|comment|quel(?:le)?s?|où|quand|pourquoi|peut|cómo|qué|dónde|cuándo|cuál|puedo|hay)\b|[吗呢么什哪何か]/iu;
const PREPOSITION =
  /^(?:on|in|with|without|for|from|to|via|using|under|at|by|as|after|before|during|until|every|behind|inside|only|just|not|like|through|per|auf|in|mit|ohne|für|unter|bei|von|als|nach|vor|sur|avec|sans|pour|dans|sous|comme|après|avant|en|con|sin|para|desde|bajo|como)\s/iu;
const BARE_WHICH =
  /^(?:which|what|whose|how many|how much|how often|since when|welche[rsn]?|wie viele?|quel(?:le)?s?|cuántos?|cuál(?:es)?|qué)(?:\s+\S+){0,2}\s*\??$/iu;

/** The words of a question that say by themselves what to look for. */
function ownWords(question: string): string[] {
  return tellingWords(withoutOwnerless(withoutAlternatives(question))).filter(
    (word) => !isOwnerless(word) && !isAction(word),
  );
}

/**
 * Whether a question, without its opening, has to be completed from the conversation. `wasSaid` tells whether
 * the conversation contains a word, and `wasAsked` whether the last answer ended in a question to the reader.
 */
function leans(
  { rest, isContinued }: Opened,
  { wasSaid, wasAsked }: { wasSaid: (word: string) => boolean; wasAsked: boolean },
): boolean {
  if (rest.length > LEANING_CHARACTERS_MAX || PASTED.test(rest)) return false;
  const own = ownWords(rest);
  if (isReport(rest, own)) return true;
  if (MARKED.test(rest)) return false;
  if (own.length >= OWN_WORDS_ENOUGH) return own.length < OWN_WORDS_WITH_PRONOUN && hasPronoun(rest);
  if (own.length === 0 || pointsBack(rest) || isAboutAnswer(rest, own)) return true;
  if (isContinued) return own.length < 2 || !ASKS.test(rest) || own.some(wasSaid);
  if (wasAsked && !ASKS.test(rest) && own.length <= 3) return true;
  if (PREPOSITION.test(rest) && !ASKS.test(rest)) return true;
  if (BARE_WHICH.test(rest) && own.length < 2) return true;
  const told = own.length + alternativesIn(rest).length;
  return ASKS.test(rest) && !isWhole(rest) && (told < 2 || (told === 2 && own.some(wasSaid)));
}
