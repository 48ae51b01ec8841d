import { englishStem } from "@docent/finding/search/stems/stems";
import { withoutRivals } from "./alternatives.ts";
import { citedIn } from "./past-answer.ts";
import { isAction, isFunctionWord, isOwnerless, tellingWords } from "./words.ts";

const TOPIC_WORDS_MAX = 6;
const CITED_WORDS_MAX = 3;
const WORD_CHARACTERS_MAX = 40;
/** A topic with so many telling words says what it is about, */
const WORDS_ENOUGH = 3;
/** and so does one with so many that mean something without an owner. */
const OWN_WORDS_ENOUGH = 2;

const QUESTION_OPENING =
  /^(?:(?:please|so|and|hi|hello)[,\s]+)*(?:(?:how(?:\s+(?:often|long|far))?|where|when|why|what|which)\s+)?(?:(?:do|does|did|can|could|should|would|will|must|may|is|are|was|were)\s+)?(?:(?:i|we|you|one|there|it)\s+)?(?:happens?\s+(?:to|when|if)?\s*)?(?:(?:need|want|have|like|possible)\s+to\s+)?(?:(?:the|a|an|my|any)\s+)*/iu;
const OPENING_ELSEWHERE =
  /^(?:wie (?:kann|muss|soll)? ?(?:ich|man|wir)|wie|wo|was (?:ist|sind)|kann (?:ich|man)|gibt es|comment (?:puis-je|faire pour|on)?|qu['’]est-ce que(?: c['’]est)?|est-ce que|peut-on|cómo (?:puedo|se)?|qué (?:es|son)|puedo|请问|如何|怎么|怎样|我?可以)\s*/iu;

/** What the conversation is about: the last question that stood by itself, and its answer. */
export interface Subject {
  question: string;
  answer: string;
}

/** "what is the restart policy": its actions belong to names. */
const ASKS_FOR_THING = /^(?:what|which|was|welche[rs]?|quel(?:le)?s?|qué|cuál(?:es)?)(?!\p{L})/iu;
/** "how do I exclude …", "does it run …": a verb that is the question's own. */
const OWN_VERB =
  /\b(?:do|does|did|can|could|should|will|would|may|must)(?:n['’]?t)? (?:i|we|you|it|they)\b(?! (?:do|find|get|have|know|make|need|see|use)\b)/iu;

/** "do I have to restart it afterwards?" asks about what was done first as well. */
const COMES_AFTER =
  /(?<!\p{L})(?:afterwards?|after (?:that|this)|before (?:that|this)|beforehand|danach|davor|vorher|nachher|après (?:ça|cela)|ensuite|avant (?:ça|cela)|después|antes|luego)(?!\p{L})|之后|以后|その後|あとで/iu;

/**
 * A few words on the subject to put before a follow-up. Leaves out what the question replaces, such as
 * another system or action.
 */
export function topicFor(question: string, subject: Subject): string {
  const asked = tellingWords(question);
  const phrase = withoutRivals(subject.question.replace(/(?<![\s?？.!。！])[\s?？.!。！]+$/u, ""), question)
    .replace(QUESTION_OPENING, "")
    .replace(OPENING_ELSEWHERE, "");
  const isReplaced =
    !ASKS_FOR_THING.test(subject.question) &&
    !COMES_AFTER.test(question) &&
    (asked.some(isAction) || OWN_VERB.test(question));
  const topic = firstWords(
    phrase,
    TOPIC_WORDS_MAX,
    (word) => isReplaced && isAction(word) && !asked.includes(word),
  );
  const cited = citedIn(subject.answer).flatMap((name) => tellingWords(withoutRivals(name, question)));
  if (saysEnough(topic, cited)) return topic;
  const said = new Set([...tellingWords(topic), ...asked]);
  const fresh = cited.filter((word) => !said.has(word) && !isAction(word));
  const more = [...new Set(fresh)].slice(0, CITED_WORDS_MAX).join(" ");
  return [topic, more].filter(Boolean).join(", ");
}

/**
 * Whether a topic can do without the names of cited pages. Where the answer was wrong, these lead astray; one word is enough
 * where they have it too.
 */
function saysEnough(topic: string, cited: readonly string[]): boolean {
  const telling = tellingWords(topic);
  const own = telling.filter((word) => !isOwnerless(word));
  const named = new Set(cited.map(englishStem));
  const isNamed = (word: string) => word.split(/[._-]+/).every((part) => named.has(englishStem(part)));
  return telling.length >= WORDS_ENOUGH || own.length >= OWN_WORDS_ENOUGH || own.some(isNamed);
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
  const all = kept.join(" ");
  while (kept.length > 0 && isFunctionWord((kept.at(-1) ?? "").toLowerCase())) kept.pop();
  while (kept.length > 0 && isFunctionWord((kept[0] ?? "").toLowerCase())) kept.shift();
  return (kept.join(" ") || all).replace(/(?<![,;:])[,;:]+$/, "");
}
