import type { Database } from "bun:sqlite";
import { z } from "zod";
import type {
  CallerCounts,
  ConversationStore,
  ListPlace,
  StoredConversation,
  ThreadTurn,
} from "../../../analytics/stores.ts";
import { fieldsOf, type RowOf, readLooks, readStrings } from "../../rows.ts";

interface Row extends RowOf<Omit<StoredConversation, "cited" | "rewritten" | "looks">> {
  rewrittenJson: string;
  looksJson: string;
  citedJson: string;
}

type Values = Record<string, string | number>;

const citedSchema = z.array(z.object({ passageId: z.number(), url: z.string() }));

const CONVERSATIONS = `
  SELECT turns.id, turns.thread_id AS threadId, turns.created_at AS at, turns.question, turns.answer, turns.outcome,
         turns.rewritten_json AS rewrittenJson, turns.looks_json AS looksJson,
         turns.caller, turns.current_path AS currentPath, turns.responder, turns.model, turns.cited_json AS citedJson,
         feedback.helpful, feedback.comment
  FROM turns LEFT JOIN feedback ON feedback.turn_id = turns.id
  WHERE turns.site_id = $siteId AND turns.replaced_at IS NULL`;

export const CONVERSATION_QUERIES = {
  newest: `${CONVERSATIONS} AND turns.created_at >= $from AND (turns.created_at, turns.id) < ($at, $id)
    ORDER BY turns.created_at DESC, turns.id DESC LIMIT $limit`,
  oldest: `${CONVERSATIONS} AND turns.created_at < $to AND (turns.created_at, turns.id) > ($at, $id)
    ORDER BY turns.created_at, turns.id LIMIT $limit`,
  titles: `SELECT passages.id, pages.title FROM passages JOIN pages ON pages.id = passages.page_id
    WHERE passages.id IN (SELECT value FROM json_each($ids)) AND passages.site_id = $siteId`,
  thread: "SELECT created_at AS createdAt FROM threads WHERE id = $threadId AND site_id = $siteId",
  turns: `SELECT id, question_message_id AS questionMessageId, question, answer, created_at AS askedAt,
      finished_at AS answeredAt FROM turns WHERE thread_id = $threadId AND replaced_at IS NULL
    ORDER BY position DESC LIMIT $limit`,
  // The index holds all of it; SQLite would read the turns themselves. Of days that were deleted, those that began in the
  // period count: what is left of them tells no more than the day.
  callers: `SELECT coalesce(sum(count), 0) AS total, coalesce(sum(count * (caller = 'web')), 0) AS web,
      coalesce(sum(count * (caller = 'api')), 0) AS api
    FROM (
      SELECT 1 AS count, caller FROM turns INDEXED BY turns_in_conversations
      WHERE site_id = $siteId AND replaced_at IS NULL AND created_at >= $from AND created_at < $to
      UNION ALL
      SELECT count, caller FROM turn_counts
      WHERE site_id = $siteId AND unixepoch(day) * 1000 >= $from AND unixepoch(day) * 1000 < $to)`,
};

export function createConversationStore(database: Database): ConversationStore {
  const newest = database.query<Row, Values>(CONVERSATION_QUERIES.newest);
  const oldest = database.query<Row, Values>(CONVERSATION_QUERIES.oldest);
  const titles = database.query<{ id: number; title: string }, Values>(CONVERSATION_QUERIES.titles);
  const thread = database.query<{ createdAt: number }, Values>(CONVERSATION_QUERIES.thread);
  const turns = database.query<RowOf<ThreadTurn>, Values>(CONVERSATION_QUERIES.turns);
  const callers = database.query<CallerCounts, Values>(CONVERSATION_QUERIES.callers);

  /** Adds the titles of the cited pages, read in one query for all rows. */
  function withTitles(siteId: number, rows: Row[]): StoredConversation[] {
    const cited = rows.map((row) => citedSchema.parse(JSON.parse(row.citedJson)));
    const ids = [...new Set(cited.flat().map(({ passageId }) => passageId))];
    const known = ids.length === 0 ? [] : titles.all({ siteId, ids: JSON.stringify(ids) });
    const titleOf = new Map(known.map(({ id, title }) => [id, title]));
    return rows.map((row, index) => ({
      ...toConversation(row),
      cited: onePerUrl(
        (cited[index] ?? []).map(({ passageId, url }) => ({ url, title: titleOf.get(passageId) })),
      ),
    }));
  }

  return {
    async conversations(siteId, { from, to }, { order, behind, limit }) {
      const rows =
        order === "newest"
          ? newest.all({ siteId, from, limit, ...(behind ?? { at: to, id: "" }) })
          : oldest.all({ siteId, to, limit, ...(behind ?? placeBefore(from)) });
      return withTitles(siteId, rows);
    },

    async thread(siteId, threadId, turnsMax) {
      const found = thread.get({ siteId, threadId });
      if (found === null) return undefined;
      const rows = turns.all({ threadId, limit: turnsMax }).reverse();
      return { createdAt: found.createdAt, turns: rows.map(fieldsOf) };
    },

    async callers(siteId, { from, to }) {
      return callers.get({ siteId, from, to }) ?? { web: 0, api: 0, total: 0 };
    },
  };
}

function toConversation({
  citedJson: _,
  rewrittenJson,
  looksJson,
  ...row
}: Row): Omit<StoredConversation, "cited"> {
  const helpful = row.helpful === null ? undefined : row.helpful === 1;
  return { ...fieldsOf(row), rewritten: readStrings(rewrittenJson), looks: readLooks(looksJson), helpful };
}

const onePerUrl = (cited: StoredConversation["cited"]) => [
  ...new Map(cited.map((each) => [each.url, each])).values(),
];

/** Sorts after every id. */
const LAST_ID = "\u{10FFFF}";

/** The place just before whatever happened at that moment or later. */
const placeBefore = (at: number): ListPlace => ({ at: at - 1, id: LAST_ID });
