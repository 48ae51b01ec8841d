import { isPointedAt, type PastMessage, type ReaderContext } from "../responder.ts";
import { alternativesIn, withAlternatives, withoutAlternatives, withoutRivals } from "./alternatives.ts";
import { citedIn, endsWithQuestion, itemIn, offerIn } from "./past-answer.ts";
import {
  isAction,
  isFunctionWord,
  isOwnerless,
  type Opened,
  openingOf,
  pointsBack,
  tellingWords,
} from "./words.ts";

const CONTEXT_CHARACTERS_MAX = 300;
/** How many of the latest messages are searched for the topic. */
const MESSAGES_MAX = 16;
const QUESTION_CHARACTERS_MAX = 400;
const ANSWER_CHARACTERS_MAX = 8000;

/** A question as it is searched. */
interface Completed {
  query: string;
  /** Whether it depended on the conversation, which supplied what it left unsaid. */
  leans: boolean;
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
  const query = subject === undefined || isLong ? undefined : complete(question, subject);
  return query === undefined ? { query: question, leans: false } : { query, leans: true };
}

/** "not nginx, Caddy", "not nginx but Caddy". */
const DENIAL = /^not\s+([^,]{1,80}?)(?:,\s*(?:but\s+)?|\s+but\s+)(.{1,200})$/iu;

/** A question completed by the subject; undefined where it stands by itself. */
function complete(question: string, subject: Subject): string | undefined {
  const opened = openingOf(question);
  if (opened.isPleasantry) return undefined;
  const { rest } = opened;
  const offer = offerIn(subject.answer);
  if (opened.isYes) return offer === undefined ? subject.question : accepted(offer, subject);
  const item = itemIn(subject.answer, rest);
  if (item !== undefined) return saysNothing(rest) ? accepted(item, subject) : `${item}: ${rest}`;
  if (opened.isCorrection) return corrected(rest, subject);
  const said = new Set(tellingWords(`${subject.question} ${subject.answer}`));
  const wasAsked = endsWithQuestion(subject.answer) && !opened.isContinued;
  if (!leans(opened, { wasSaid: (word) => said.has(word), wasAsked })) return undefined;
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
  if (own.length >= 2 && !own.some((word) => before.has(word))) return wanted;
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
  return topic === "" ? rest : `${topic}: ${rest}`;
}

/** Whether a text has no words that say what to look for: "on Windows", "the second one". */
const saysNothing = (text: string) => ownWords(text).length === 0 && !tellingWords(text).some(isAction);

/** A question with this many words of its own stands by itself. */
const OWN_WORDS_ENOUGH = 5;
/** A longer question stands by itself. */
const LEANING_CHARACTERS_MAX = 300;
/** Text that a reader copies from a screen: code, an error code, an option, a name with marks in it. */
const PASTED =
  /```|\n {4}\S|`[^`]{3,}`|\b[A-Z]{1,8}-?\d{3,}\b|\b\d{3}:|\bE[A-Z]{3,}\b|\w+Error\b|\w+Exception\b/;
const ASKS =
  /\b(?:what|which|who|whom|whose|when|where|why|how|is|are|was|were|do|does|did|can|could|will|would|should|may|must|has|have|tell|show|explain|list|wie|was|wo|wann|warum|welche[rsn]?|kann|gibt|ist|sind|comment|quel(?:le)?s?|où|quand|pourquoi|peut|cómo|qué|dónde|cuándo|cuál|puedo|hay)\b|[吗呢么什哪何か]/iu;
const PREPOSITION =
  /^(?:on|in|with|without|for|from|to|via|using|under|at|by|behind|inside|only|just|not|like|through|per|auf|in|mit|ohne|für|unter|bei|von|sur|avec|sans|pour|dans|sous|en|con|sin|para|desde|bajo)\s/iu;
const BARE_WHICH =
  /^(?:which|what|whose|how many|how much|how often|since when|welche[rsn]?|wie viele?|quel(?:le)?s?|cuántos?|cuál(?:es)?|qué)(?:\s+\S+){0,2}\s*\??$/iu;

/** The words of a question that say by themselves what to look for. */
function ownWords(question: string): string[] {
  return tellingWords(withoutAlternatives(question)).filter((word) => !isOwnerless(word) && !isAction(word));
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
  if (own.length >= OWN_WORDS_ENOUGH) return false;
  if (own.length === 0 || pointsBack(rest)) return true;
  if (isContinued) return own.length < 2 || !ASKS.test(rest) || own.some(wasSaid);
  if (wasAsked && !ASKS.test(rest) && own.length <= 3) return true;
  if (PREPOSITION.test(rest) && !ASKS.test(rest)) return true;
  return BARE_WHICH.test(rest) && own.length < 2;
}

const TOPIC_WORDS_MAX = 6;
const CITED_WORDS_MAX = 3;
const WORD_CHARACTERS_MAX = 40;
/** A topic with fewer telling words is too vague: the titles of cited pages are added. */
const WORDS_ENOUGH = 3;

const QUESTION_OPENING =
  /^(?:(?:please|so|and|hi|hello)[,\s]+)*(?:(?:how|where|when|why|what|which)\s+)?(?:(?:do|does|did|can|could|should|would|will|must|may|is|are|was|were)\s+)?(?:(?:i|we|you|one|there|it)\s+)?(?:happens?\s+(?:to|when|if)?\s*)?(?:(?:need|want|have|like|possible)\s+to\s+)?(?:(?:the|a|an|my|any)\s+)*/iu;
const OPENING_ELSEWHERE =
  /^(?:wie (?:kann|muss|soll)? ?(?:ich|man|wir)|wie|wo|was (?:ist|sind)|kann (?:ich|man)|gibt es|comment (?:puis-je|faire pour|on)?|qu['’]est-ce que(?: c['’]est)?|est-ce que|peut-on|cómo (?:puedo|se)?|qué (?:es|son)|puedo|请问|如何|怎么|怎样|我?可以)\s*/iu;

/** What the conversation is about: the last question that stood by itself, and its answer. */
interface Subject {
  question: string;
  answer: string;
}

/**
 * A few words on the subject to put before a follow-up. Leaves out what the question replaces, such as
 * another system or action.
 */
function topicFor(question: string, subject: Subject): string {
  const asked = tellingWords(question);
  const phrase = withoutRivals(subject.question.replace(/(?<![\s?？.!。！])[\s?？.!。！]+$/u, ""), question)
    .replace(QUESTION_OPENING, "")
    .replace(OPENING_ELSEWHERE, "");
  const topic = firstWords(
    phrase,
    TOPIC_WORDS_MAX,
    (word) => isAction(word) && asked.some(isAction) && !asked.includes(word),
  );
  const said = new Set([...tellingWords(topic), ...asked]);
  const enough = tellingWords(topic).filter((word) => !isOwnerless(word)).length >= WORDS_ENOUGH;
  return enough ? topic : [topic, citedWords(subject.answer, question, said)].filter(Boolean).join(", ");
}

/** The telling words of cited pages that were not said yet. */
function citedWords(answer: string, question: string, said: ReadonlySet<string>): string {
  const names = citedIn(answer).map((name) => withoutRivals(name, question));
  const fresh = names
    .flatMap((name) => tellingWords(name))
    .filter((word) => !said.has(word) && !isAction(word));
  return [...new Set(fresh)].slice(0, CITED_WORDS_MAX).join(" ");
}

/** The beginning of a phrase with at most `wordsMax` telling words, without the unwanted ones. */
function firstWords(phrase: string, wordsMax: number, isUnwanted: (word: string) => boolean): string {
  const kept: string[] = [];
  let telling = 0;
  for (const word of phrase.split(/\s+/)) {
    const bare = tellingWords(word);
    if (bare.length > 0 && bare.every(isUnwanted)) continue;
    // The first word is always kept: of a text without spaces it is nearly everything.
    if (kept.length > 0 && telling + bare.length > wordsMax) break;
    telling += bare.length;
    kept.push(word.slice(0, WORD_CHARACTERS_MAX).toWellFormed());
  }
  while (kept.length > 0 && isFunctionWord((kept.at(-1) ?? "").toLowerCase())) kept.pop();
  while (kept.length > 0 && isFunctionWord((kept[0] ?? "").toLowerCase())) kept.shift();
  return kept.join(" ").replace(/(?<![,;:])[,;:]+$/, "");
}
