import { GAP_TEXT_CHARACTERS_MAX, type GapStore, type Placement } from "@docent/measuring/gaps/stores";
import {
  type EvidenceRow,
  type PlacedRow,
  toEvidence,
  toGapQuestion,
  toGapRecord,
  toUnplaced,
  type UnplacedRow,
} from "../rows/gaps.ts";
import type { Dialect } from "../sql/dialect.ts";
import { get, run, type Sql, type Steps } from "../sql/sql.ts";
import { select, statement } from "../sql/statement.ts";
import { gaps } from "../tables/reports.ts";
import { generationOf } from "../visible-generation.ts";

/**
 * A site's newest turns without an answer that helped: those of the conversation, and what its reader disliked. Left to
 * choose, SQLite takes the index of all conversations, and reads every turn.
 */
export const unhelped = (d: Dialect) => `
  WITH unhelped (turn_id, asked_at) AS (
    SELECT id, created_at FROM turns ${d.along("turns_unanswered")}
    WHERE site_id = $siteId AND outcome IN ('unanswered', 'touched') AND replaced_at IS NULL
    UNION
    SELECT turns.id, turns.created_at FROM feedback JOIN turns ON turns.id = feedback.turn_id
    WHERE feedback.site_id = $siteId AND ${d.isNot("feedback.helpful")}
    ORDER BY 2 DESC, 1 DESC LIMIT $questionsMax
  )`;
const missing = (d: Dialect) => `${unhelped(d)}, missing AS (
    SELECT turn_id, asked_at FROM unhelped
    WHERE NOT EXISTS (SELECT 1 FROM gap_questions WHERE gap_questions.turn_id = unhelped.turn_id))`;
/** A pasted log may be longer than a thousand questions: no more of it is read than is looked at. */
const TEXT = `substr(coalesce(searched, question), 1, ${GAP_TEXT_CHARACTERS_MAX})`;

const UNPLACED = statement<UnplacedRow>(
  (d) => `${missing(d)}
  SELECT turn_id AS "turnId", ${TEXT} AS text, outcome, responder, retrieved_json AS "retrievedJson"
  FROM missing JOIN turns ON turns.id = turn_id
  WHERE outcome IS NOT NULL ORDER BY asked_at, turn_id LIMIT $most`,
);
const COUNT_UNPLACED = statement<{ count: number }>(
  (d) => `${missing(d)} SELECT count(*) AS count FROM missing`,
);
const MARK = statement<{ mark: number }>(
  "SELECT coalesce(max(number), 0) AS mark FROM gap_questions WHERE site_id = $siteId",
);
const PLACED = statement<PlacedRow>(
  (d) => `${unhelped(d)}
  SELECT gap_questions.turn_id AS "turnId", gap_id AS "gapId", reason, nearest_path AS "nearestPath",
    nearest_relevance AS "nearestRelevance", ${TEXT} AS text, asked_at AS "askedAt", filter_json AS "filterJson",
    audience_json AS "audienceJson"
  FROM unhelped JOIN gap_questions USING (turn_id) JOIN turns ON turns.id = turn_id
  ORDER BY number`,
);
/** Whoever places questions of a site does so alone: their numbers follow each other. */
const LOCK_SITE = statement(({ onPostgres }) =>
  onPostgres("SELECT id FROM sites WHERE id = $siteId FOR NO KEY UPDATE"),
);
const ADD_GAP = statement(`
  INSERT INTO gaps (id, site_id, state_at, state_generation)
  SELECT CAST($gapId AS text), id, CAST($at AS bigint), generation FROM sites WHERE id = $siteId
  ON CONFLICT DO NOTHING`);
/** A turn may have been deleted since it was read. */
const ADD_QUESTION = statement(`
  INSERT INTO gap_questions (turn_id, gap_id, site_id, reason, nearest_path, nearest_relevance)
  SELECT id, CAST($gapId AS text), CAST($siteId AS integer), CAST($reason AS text), CAST($path AS text),
    CAST($relevance AS double precision)
  FROM turns WHERE id = $turnId
  ON CONFLICT DO NOTHING`);
const RECORDS = select(
  gaps,
  [
    "id",
    "state",
    "stateAt",
    "stateGeneration",
    "askedAt",
    "askedGeneration",
    "askedAnswered",
    "askedRelevance",
    "askedPath",
    "askedCurated",
  ],
  "FROM gaps WHERE site_id = $siteId ORDER BY id",
);
const SET_STATE = statement(`
  UPDATE gaps SET state = $state, state_at = $stateAt,
    state_generation = (SELECT generation FROM sites WHERE sites.id = site_id), asked_at = NULL,
    asked_generation = NULL, asked_answered = NULL, asked_relevance = NULL, asked_path = NULL, asked_curated = NULL
  WHERE id = $gapId AND site_id = $siteId`);
const EVIDENCE = statement<EvidenceRow>(
  `SELECT retrieved_json AS "retrievedJson", curated FROM turns WHERE id = $turnId`,
);
const SET_ASKED_AGAIN = statement(`
  UPDATE gaps SET asked_at = $at, asked_generation = $generation, asked_answered = $answered,
    asked_relevance = $relevance, asked_path = $path, asked_curated = $curated
  WHERE id = $gapId AND state = 'documented'`);

export function createGapStore(sql: Sql): GapStore {
  return {
    async unplaced(siteId, { questionsMax, most }) {
      return (await sql.all(UNPLACED, { siteId, questionsMax, most })).map(toUnplaced);
    },
    async countUnplaced(siteId, questionsMax) {
      return (await sql.get(COUNT_UNPLACED, { siteId, questionsMax }))?.count ?? 0;
    },
    async placed(siteId, questionsMax) {
      // Before the questions: what is placed meanwhile makes a mark that is refused.
      const mark = (await sql.get(MARK, { siteId }))?.mark ?? 0;
      const rows = await sql.all(PLACED, { siteId, questionsMax });
      return { questions: rows.map(toGapQuestion), mark };
    },
    place: (siteId, mark, placements, at) => sql.inOneWrite(() => place({ siteId, mark, placements, at })),
    generation: (siteId) => generationOf(sql, siteId),
    async records(siteId) {
      return (await sql.all(RECORDS, { siteId })).map(toGapRecord);
    },
    async setState(siteId, gapId, { state, stateAt }) {
      return (await sql.run(SET_STATE, { siteId, gapId, state, stateAt })) > 0;
    },
    async evidence(turnId) {
      const row = await sql.get(EVIDENCE, { turnId });
      return row && toEvidence(row);
    },
    async setAskedAgain(gapId, { at, generation, answered, relevance, path, curated }) {
      await sql.run(SET_ASKED_AGAIN, { gapId, at, generation, answered, relevance, path, curated });
    },
  };
}

function* place({
  siteId,
  mark,
  placements,
  at,
}: {
  siteId: number;
  mark: number;
  placements: Placement[];
  at: number;
}): Steps<boolean> {
  yield* run(LOCK_SITE, { siteId });
  if (((yield* get(MARK, { siteId }))?.mark ?? 0) !== mark) return false;
  for (const { turnId, gapId, reason, nearest } of placements) {
    yield* run(ADD_GAP, { gapId, siteId, at });
    const near = { path: nearest?.path, relevance: nearest?.relevance };
    yield* run(ADD_QUESTION, { turnId, gapId, siteId, reason, ...near });
  }
  return true;
}
