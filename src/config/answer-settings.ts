import { type Decimal, integer, type Setting } from "./setting.ts";

/** What is answered, and from what. */
export const ANSWER_SETTINGS = {
  relevance_min: {
    kind: "number",
    default: 0.4,
    min: 0,
    max: 1,
    env: "DOCENT_RELEVANCE_MIN",
    help: "How relevant the best passage must be, from 0 to 1; below it the docs do not cover the question.",
  } satisfies Decimal,
  history_turns: integer(
    "history_turns",
    10,
    [0, 1000],
    "turns",
    "How many earlier turns of a stored conversation are read when only the newest message is posted.",
  ),
  curated_min: {
    kind: "number",
    default: 0.85,
    min: 0,
    max: 1,
    env: "DOCENT_CURATED_MIN",
    help: "How near a question must be to one of a curated answer's, from 0 to 1, for that answer to be given. 1 takes only the same words.",
  } satisfies Decimal,
  answer_cache_answers: integer(
    "answer_cache_answers",
    10_000,
    [0, 10_000_000],
    "answers",
    "How many written answers are kept to be given again to the same first question. 0 keeps none.",
  ),
} as const satisfies Record<string, Setting>;
