import { jsonIn } from "@docent/kernel/text/json";
import { z } from "zod";
import { analyze, STOP_WORDS } from "../search/analyze.ts";
import { type Enrichment, type PassageToEnrich, QUESTIONS, WORDS } from "./enrichment.ts";

/** Why nothing of what a model wrote is used. `far`: no question of it leads to its passage. */
const REFUSALS = ["too_long", "no_json", "unreadable", "copied", "far", "other_language"] as const;
export type Refusal = (typeof REFUSALS)[number];

type ReadWriting = { enrichment: Enrichment } | { refused: Refusal };

const WRITTEN_CHARACTERS_MAX = 4000;
const QUESTION_CHARACTERS = { min: 8, max: 200 };
const WORD_CHARACTERS = { min: 2, max: 40 };
/** A model that writes many more questions or words than it was asked for has written something else. */
const WRITTEN_MAX = 20;

const writtenSchema = z.lazy(() =>
  z.object({
    questions: z.array(z.string()).max(WRITTEN_MAX),
    words: z.array(z.string()).max(WRITTEN_MAX).catch([]),
  }),
);

/**
 * Reads what a model wrote for a passage. It is as untrusted as the passage: what is too long or no text, and what only
 * repeats the passage or itself, is left out. Where no question is left, says why the first one was not.
 */
export function readWriting(written: string, passage: PassageToEnrich): ReadWriting {
  if (written.length >= WRITTEN_CHARACTERS_MAX) return { refused: "too_long" };
  const parsed = writtenSchema.safeParse(jsonIn(jsonPart(written)));
  if (!parsed.success) return { refused: "no_json" };
  return judgeWriting(parsed.data, passage);
}

/** The same of questions and words that stand in a file. */
export function judgeWriting(
  { questions: asked, words }: Readonly<Enrichment>,
  passage: PassageToEnrich,
): ReadWriting {
  const judge = createJudge(passage);
  const questions: string[] = [];
  let refused: Refusal = "unreadable";
  for (const [index, question] of asked.map(plain).entries()) {
    const fault = isWithin(question, QUESTION_CHARACTERS) ? judge.question(question) : "unreadable";
    if (fault === undefined && !isAmong(question, questions)) questions.push(question);
    if (index === 0 && fault !== undefined) refused = fault;
  }
  if (questions.length === 0) return { refused };
  const fit: string[] = [];
  for (const word of words.map(plain))
    if (isWithin(word, WORD_CHARACTERS) && judge.isNewWord(word) && !isAmong(word, fit)) fit.push(word);
  return { enrichment: { questions: questions.slice(0, QUESTIONS), words: fit.slice(0, WORDS) } };
}

const isWithin = ({ length }: string, { min, max }: { min: number; max: number }) =>
  length >= min && length <= max;

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
  const isOtherScript = (written: string) => (OTHER_LETTER.test(written) ? isLatinAlone : isMostlyOther);
  return {
    question(written: string): Refusal | undefined {
      if (MARKUP.test(written) || (written.match(LETTERS)?.length ?? 0) < LETTERS_MIN) return "unreadable";
      if (said.includes(` ${comparable(written)} `)) return "copied";
      return isOtherScript(written) || (isEnglish && englishShare(written) === 0)
        ? "other_language"
        : undefined;
    },
    /** Search words in Latin letters stand in texts of every script. */
    isNewWord: (written: string) =>
      !MARKUP.test(written) &&
      !(isLatinAlone && isOtherScript(written)) &&
      analyze(written).some((term) => !terms.has(term)),
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
