import { z } from "zod";
import { analyze, isStopWord, STOP_WORDS } from "../search/analyze.ts";
import { jsonIn } from "../text/json.ts";
import { type Enrichment, type PassageToEnrich, QUESTIONS } from "./enrichment.ts";

/** Why nothing of what a model wrote is used. */
export const REFUSALS = [
  "too_long",
  "no_json",
  "unreadable",
  "copied",
  "unrelated",
  "other_language",
] as const;
export type Refusal = (typeof REFUSALS)[number];

export type ReadWriting = { enrichment: Enrichment } | { refused: Refusal };

const WRITTEN_CHARACTERS_MAX = 4000;
const QUESTION_CHARACTERS = { min: 8, max: 200 };
const CONTEXT_CHARACTERS_MAX = 300;
/** A model that writes many more questions than it was asked for has written something else. */
const QUESTIONS_MAX = 20;

const writtenSchema = z.lazy(() =>
  z.object({
    questions: z.array(z.string()).max(QUESTIONS_MAX),
    context: z.string().catch(""),
  }),
);

/**
 * Reads what a model wrote for a passage. It is as untrusted as the passage: what is too long or no text, what only
 * repeats the passage or itself, and what has nothing to do with the passage, is left out. Where no question is left,
 * says why the first one was not.
 */
export function readWriting(written: string, passage: PassageToEnrich): ReadWriting {
  if (written.length >= WRITTEN_CHARACTERS_MAX) return { refused: "too_long" };
  const parsed = writtenSchema.safeParse(jsonIn(jsonPart(written)));
  if (!parsed.success) return { refused: "no_json" };
  const judge = createJudge(passage);
  const questions: string[] = [];
  let refused: Refusal = "unreadable";
  for (const [index, question] of parsed.data.questions.map(plain).entries()) {
    const { length } = question;
    const fault =
      length < QUESTION_CHARACTERS.min || length > QUESTION_CHARACTERS.max ? "unreadable" : judge(question);
    if (fault === undefined && !isAmong(question, questions)) questions.push(question);
    if (index === 0 && fault !== undefined) refused = fault;
  }
  if (questions.length === 0) return { refused };
  const context = plain(parsed.data.context);
  const isUsed = context !== "" && context.length <= CONTEXT_CHARACTERS_MAX && judge(context) === undefined;
  return { enrichment: { questions: questions.slice(0, QUESTIONS), context: isUsed ? context : "" } };
}

/** What stands between the outermost braces: some models write a fence or a word around it. */
const jsonPart = (written: string) => written.slice(written.indexOf("{"), written.lastIndexOf("}") + 1);

/** A number, a bullet, or a word such as "Question:" before a question. */
const LABEL = /^(?:[-*•>#]+\s+|\(?\d{1,2}[.):]\s+|(?:question|frage|q)\s*(?:\d\s*)?[:：]\s*)/iu;

const plain = (text: string) =>
  text
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, " ")
    .trim()
    .replace(LABEL, "");

/** An address, a tag, or a link in Markdown: no question has them. */
const MARKUP = /:\/\/|<\/?[a-z!]|\]\(|```/i;
const LETTERS = /\p{L}/gu;
const LETTERS_MIN = 5;

/** What is wrong with a text that was written for this passage. */
function createJudge({ title, headings, text }: PassageToEnrich) {
  const all = [title, ...headings, text].join("\n");
  const terms = new Set(analyze(all));
  const said = ` ${comparable(all)} `;
  const isLatinAlone = !OTHER_LETTER.test(all);
  const isMostlyOther = shareOfLatin(all) < 0.5;
  const isEnglish = englishShare(all) >= ENGLISH_SHARE_MIN;
  return (written: string): Refusal | undefined => {
    if (MARKUP.test(written) || (written.match(LETTERS)?.length ?? 0) < LETTERS_MIN) return "unreadable";
    if (said.includes(` ${comparable(written)} `)) return "copied";
    if (OTHER_LETTER.test(written) ? isLatinAlone : isMostlyOther) return "other_language";
    if (isEnglish && englishShare(written) === 0) return "other_language";
    return analyze(written).some((term) => !isStopWord(term) && terms.has(term)) ? undefined : "unrelated";
  };
}

/** Of the words of English texts, a third are ones like "the"; of texts in other languages, few. */
const ENGLISH_SHARE_MIN = 0.2;
const ENGLISH_WORDS = new Set(STOP_WORDS);

/** The share of the words that nearly every English sentence has. */
function englishShare(text: string): number {
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? [];
  return words.length === 0 ? 0 : words.filter((word) => ENGLISH_WORDS.has(word)).length / words.length;
}

function shareOfLatin(text: string): number {
  const letters = text.match(LETTERS)?.length ?? 0;
  return letters === 0 ? 0 : (text.match(/\p{Script=Latin}/gu)?.length ?? 0) / letters;
}

const OTHER_LETTER = /(?!\p{Script=Latin})\p{L}/u;

const isAmong = (question: string, others: readonly string[]) =>
  others.some((other) => comparable(other) === comparable(question));

/** What is left of a text where letters and digits alone count. */
const comparable = (text: string) =>
  text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
