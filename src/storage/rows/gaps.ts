import { OUTCOMES } from "@docent/answering/threads/threads";
import {
  GAP_REASONS,
  GAP_STATES,
  type GapQuestion,
  type GapRecord,
  type UnplacedTurn,
} from "@docent/measuring/gaps/stores";
import type { PageFilter } from "@docent/sites/pages/pages";
import { z } from "zod";
import { readAudience } from "./audience.ts";

const outcomeSchema = z.enum(OUTCOMES);
const reasonSchema = z.enum(GAP_REASONS);
const stateSchema = z.enum(GAP_STATES);
const retrievedSchema = z.lazy(() =>
  z.array(z.object({ passageId: z.number(), path: z.string(), anchor: z.string(), relevance: z.number() })),
);
const filterSchema = z.lazy(() =>
  z.object({
    version: z.string().optional(),
    language: z.string().optional(),
    tag: z.string().optional(),
    groups: z.array(z.string()).optional(),
  }),
);

export interface UnplacedRow extends Omit<UnplacedTurn, "outcome" | "responder" | "retrieved"> {
  outcome: string;
  responder: string | null;
  retrievedJson: string;
}

export interface PlacedRow {
  turnId: string;
  gapId: string;
  reason: string;
  nearestPath: string | null;
  nearestRelevance: number | null;
  text: string;
  askedAt: number;
  filterJson: string | null;
  audienceJson: string | null;
}

interface GapRow {
  id: string;
  state: string;
  stateAt: number;
  stateGeneration: number;
  askedAt: number | null;
  askedGeneration: number | null;
  askedAnswered: boolean | null;
  askedRelevance: number | null;
  askedPath: string | null;
  askedCurated: string | null;
}

/** What a turn rested on. */
export interface EvidenceRow {
  retrievedJson: string;
  curated: string | null;
}

export const toEvidence = ({ retrievedJson, curated }: EvidenceRow) => ({
  passageIds: readRetrieved(retrievedJson).map(({ passageId }) => passageId),
  curated: curated ?? undefined,
});

const readRetrieved = (json: string) => retrievedSchema.parse(JSON.parse(json));

export function toUnplaced({ retrievedJson, outcome, responder, ...row }: UnplacedRow): UnplacedTurn {
  return {
    ...row,
    outcome: outcomeSchema.parse(outcome),
    responder: responder ?? undefined,
    retrieved: readRetrieved(retrievedJson),
  };
}

/** A column of JSON text that holds which pages were asked for; NULL: any. */
export const readFilter = (json: string | null): PageFilter =>
  json === null ? {} : filterSchema.parse(JSON.parse(json));

export function toGapQuestion(row: PlacedRow): GapQuestion {
  const { turnId, gapId, text, askedAt, reason, nearestPath: path, nearestRelevance: relevance } = row;
  return {
    turnId,
    gapId,
    text,
    askedAt,
    reason: reasonSchema.parse(reason),
    nearest: path === null || relevance === null ? undefined : { path, relevance },
    audience: readAudience(row.audienceJson),
    filter: readFilter(row.filterJson),
  };
}

export function toGapRecord({ id, state, stateAt, stateGeneration, ...asked }: GapRow): GapRecord {
  const { askedAt: at, askedGeneration: generation } = asked;
  return {
    id,
    state: stateSchema.parse(state),
    stateAt,
    stateGeneration,
    askedAgain:
      at === null || generation === null
        ? undefined
        : {
            at,
            generation,
            answered: asked.askedAnswered === true,
            relevance: asked.askedRelevance ?? 0,
            path: asked.askedPath ?? undefined,
            curated: asked.askedCurated ?? undefined,
          },
  };
}
