const QUESTION_CHARACTERS_MAX = 2000;
const ASKING = [
  "how (?:do|does|can|long|many|much|often)|what|which|where|when|why|can i|could i|do i|does it|is it|is there|are there",
  "wie|was|welche[rsnm]?|wo|wann|warum|kann ich|gibt es",
  "comment|quel(?:le)?s?|où|quand|pourquoi|combien|puis-je|est-ce",
  "¿|cómo|qué|dónde|cuándo|cuál(?:es)?|cuánt[oa]s?|puedo",
  "如何|怎么|什么|哪|能否|可以",
  "どこ|どう|何|いつ|なぜ",
].join("|");
/** Two marks with words behind the first; or a comma or an "and" before a word that asks. */
const SEVERAL = new RegExp(
  `[?？](?=\\s*\\p{L}[^?？]*[?？])|(?:[,;?？、，]|(?<!\\p{L})(?:and|und|et|y)) *(?:(?:and|und|et|y|in|to|for|from|with) +){0,2}(?:${ASKING})(?!\\p{Ll})`,
  "iu",
);

/** Whether a question may ask several things: what is found then is near to one of them, and says nothing of the others. */
export const mayAskSeveral = (question: string): boolean =>
  SEVERAL.test(question.slice(0, QUESTION_CHARACTERS_MAX));
