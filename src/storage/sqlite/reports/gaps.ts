import type { Database } from "bun:sqlite";
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

/**
 * A site's newest turns without an answer that helped: those of the conversation, and what its reader disliked. Left to
 * choose, SQLite takes the index of all conversations, and reads every turn.
 */
export const UNHELPED = `
  WITH unhelped (turn_id, asked_at) AS (
    SELECT id, created_at FROM turns INDEXED BY turns_unanswered
    WHERE site_id = $siteId AND outcome IN ('unanswered', 'touched') AND replaced_at IS NULL
    UNION
    SELECT turns.id, turns.created_at FROM feedback JOIN turns ON turns.id = feedback.turn_id
    WHERE feedback.site_id = $siteId AND feedback.helpful = 0
    ORDER BY 2 DESC, 1 DESC LIMIT $questionsMax
  )`;

/** A pasted log may be longer than a thousand questions: no more of it is read than is looked at. */
const TEXT = `substr(coalesce(searched, question), 1, ${GAP_TEXT_CHARACTERS_MAX})`;

type Bindings = Record<string, string | number | null>;

export function createGapStore(database: Database): GapStore {
  const statements = prepare(database);
  const place = database.transaction((siteId: number, mark: number, placements: Placement[], at: number) => {
    if (statements.mark.get({ siteId })?.mark !== mark) return false;
    for (const { turnId, gapId, reason, nearest } of placements) {
      statements.addGap.run({ gapId, siteId, at });
      const near = { path: nearest?.path ?? null, relevance: nearest?.relevance ?? null };
      statements.addQuestion.run({ turnId, gapId, siteId, reason, ...near });
    }
    return true;
  });

  return {
    async unplaced(siteId, { questionsMax, most }) {
      return statements.unplaced.all({ siteId, questionsMax, most }).map(toUnplaced);
    },
    async countUnplaced(siteId, questionsMax) {
      return statements.countUnplaced.get({ siteId, questionsMax })?.count ?? 0;
    },
    async placed(siteId, questionsMax) {
      const mark = statements.mark.get({ siteId })?.mark ?? 0;
      return { questions: statements.placed.all({ siteId, questionsMax }).map(toGapQuestion), mark };
    },
    async place(siteId, mark, placements, at) {
      return place.immediate(siteId, mark, placements, at);
    },
    async generation(siteId) {
      return statements.generation.get({ siteId })?.generation ?? 0;
    },
    async records(siteId) {
      return statements.records.all({ siteId }).map(toGapRecord);
    },
    async setState(siteId, gapId, { state, stateAt }) {
      return statements.setState.run({ siteId, gapId, state, stateAt }).changes > 0;
    },
    async evidence(turnId) {
      const row = statements.evidence.get({ turnId });
      return row === null ? undefined : toEvidence(row);
    },
    async setAskedAgain(gapId, { at, generation, answered, relevance, path, curated }) {
      const nulled = { path: path ?? null, curated: curated ?? null };
      statements.setAskedAgain.run({
        gapId,
        at,
        generation,
        answered: Number(answered),
        relevance,
        ...nulled,
      });
    },
  };
}

function prepare(database: Database) {
  const unplaced = `${UNHELPED}, missing AS (
    SELECT turn_id, asked_at FROM unhelped
    WHERE NOT EXISTS (SELECT 1 FROM gap_questions WHERE gap_questions.turn_id = unhelped.turn_id))`;
  return {
    unplaced: database.query<UnplacedRow, Bindings>(`${unplaced}
      SELECT turn_id AS turnId, ${TEXT} AS text, outcome, responder, retrieved_json AS retrievedJson
      FROM missing JOIN turns ON turns.id = turn_id
      WHERE outcome IS NOT NULL ORDER BY asked_at, turn_id LIMIT $most`),
    countUnplaced: database.query<{ count: number }, Bindings>(
      `${unplaced} SELECT count(*) AS count FROM missing`,
    ),
    mark: database.query<{ mark: number }, Bindings>(
      "SELECT coalesce(max(number), 0) AS mark FROM gap_questions WHERE site_id = $siteId",
    ),
    placed: database.query<PlacedRow, Bindings>(`${UNHELPED}
      SELECT gap_questions.turn_id AS turnId, gap_id AS gapId, reason, nearest_path AS nearestPath,
             nearest_relevance AS nearestRelevance, ${TEXT} AS text, asked_at AS askedAt,
             filter_json AS filterJson, audience_json AS audienceJson
      FROM unhelped JOIN gap_questions USING (turn_id) JOIN turns ON turns.id = turn_id
      ORDER BY number`),
    addGap: database.query<never, Bindings>(`
      INSERT INTO gaps (id, site_id, state_at, state_generation)
      SELECT $gapId, id, $at, generation FROM sites WHERE id = $siteId
      ON CONFLICT DO NOTHING`),
    // A turn may have been deleted since it was read.
    addQuestion: database.query<never, Bindings>(`
      INSERT INTO gap_questions (turn_id, gap_id, site_id, reason, nearest_path, nearest_relevance)
      SELECT id, $gapId, $siteId, $reason, $path, $relevance FROM turns WHERE id = $turnId
      ON CONFLICT DO NOTHING`),
    generation: database.query<{ generation: number }, Bindings>(
      "SELECT generation FROM sites WHERE id = $siteId",
    ),
    records: database.query<GapRow, Bindings>(`
      SELECT id, state, state_at AS stateAt, state_generation AS stateGeneration, asked_at AS askedAt,
             asked_generation AS askedGeneration, asked_answered AS askedAnswered,
             asked_relevance AS askedRelevance, asked_path AS askedPath, asked_curated AS askedCurated
      FROM gaps WHERE site_id = $siteId ORDER BY id`),
    setState: database.query<never, Bindings>(`
      UPDATE gaps SET state = $state, state_at = $stateAt,
             state_generation = (SELECT generation FROM sites WHERE sites.id = site_id), asked_at = NULL,
             asked_generation = NULL, asked_answered = NULL, asked_relevance = NULL, asked_path = NULL,
             asked_curated = NULL
      WHERE id = $gapId AND site_id = $siteId`),
    evidence: database.query<EvidenceRow, Bindings>(
      "SELECT retrieved_json AS retrievedJson, curated FROM turns WHERE id = $turnId",
    ),
    setAskedAgain: database.query<never, Bindings>(`
      UPDATE gaps SET asked_at = $at, asked_generation = $generation, asked_answered = $answered,
             asked_relevance = $relevance, asked_path = $path, asked_curated = $curated
      WHERE id = $gapId AND state = 'documented'`),
  };
}
