import { hrefOf } from "@docent/reading/page/page-path";
import type { RetrievedDetail, TurnDetail } from "../analytics/stores.ts";

const NAME_CHARACTERS_MAX = 60;
const QUESTION_CHARACTERS_MAX = 300;

/** What was worth reading next then is not what an answer is made of. */
const SUGGESTIONS = /(?<!\n)\n*```suggestions\n[^`]*```\s*$/;

/** A turn as a curated answer, to be looked through by whoever makes it one: its question made whole, and its answer. */
export function draftAnswer(turn: TurnDetail) {
  const question = wholeQuestion(turn);
  return {
    name: answerName(question),
    questions: [question.slice(0, QUESTION_CHARACTERS_MAX).toWellFormed()],
    markdown: withSiteLinks(turn.answer.replace(SUGGESTIONS, ""), turn.retrieved),
    ...labelsOf(turn),
  };
}

/** A turn as a question to measure search with: what its answer cites should be found. */
export function draftEvaluation(turn: TurnDetail) {
  const cited = turn.retrieved.filter(({ citedUrl }) => citedUrl !== undefined);
  const expected = cited.map(({ path, anchor }) => (anchor === "" ? path : `${path}#${anchor}`));
  return { question: wholeQuestion(turn), expected: [...new Set(expected)], ...labelsOf(turn) };
}

/** A follow-up as it was understood. */
const wholeQuestion = ({ question, searched }: TurnDetail) =>
  (searched ?? question).replace(/\s+/g, " ").trim();

const labelsOf = ({ filter }: TurnDetail) => ({
  version: filter?.version ?? "",
  language: filter?.language ?? "",
});

/** Links as an answer of the site's own has them: from its root, whatever address readers have it under. */
function withSiteLinks(answer: string, retrieved: readonly RetrievedDetail[]): string {
  const cited = retrieved.flatMap(({ citedUrl, path, anchor }) =>
    citedUrl === undefined ? [] : [{ citedUrl, href: hrefOf({ path, anchor }) }],
  );
  // The longest first: one address may begin as another one does.
  return cited
    .toSorted((a, b) => b.citedUrl.length - a.citedUrl.length)
    .reduce((text, { citedUrl, href }) => text.replaceAll(`(${citedUrl})`, `(${href})`), answer);
}

/** The words of a question as a file might be called: up to so many letters, at a word's end. */
export function answerName(question: string): string {
  const words = question
    .normalize("NFC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/^-|-$/g, "");
  if (words.length <= NAME_CHARACTERS_MAX) return words || "answer";
  const cut = words.slice(0, NAME_CHARACTERS_MAX + 1);
  const end = cut.lastIndexOf("-");
  return (end > 0 ? cut.slice(0, end) : cut.slice(0, NAME_CHARACTERS_MAX)).toWellFormed();
}
