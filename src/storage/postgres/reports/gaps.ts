import { GAP_TEXT_CHARACTERS_MAX, type GapStore, type Placement } from "../../../analytics/gaps/stores.ts";
import {
  type EvidenceRow,
  type GapRow,
  type PlacedRow,
  toEvidence,
  toGapQuestion,
  toGapRecord,
  toUnplaced,
  type UnplacedRow,
} from "../../rows/gaps.ts";
import type { Database, Queries } from "../database/database.ts";
import { generationOf } from "../visible-generation.ts";

/** A site's newest turns without an answer that helped: those of the conversation, and what its reader disliked. */
const UNHELPED = `
  WITH unhelped (turn_id, asked_at) AS (
    SELECT id, created_at FROM turns WHERE site_id = $siteId AND outcome IN ('unanswered', 'touched') AND replaced_at IS NULL
    UNION
    SELECT turns.id, turns.created_at FROM feedback JOIN turns ON turns.id = feedback.turn_id
    WHERE feedback.site_id = $siteId AND NOT feedback.helpful
    ORDER BY 2 DESC, 1 DESC LIMIT $questionsMax
  )`;
const MISSING = `${UNHELPED}, missing AS (
    SELECT turn_id, asked_at FROM unhelped
    WHERE NOT EXISTS (SELECT 1 FROM gap_questions WHERE gap_questions.turn_id = unhelped.turn_id))`;
/** A pasted log may be longer than a thousand questions: no more of it is read than is looked at. */
const TEXT = `substr(coalesce(searched, question), 1, ${GAP_TEXT_CHARACTERS_MAX})`;

const UNPLACED = `${MISSING}
  SELECT turn_id, ${TEXT} AS text, outcome, responder, retrieved_json FROM missing JOIN turns ON turns.id = turn_id
  WHERE outcome IS NOT NULL ORDER BY asked_at, turn_id LIMIT $most`;
const COUNT_UNPLACED = `${MISSING} SELECT count(*) AS count FROM missing`;
const MARK = "SELECT coalesce(max(number), 0) AS mark FROM gap_questions WHERE site_id = $siteId";
const PLACED = `${UNHELPED}
  SELECT gap_questions.turn_id, gap_id, reason, nearest_path, nearest_relevance, ${TEXT} AS text, asked_at, filter_json,
    audience_json
  FROM unhelped JOIN gap_questions USING (turn_id) JOIN turns ON turns.id = turn_id
  ORDER BY number`;
/** Whoever places questions of a site does so alone: their numbers follow each other. */
const LOCK_SITE = "SELECT id FROM sites WHERE id = $siteId FOR NO KEY UPDATE";
const ADD_GAP = `
  INSERT INTO gaps (id, site_id, state_at, state_generation)
  SELECT $gapId::text, id, $at::bigint, generation FROM sites WHERE id = $siteId
  ON CONFLICT DO NOTHING`;
/** A turn may have been deleted since it was read. */
const ADD_QUESTION = `
  INSERT INTO gap_questions (turn_id, gap_id, site_id, reason, nearest_path, nearest_relevance)
  SELECT id, $gapId::text, $siteId::int, $reason::text, $path::text, $relevance::float8 FROM turns WHERE id = $turnId
  ON CONFLICT DO NOTHING`;
const RECORDS = `
  SELECT id, state, state_at, state_generation, asked_at, asked_generation, asked_answered, asked_relevance, asked_path,
    asked_curated
  FROM gaps WHERE site_id = $siteId ORDER BY id`;
const SET_STATE = `
  UPDATE gaps SET state = $state, state_at = $stateAt,
    state_generation = (SELECT generation FROM sites WHERE sites.id = site_id), asked_at = NULL,
    asked_generation = NULL, asked_answered = NULL, asked_relevance = NULL, asked_path = NULL, asked_curated = NULL
  WHERE id = $gapId AND site_id = $siteId`;
const EVIDENCE = "SELECT retrieved_json, curated FROM turns WHERE id = $turnId";
const SET_ASKED_AGAIN = `
  UPDATE gaps SET asked_at = $at, asked_generation = $generation, asked_answered = $answered,
    asked_relevance = $relevance, asked_path = $path, asked_curated = $curated
  WHERE id = $gapId AND state = 'documented'`;

export function createGapStore(database: Database): GapStore {
  return {
    async unplaced(siteId, { questionsMax, most }) {
      const rows = await database.all<UnplacedRow>(UNPLACED, { siteId, questionsMax, most });
      return rows.map(toUnplaced);
    },
    async countUnplaced(siteId, questionsMax) {
      const row = await database.get<{ count: number }>(COUNT_UNPLACED, { siteId, questionsMax });
      return row?.count ?? 0;
    },
    async placed(siteId, questionsMax) {
      // Before the questions: what is placed meanwhile makes a mark that is refused.
      const mark = await markOf(database, siteId);
      const rows = await database.all<PlacedRow>(PLACED, { siteId, questionsMax });
      return { questions: rows.map(toGapQuestion), mark };
    },
    place: (siteId, mark, placements, at) =>
      database.inOneWrite((write) => place(write, { siteId, mark, placements, at })),
    generation: (siteId) => generationOf(database, siteId),
    async records(siteId) {
      return (await database.all<GapRow>(RECORDS, { siteId })).map(toGapRecord);
    },
    async setState(siteId, gapId, { state, stateAt }) {
      return (await database.run(SET_STATE, { siteId, gapId, state, stateAt })) > 0;
    },
    async evidence(turnId) {
      const row = await database.get<EvidenceRow>(EVIDENCE, { turnId });
      return row && toEvidence(row);
    },
    async setAskedAgain(gapId, { at, generation, answered, relevance, path = null, curated = null }) {
      await database.run(SET_ASKED_AGAIN, { gapId, at, generation, answered, relevance, path, curated });
    },
  };
}

const markOf = async (queries: Queries, siteId: number) =>
  (await queries.get<{ mark: number }>(MARK, { siteId }))?.mark ?? 0;

async function place(
  write: Queries,
  given: { siteId: number; mark: number; placements: Placement[]; at: number },
): Promise<boolean> {
  const { siteId, mark, placements, at } = given;
  await write.run(LOCK_SITE, { siteId });
  if ((await markOf(write, siteId)) !== mark) return false;
  for (const { turnId, gapId, reason, nearest } of placements) {
    await write.run(ADD_GAP, { gapId, siteId, at });
    const near = { path: nearest?.path ?? null, relevance: nearest?.relevance ?? null };
    await write.run(ADD_QUESTION, { turnId, gapId, siteId, reason, ...near });
  }
  return true;
}
