import { alternativesIn, withoutAlternatives } from "./alternatives.ts";
import { isAboutAnswer, isReport, isWhole } from "./kinds.ts";
import type { Opened } from "./openings.ts";
import { hasPronoun, pointsBack } from "./pronouns.ts";
import { isAction, isOwnerless, tellingWords, withoutOwnerless } from "./words.ts";

/** Whether a text has no words that say what to look for: "on Windows", "the second one". */
export const saysNothing = (text: string) =>
  ownWords(text).length === 0 && !tellingWords(text).some(isAction);

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
export function ownWords(question: string): string[] {
  return tellingWords(withoutOwnerless(withoutAlternatives(question))).filter(
    (word) => !isOwnerless(word) && !isAction(word),
  );
}

/**
 * Whether a question, without its opening, has to be completed from the conversation. `wasSaid` tells whether
 * the conversation contains a word, and `wasAsked` whether the last answer ended in a question to the reader.
 */
export function leans(
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
