import { comparisonSchema, generationReportSchema } from "@docent/measuring/golden/comparison";
import {
  type AskedTurn,
  GOLDEN_ORIGINS,
  type GoldenCheck,
  type GoldenQuestion,
  type ToldGeneration,
} from "@docent/measuring/golden/stores";
import { z } from "zod";
import { readAudience } from "./audience.ts";
import type { RowOf } from "./fields.ts";
import { readFilter } from "./gaps.ts";
import { readStrings } from "./json.ts";

/** How many checks of a site are kept. */
export const CHECKS_KEPT = 50;
/** How many reports of a site are kept. */
export const REPORTS_KEPT = 50;
/** How much of a question is looked at: of a long one its beginning. */
export const TEXT_CHARACTERS_MAX = 1000;

const originSchema = z.enum(GOLDEN_ORIGINS);

export interface GoldenQuestionRow {
  id: string;
  turnId: string | null;
  origin: string;
  question: string;
  expectedJson: string;
  version: string;
  language: string;
  groupsJson: string | null;
  at: number;
}

export function toGoldenQuestion(row: GoldenQuestionRow): GoldenQuestion {
  const { turnId, origin, expectedJson, groupsJson, ...fields } = row;
  return {
    ...fields,
    turnId: turnId ?? undefined,
    origin: originSchema.parse(origin),
    expected: readStrings(expectedJson),
    groups: groupsJson === null ? undefined : readStrings(groupsJson),
  };
}

/** A golden question as its row has it. */
export const goldenValues = ({ turnId, expected, groups, ...question }: GoldenQuestion) => ({
  ...question,
  turnId: turnId ?? null,
  expectedJson: JSON.stringify(expected),
  groupsJson: groups === undefined ? null : JSON.stringify(groups),
});

export interface GoldenCheckRow {
  id: string;
  at: number;
  sourceId: number | null;
  location: string | null;
  before: number;
  generation: number | null;
  refused: number;
  comparisonJson: string;
}

export function toGoldenCheck(row: GoldenCheckRow): GoldenCheck {
  const { id, at, sourceId, location, before, generation, refused, comparisonJson } = row;
  return {
    id,
    at,
    source: sourceId === null || location === null ? undefined : { id: sourceId, location },
    before,
    generation: generation ?? undefined,
    refused: refused === 1,
    comparison: comparisonSchema.parse(JSON.parse(comparisonJson)),
  };
}

export const readReport = (json: string) => generationReportSchema.parse(JSON.parse(json));

export const toToldGeneration = ({ isUndone, ...row }: RowOf<ToldGeneration>): ToldGeneration => ({
  ...row,
  isUndone: isUndone === 1,
});

export interface AskedTurnRow {
  turnId: string;
  text: string;
  isGap: number;
  gapId: string | null;
  filterJson: string | null;
  audienceJson: string | null;
}

export const toAskedTurn = (row: AskedTurnRow): AskedTurn => ({
  turnId: row.turnId,
  text: row.text,
  isGap: row.isGap === 1,
  gapId: row.gapId ?? undefined,
  audience: readAudience(row.audienceJson),
  filter: readFilter(row.filterJson),
});
