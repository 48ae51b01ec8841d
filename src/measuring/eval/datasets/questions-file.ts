import { AppError } from "@docent/kernel/errors";
import { readWrittenPlace, type WrittenPlace } from "@docent/sites/pages/written-place";
import { z } from "zod";
import { parseJsonLines } from "../json-lines.ts";
import { canonicalPath, type EvalQuestion, sectionId } from "../question.ts";

const lineSchema = z.object({
  question: z.string().trim().min(1),
  expected: z.union([z.string().min(1), z.array(z.string().min(1)).min(1)]),
  subset: z.string().default(""),
  language: z.string().optional(),
  version: z.string().optional(),
  answer: z.string().trim().min(1).optional(),
});

/** A question of an owner's, as its line has it. */
interface QuestionLine {
  question: string;
  expected: string[];
  version: string | undefined;
  language: string | undefined;
}

/** Reads the lines of an owner's own questions, as they are written. */
export function readQuestionLines(text: string, file: string): QuestionLine[] {
  return questionLines(text, file).map(({ question, expected, version, language }) => ({
    question,
    expected: [expected].flat(),
    version,
    language,
  }));
}

function questionLines(text: string, file: string) {
  const lines = parseJsonLines(text, lineSchema, file);
  if (lines.length > 0) return lines;
  throw new AppError("invalid_request", `${file} has no question.`, {
    hint: 'A line is like {"question": "How do I install it?", "expected": ["guide/install#linux"]}',
  });
}

/**
 * Reads an owner's own questions: lines of `{question, expected: ["path", "path#anchor"], subset?, language?,
 * version?}`. An expected place may also be an address of the site.
 */
export function parseQuestions(text: string, file: string, siteUrl: string | undefined): EvalQuestion[] {
  return questionLines(text, file).map(({ question, expected, subset, language, version, answer }, index) => {
    const places = [expected].flat().map((each) => placeOf(each, siteUrl));
    const sections = places.filter(({ anchor }) => anchor !== "");
    return {
      id: String(index + 1),
      text: question,
      subset,
      filter: { language, version },
      pages: new Map(places.map(({ path }) => [path, 1])),
      sections: new Map(sections.map(({ path, anchor }) => [sectionId(path, anchor), 1])),
      spans: undefined,
      answers: answer === undefined ? [] : [answer],
    };
  });
}

function placeOf(expected: string, siteUrl: string | undefined): WrittenPlace {
  const { path, anchor } = readWrittenPlace(expected, siteUrl);
  return { path: canonicalPath(path), anchor };
}
