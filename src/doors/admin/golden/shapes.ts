import { WHYS } from "@docent/measuring/golden/comparison";
import type { Imported } from "@docent/measuring/golden/golden";
import type {
  CheckJson,
  GenerationReportJson,
  goldenJson,
  standingQuestionJson,
} from "@docent/measuring/golden/json";
import { GOLDEN_ORIGINS } from "@docent/measuring/golden/stores";
import { z } from "zod";
import { moment } from "../../session/shapes.ts";

// The replies of the operations on golden questions, and the report of a generation.

const goldenFields = () =>
  z.object({
    id: z.string(),
    origin: z.enum(GOLDEN_ORIGINS).meta({ id: "GoldenOrigin" }),
    question: z.string(),
    /** Paths, with an anchor where a section is meant. Any of the pages is right. */
    expected: z.array(z.string()),
    version: z.string(),
    language: z.string(),
    /** The groups of whoever asks; null: an owner, who sees every page. */
    groups: z.array(z.string()).nullable(),
    /** The answer that it came from, where that is kept. */
    messageId: z.string().nullable(),
    addedAt: moment,
  }) satisfies z.ZodType<ReturnType<typeof goldenJson>>;
export const goldenShape = z.lazy(() => goldenFields().meta({ id: "GoldenQuestion" }));

const standingShape = z.lazy(() =>
  z
    .object({
      /** The place of its page among the pages that are found; null where it is not among them. */
      rank: z.int().nullable(),
      page: z.string().nullable(),
      /** The page that comes first. */
      first: z.string().nullable(),
      /** How relevant the best passage is, from 0 to 1. */
      relevance: z.number(),
      /** Whether that is enough for an answer. */
      isAnswered: z.boolean(),
    })
    .meta({ id: "GoldenStanding" }),
);
export const standingQuestionShape = z.lazy(() =>
  goldenFields()
    .extend({
      /** Null where there was no time to ask it. */
      standing: standingShape.nullable(),
    })
    .meta({ id: "AskedGoldenQuestion" }),
) satisfies z.ZodType<ReturnType<typeof standingQuestionJson>>;

export const importedShape = z.lazy(() =>
  z
    .object({
      added: z.int(),
      /** Those that are kept already. */
      known: z.int(),
      /** Those for which there is no room. */
      left: z.int(),
      /** Those that name no page of the site, and some of them. */
      unusable: z.int(),
      named: z.array(z.object({ question: z.string(), why: z.string() }).meta({ id: "UnusableQuestion" })),
    })
    .meta({ id: "ImportedGoldenQuestions" }),
) satisfies z.ZodType<Imported>;

const comparedShape = z.lazy(() =>
  z
    .object({
      id: z.string(),
      /** Null where it is not kept any more, and of a reader's in a notice. */
      question: z.string().nullable(),
      expected: z.array(z.string()),
      before: standingShape,
      after: standingShape,
      /** Of one that got worse. */
      why: z
        .object({
          reason: z.enum(WHYS),
          /** The page that it is about: the one that is gone, where it is now, or the one that comes before it. */
          page: z.string().nullable(),
          /** The same for people. */
          text: z.string(),
        })
        .meta({ id: "GoldenWhy" })
        .nullable(),
    })
    .meta({ id: "ComparedGoldenQuestion" }),
);
const comparisonFields = {
  asked: z.int(),
  /** Those for which there was no time. */
  unasked: z.int(),
  worse: z.array(comparedShape),
  better: z.array(comparedShape),
};
export const checkShape = z.lazy(() =>
  z
    .object({
      id: z.string(),
      at: moment,
      /** The source that was read; null where it is gone. */
      source: z.object({ id: z.int(), location: z.string() }).meta({ id: "CheckedSource" }).nullable(),
      /** The generation that readers saw. */
      before: z.int(),
      /** What the run became; null where it was not published. */
      generation: z.int().nullable(),
      /** It was not published because of what got worse. */
      refused: z.boolean(),
      ...comparisonFields,
    })
    .meta({ id: "GoldenCheck" }),
) satisfies z.ZodType<CheckJson>;

const namedPage = z.lazy(() => z.object({ path: z.string(), title: z.string() }).meta({ id: "NamedPage" }));
const readersQuestion = z.lazy(() =>
  z
    .object({
      messageId: z.string(),
      question: z.string(),
      /** How often it was asked, of the newest questions. */
      asked: z.int(),
      /** The docs did not answer it when it was asked. */
      isGap: z.boolean(),
      /** The page that answers it now, or did before. */
      page: z.string().nullable(),
    })
    .meta({ id: "ReadersQuestion" }),
);
export const generationReportShape = z.lazy(() =>
  z
    .object({
      number: z.int(),
      /** The generation that readers saw before; null: none. */
      before: z.int().nullable(),
      at: moment,
      /** What has another path is neither added nor removed. The lists are cut, the counts are not. */
      pages: z
        .object({
          counts: z
            .object({ added: z.int(), changed: z.int(), removed: z.int(), moved: z.int() })
            .meta({ id: "ChangedPageCounts" }),
          added: z.array(namedPage),
          changed: z.array(namedPage),
          removed: z.array(namedPage),
          moved: z.array(
            z.object({ path: z.string(), title: z.string(), from: z.string() }).meta({ id: "MovedPage" }),
          ),
        })
        .meta({ id: "ChangedPages" }),
      /** Null where no golden question was asked. */
      golden: z.object(comparisonFields).meta({ id: "GoldenComparison" }).nullable(),
      /** Questions that readers asked, asked again before and after. */
      questions: z
        .object({
          asked: z.int(),
          /** How many of either kind: a notice has their number alone, and empty lists. */
          counts: z.object({ gained: z.int(), lost: z.int() }).meta({ id: "ReadersQuestionCounts" }),
          /** Those that are answered now and were not. */
          gained: z.array(readersQuestion),
          /** Those that were answered, and are not any more. */
          lost: z.array(readersQuestion),
        })
        .meta({ id: "ReadersQuestions" }),
    })
    .meta({ id: "GenerationReport" }),
) satisfies z.ZodType<GenerationReportJson>;
