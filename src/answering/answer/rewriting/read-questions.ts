/** How many questions a model may make of one. */
const QUESTIONS_MAX = 3;
const QUESTION_CHARACTERS_MAX = 300;
/** A model that writes more lines than this has written something else. */
const LINES_MAX = 6;

/** Thoughts before the first word, also those that were cut off. */
const THOUGHTS = /^\s*<(think|thinking|thought|reasoning)>[\s\S]*?(?:<\/\1>|$)/i;
const MARKS = /<\/?[a-z][a-z0-9_-]{0,30}>|[\p{Cc}\p{Cf}]+/giu;
/** A number, a bullet, or a word such as "Question:" before a question. */
const LABEL =
  /^(?:[-*•>#]+\s+|\(?\d{1,2}[.):]\s*|(?:(?:rewritten|rephrased|translated|search|new|first|second)\s+)?(?:questions?|quer(?:y|ies)|answer|output|translation)\s*(?:\d\s*)?[:：]\s*)/iu;
/** A whole line in quotes or emphasis. Quotes within it are the question's own. */
const QUOTED = /^(?:"([^"]+)"|'([^']+)'|`+([^`]+)`+|[“„]([^“”„]+)[“”]|«([^«»]+)»|[*_]+([^*_].*[^*_])[*_]+)$/u;
/** "In English this is: "How long …?"" */
const INTRODUCED = /^[\p{L}\p{M}' ]{2,60}[:：]\s*["“„«]([^"“„”«»]+)["”»]$/u;
const WORD = /[\p{L}\p{N}]/u;

/**
 * Reads the questions in what a model wrote: at most three, each on one line. None where it wrote nothing that can be
 * searched for, or only what was searched for already.
 */
export function readQuestions(written: string, searched: readonly string[]): string[] {
  const lines = withoutThoughts(written)
    .replace(/\r\n?/g, "\n")
    .split("\n")
    .map(plain)
    .filter((line) => line !== "");
  if (lines.length > LINES_MAX) return [];
  const known = new Set(searched.map(comparable));
  const questions: string[] = [];
  for (const line of lines) {
    const same = comparable(line);
    if (!isQuestion(line) || known.has(same)) continue;
    known.add(same);
    questions.push(line);
  }
  return questions.slice(0, QUESTIONS_MAX);
}

function withoutThoughts(written: string): string {
  const rest = written.replace(THOUGHTS, "");
  return rest === written ? rest : withoutThoughts(rest);
}

/** A line without what models put around a question. */
function plain(line: string): string {
  let text = line.replace(MARKS, " ").replace(/\s+/g, " ").trim();
  for (let before = ""; before !== text; ) {
    before = text;
    const [, ...inside] = QUOTED.exec(text) ?? INTRODUCED.exec(text) ?? [];
    text = (inside.find((each) => each !== undefined) ?? text).trim().replace(LABEL, "");
  }
  return text.toWellFormed();
}

/** Whether a line can be searched for. One that ends in a colon introduces what follows. */
const isQuestion = (line: string) =>
  WORD.test(line) && line.length > 2 && line.length <= QUESTION_CHARACTERS_MAX && !/[:：]$/.test(line);

/** What is left of a question where letters and digits alone count. */
const comparable = (text: string) =>
  text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
