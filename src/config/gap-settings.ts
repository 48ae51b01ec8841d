import { integer, type Setting } from "./setting.ts";

/** What is made of questions without an answer. */
export const GAP_SETTINGS = {
  gap_questions: integer(
    "gap_questions",
    5000,
    [1, 100_000],
    "questions",
    "How many of a site's newest questions without an answer that helped are put together as gaps.",
  ),
} as const satisfies Record<string, Setting>;
