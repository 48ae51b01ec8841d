import { withoutRivals } from "./alternatives.ts";
import { citedIn } from "./past-answer.ts";
import { isAction, isFunctionWord, isOwnerless, tellingWords } from "./words.ts";

const TOPIC_WORDS_MAX = 6;
const CITED_WORDS_MAX = 3;
const WORD_CHARACTERS_MAX = 40;
/** A question with fewer words of its own does not say what was talked about; the pages that answered it do. */
const WORDS_ENOUGH = 3;

const QUESTION_OPENING =
  /^(?:(?:please|so|and|hi|hello)[,\s]+)*(?:(?:how|where|when|why|what|which)\s+)?(?:(?:do|does|did|can|could|should|would|will|must|may|is|are|was|were)\s+)?(?:(?:i|we|you|one|there|it)\s+)?(?:happens?\s+(?:to|when|if)?\s*)?(?:(?:need|want|have|like|possible)\s+to\s+)?(?:(?:the|a|an|my|any)\s+)*/iu;
const OPENING_ELSEWHERE =
  /^(?:wie (?:kann|muss|soll)? ?(?:ich|man|wir)|wie|wo|was (?:ist|sind)|kann (?:ich|man)|gibt es|comment (?:puis-je|faire pour|on)?|qu['’]est-ce que(?: c['’]est)?|est-ce que|peut-on|cómo (?:puedo|se)?|qué (?:es|son)|puedo|请问|如何|怎么|怎样|我?可以)\s*/iu;

/** What was talked about: the last question that stood alone, and the answer to it. */
export interface Subject {
  question: string;
  answer: string;
}

/**
 * A few words of what was talked about, to stand before a question that leans on it. What the question says otherwise
 * (another system, another thing to do) is left out.
 */
export function topicFor(question: string, subject: Subject): string {
  const asked = tellingWords(question);
  const phrase = withoutRivals(subject.question.replace(/[\s?？.!。！]+$/u, ""), question)
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

/** The words of what was cited that nobody has said yet. */
function citedWords(answer: string, question: string, said: ReadonlySet<string>): string {
  const names = citedIn(answer).map((name) => withoutRivals(name, question));
  const fresh = names
    .flatMap((name) => tellingWords(name))
    .filter((word) => !said.has(word) && !isAction(word));
  return [...new Set(fresh)].slice(0, CITED_WORDS_MAX).join(" ");
}

/** The beginning of a phrase that has so many telling words, without those that are not wanted. */
function firstWords(phrase: string, wordsMax: number, isUnwanted: (word: string) => boolean): string {
  const kept: string[] = [];
  let telling = 0;
  for (const word of phrase.split(/\s+/)) {
    const bare = tellingWords(word);
    if (bare.length > 0 && bare.every(isUnwanted)) continue;
    // Of a text without spaces the first word is nearly all of it.
    if (kept.length > 0 && telling + bare.length > wordsMax) break;
    telling += bare.length;
    kept.push(word.slice(0, WORD_CHARACTERS_MAX).toWellFormed());
  }
  while (kept.length > 0 && isFunctionWord((kept.at(-1) ?? "").toLowerCase())) kept.pop();
  while (kept.length > 0 && isFunctionWord((kept[0] ?? "").toLowerCase())) kept.shift();
  return kept.join(" ").replace(/[,;:]+$/, "");
}
