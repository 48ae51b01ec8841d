import { z } from "zod";

// What questions find in one state of a site's index, and in another. It is kept as JSON, of which these are the shapes.

/** What a question found. */
const standingSchema = z.lazy(() =>
  z.object({
    /** The place of its first expected page among the pages that are found; left out where none of them is there. */
    rank: z.int().min(1).optional(),
    /** The path of that page. */
    page: z.string().optional(),
    /** The path of the page that comes first. */
    first: z.string().optional(),
    /** How relevant the best passage is, from 0 to 1. */
    relevance: z.number(),
    /** Whether that is enough for an answer: where it is not, no page has a place. */
    isAnswered: z.boolean(),
  }),
);
export type Standing = z.infer<typeof standingSchema>;

/**
 * Why a question finds its page later, or not at all: the page is gone, or has another path; nothing that is found is
 * relevant enough any more; another page comes before it.
 */
export const WHYS = ["gone", "moved", "refused", "outranked"] as const;

const whySchema = z.lazy(() =>
  z.object({
    reason: z.enum(WHYS),
    /** The page that it is about: the one that is gone, where it is now, or the one that comes before it. */
    page: z.string().optional(),
  }),
);
export type Why = z.infer<typeof whySchema>;

/** A golden question whose standing is another now. Its words stay where it is kept. */
const comparedSchema = z.object({
  id: z.string(),
  before: standingSchema,
  after: standingSchema,
  /** Of one that got worse. */
  why: whySchema.optional(),
});
export type Compared = z.infer<typeof comparedSchema>;

export const comparisonSchema = z.lazy(() =>
  z.object({
    asked: z.int(),
    /** Those for which there was no time. */
    unasked: z.int(),
    worse: z.array(comparedSchema),
    better: z.array(comparedSchema),
  }),
);
export type Comparison = z.infer<typeof comparisonSchema>;

/** Where a question finds its page, as people read it. */
export function sayPlace({ rank, isAnswered }: Pick<Standing, "rank" | "isAnswered">): string {
  if (rank !== undefined) return `place ${rank}`;
  return isAnswered ? "not found" : "no answer";
}

/** How a standing compares with the one before: what ranks lower, or is not there any more, is worse. */
export function verdictOf(before: Standing, after: Standing): "worse" | "better" | "same" {
  const [was, is] = [before.rank ?? Number.POSITIVE_INFINITY, after.rank ?? Number.POSITIVE_INFINITY];
  if (is > was) return "worse";
  return is < was ? "better" : "same";
}

/** A page by its path and title. */
const namedPageSchema = z.lazy(() => z.object({ path: z.string(), title: z.string() }));

/** What a generation changed. Lists are cut; the counts are of all. */
const changedPagesSchema = z.lazy(() =>
  z.object({
    counts: z.object({ added: z.int(), changed: z.int(), removed: z.int(), moved: z.int() }),
    added: z.array(namedPageSchema),
    changed: z.array(namedPageSchema),
    removed: z.array(namedPageSchema),
    moved: z.array(namedPageSchema.unwrap().extend({ from: z.string() })),
  }),
);
export type ChangedPages = z.infer<typeof changedPagesSchema>;

/** A question that readers asked, by its turn, and how often it was asked. */
const readersQuestionSchema = z.lazy(() =>
  z.object({
    turnId: z.string(),
    asked: z.int(),
    /** The docs did not answer it when it was asked. */
    isGap: z.boolean(),
    /** The page that answers it now, or did before. */
    page: z.string().optional(),
  }),
);
export type ReadersQuestion = z.infer<typeof readersQuestionSchema>;

/** What a generation is to readers, beside the one that they saw before. */
export const generationReportSchema = z.lazy(() =>
  z.object({
    /** The generation that readers saw before; 0: none. */
    before: z.int(),
    pages: changedPagesSchema,
    golden: comparisonSchema.optional(),
    questions: z.object({
      asked: z.int(),
      /** Those that are answered now and were not. */
      gained: z.array(readersQuestionSchema),
      /** Those that were answered, and are not any more. */
      lost: z.array(readersQuestionSchema),
    }),
  }),
);
export type GenerationReport = z.infer<typeof generationReportSchema>;
