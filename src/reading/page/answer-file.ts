import type { PageFormat } from "../markdown/page.ts";

/** What a curated answer says of itself in its front matter. */
interface CuratedQuestions {
  /** The ways in which it may be asked, each once. */
  questions: string[];
  /** What was wrong with them, for the author. */
  faults: string[];
}

/** How many ways of asking one answer may have. */
export const QUESTIONS_MAX = 50;
export const QUESTION_CHARACTERS_MAX = 300;

const NAMES = ["question", "questions"];
const IN_FOLDER = /^answers\//i;

/**
 * Whether a file of a source may be a curated answer: Markdown below the folder `answers` at its top. It is one if its
 * front matter has questions; otherwise it is a page, as it would be in a folder of any other name.
 */
export function isInAnswersFolder({ location, format }: { location: string; format: PageFormat }): boolean {
  return (format === "md" || format === "mdx") && IN_FOLDER.test(location);
}

/** What a curated answer of a source is called: its file below `answers`, without the extension. */
export function nameOfFile(location: string): string {
  return location.replace(IN_FOLDER, "").replace(/\.[^./]+$/, "");
}

/** Whether front matter is that of a curated answer, well written or not. */
export function asksQuestions(frontMatter: Record<string, unknown>): boolean {
  return NAMES.some((name) => Object.hasOwn(frontMatter, name));
}

/** Reads the questions of a curated answer's front matter. */
export function readQuestions(frontMatter: Record<string, unknown>): CuratedQuestions {
  const faults: string[] = [];
  const questions = new Set<string>();
  for (const value of NAMES.flatMap((name) => frontMatter[name] ?? [])) {
    const text = typeof value === "string" || typeof value === "number" ? oneLine(String(value)) : undefined;
    if (text === undefined) faults.push("a question is not text: put it in quotes");
    else if (text.length > QUESTION_CHARACTERS_MAX)
      faults.push(`a question is longer than ${QUESTION_CHARACTERS_MAX} characters`);
    else if (text !== "") questions.add(text);
  }
  if (questions.size === 0) faults.push("a curated answer needs questions");
  if (questions.size > QUESTIONS_MAX) faults.push(`only the first ${QUESTIONS_MAX} questions count`);
  return { questions: [...questions].slice(0, QUESTIONS_MAX), faults: [...new Set(faults)] };
}

const oneLine = (text: string) => text.replace(/\s+/g, " ").trim();
