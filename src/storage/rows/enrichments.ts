import { contentKey, type Enrichment } from "@docent/finding/enrich/enrichment";
import type {
  EnrichmentMeasure,
  EnrichmentSample,
  ListedPassage,
  PendingPassage,
} from "@docent/finding/enrich/stores";
import { z } from "zod";
import { readStrings } from "./json.ts";

export interface PendingRow {
  passageId: number;
  title: string;
  headingsJson: string;
  text: string;
}

export interface SampleRow extends Omit<EnrichmentSample, "headings" | "questions" | "words"> {
  headingsJson: string;
  questionsJson: string;
  wordsJson: string;
}

/** What was written for a passage. */
export interface EnrichmentRow {
  passageId: number;
  questionsJson: string;
  wordsJson: string;
}

const measureSchema = z.lazy(() =>
  z.object({
    generation: z.number(),
    written: z.number(),
    questions: z.number(),
    better: z.number(),
    worse: z.number(),
    ndcgWith: z.number(),
    ndcgWithout: z.number(),
    low: z.number(),
    high: z.number(),
  }),
);

export function toPending({ passageId, title, headingsJson, text }: PendingRow): PendingPassage {
  const passage = { title, headings: readStrings(headingsJson), text };
  return { passageId, ...passage, key: contentKey(passage) };
}

/** A passage, and what was written for it, if anything was. */
export interface ListedRow extends PendingRow {
  path: string;
  questionsJson: string | null;
  wordsJson: string | null;
  refused: string | null;
  model: string | null;
}

export function toListed({
  path,
  questionsJson,
  wordsJson,
  refused,
  model,
  ...row
}: ListedRow): ListedPassage {
  const isWritten = questionsJson !== null && wordsJson !== null && model !== null;
  const written = isWritten
    ? {
        questions: readStrings(questionsJson),
        words: readStrings(wordsJson),
        refused: refused ?? undefined,
        model,
      }
    : undefined;
  return { ...toPending(row), path, written };
}

export const toSample = ({
  headingsJson,
  questionsJson,
  wordsJson,
  ...row
}: SampleRow): EnrichmentSample => ({
  ...row,
  headings: readStrings(headingsJson),
  questions: readStrings(questionsJson),
  words: readStrings(wordsJson),
});

/** What was written for passages, by their ids. */
export const toEnrichments = (rows: readonly EnrichmentRow[]): Map<number, Enrichment> =>
  new Map(
    rows.map(({ passageId, questionsJson, wordsJson }) => [
      passageId,
      { questions: readStrings(questionsJson), words: readStrings(wordsJson) },
    ]),
  );

/** What was measured of a site, and when. */
export interface MeasureRow {
  at: number;
  measureJson: string;
}

export const toMeasure = ({ at, measureJson }: MeasureRow): EnrichmentMeasure => ({
  at,
  ...measureSchema.parse(JSON.parse(measureJson)),
});
