import type { BegunTurn, NewTurn, PastTurn, ThreadStore, TurnEnd } from "@docent/answering/threads/threads";
import { writeAudience } from "../rows/audience.ts";
import { all, get, run, type Sql, type Steps } from "../sql/sql.ts";
import { insertInto, select, statement, type Values } from "../sql/statement.ts";
import { threads, turns } from "../tables/conversations.ts";

/** A thread that goes on for who asks. */
const IS_OPEN = `id = $threadId AND site_id = $siteId
    AND (reader IS NOT DISTINCT FROM CAST($reader AS text) OR reader IS NULL AND CAST($adopts AS boolean))`;
/** Locks the thread: questions that come to it at the same time, through whichever server, are added one by one. */
const TOUCH_THREAD = statement(
  `UPDATE threads SET updated_at = $at, reader = CAST($reader AS text) WHERE ${IS_OPEN}`,
);
/** One of that id, or of that chat, may have begun in the same moment. */
const ADD_THREAD = statement(`${insertInto(threads)} ON CONFLICT DO NOTHING`);
const FIND_OPEN = statement(`SELECT id FROM threads WHERE ${IS_OPEN}`);
const FIND_OF_CHAT = select(threads, ["id"], "FROM threads WHERE chat = $chat");
/** The chat's next thread is another one. */
const LEAVE_CHAT = statement("UPDATE threads SET chat = NULL WHERE chat = $chat");
const IN_CONVERSATION = "thread_id = $threadId AND replaced_at IS NULL";
const REPLACE_TURN = statement<{ position: number }>(
  (d) => `
  UPDATE turns SET replaced_at = $at
  WHERE ${IN_CONVERSATION} AND ${d.isSame("question_message_id", "$questionMessageId")} RETURNING position`,
);
const POSITION_OF = select(
  turns,
  ["position"],
  (d) => `FROM turns WHERE ${IN_CONVERSATION} AND ${d.isSame("question_message_id", "$questionMessageId")}`,
);
const LAST_POSITION = statement<{ position: number | null }>(
  "SELECT max(position) AS position FROM turns WHERE thread_id = $threadId",
);
const ADD_TURN = statement(
  ({ onPostgres }) => `
  INSERT INTO turns (id, thread_id, site_id, position, question_message_id, previous_turn_id, key_id, fp, caller,
    current_path, filter_json, audience_json, question, created_at ${onPostgres(", server_id")})
  VALUES ($turnId, $threadId, $siteId, $position, $questionMessageId, $previousTurnId, $keyId, $fp, $caller,
    $currentPath, $filterJson, $audienceJson, $question, $at ${onPostgres(", $serverId")})`,
);
const FOLLOWED = ["id", "question", "answer", "position", "previousTurnId"] as const;
const PAST_TURNS = select(
  turns,
  FOLLOWED,
  `FROM turns WHERE ${IN_CONVERSATION} AND position < $position ORDER BY position DESC LIMIT $most`,
);
const FIND_TURN = select(
  turns,
  FOLLOWED,
  "FROM turns WHERE thread_id = $threadId AND id = $turnId AND site_id = $siteId",
);
/** Everything that is known of a turn at its end. */
const FINISH = statement(`
  UPDATE turns SET outcome = $outcome, answer = $answer, searched = $searched, rewritten_json = $rewrittenJson,
    looks_json = $looksJson, retrieved_json = $retrievedJson, cited_json = $citedJson, generation = $generation,
    responder = $responder, model = $model, prompt_tokens = $promptTokens, completion_tokens = $completionTokens,
    prompt_tokens_estimated = $promptTokensEstimated, support_share = $supportShare, cached = $cached,
    curated = $curated, queue_ms = $queueMs, retrieval_ms = $retrievalMs, rewrite_ms = $rewriteMs,
    first_token_ms = $firstTokenMs, total_ms = $totalMs, finished_at = $at
  WHERE id = $turnId`);
/**
 * A turn of the CLI is written by another process, which may be alive. So may, on PostgreSQL, a server that was silent for
 * long: after it was away, all were. What `servers.ts` hears of them tells.
 */
const FAIL_UNFINISHED = statement(
  ({ onPostgres }) => `
  UPDATE turns SET outcome = 'failed', finished_at = $at WHERE outcome IS NULL AND caller <> 'cli'
  ${onPostgres("AND NOT EXISTS (SELECT 1 FROM servers WHERE servers.id = turns.server_id)")}`,
);

/** `serverId` is the server that writes answers here, where several may. */
export function createThreadStore(sql: Sql, serverId?: string): ThreadStore {
  return {
    begin: (turn) => sql.together.inOneWrite(() => beginTurn(turn, serverId)),
    recall: (turn) => sql.inTurn(() => recallTurn(turn)),
    async finish(turnId, end, at) {
      await sql.together.run(FINISH, { ...valuesOf(end), turnId, at });
    },
    failUnfinished: (at) => sql.run(FAIL_UNFINISHED, { at }),
  };
}

/** A turn that another one follows. */
interface FollowedTurn extends PastTurn {
  position: number;
  previousTurnId: string | null;
}

function* beginTurn(asked: NewTurn, serverId: string | undefined): Steps<BegunTurn | undefined> {
  const turn = { ...asked, threadId: asked.threadId ?? (yield* threadOfChat(asked)) };
  const { turnId, siteId, at, question, pastTurns } = turn;
  const previous = yield* findPrevious(turn);
  const hasPrevious = turn.previousTurnId === undefined || previous !== undefined;
  const thread = yield* openThread(hasPrevious ? turn : { ...turn, threadId: undefined });
  if (thread === undefined) return undefined;
  const { threadId } = thread;
  const { position, replaced } = thread.isNew ? FIRST : yield* takePosition(threadId, turn);
  const { questionMessageId, keyId, fp, caller, currentPath, audience, filter, text } = question;
  yield* run(ADD_TURN, {
    turnId,
    threadId,
    siteId,
    position,
    at,
    questionMessageId,
    previousTurnId: previous?.id,
    keyId,
    fp,
    caller,
    currentPath,
    audienceJson: writeAudience(audience),
    filterJson: filter && JSON.stringify(filter),
    question: text,
    serverId,
  });
  if (thread.isNew) return { threadId, past: [], replaced };
  return { threadId, past: yield* pastOf({ threadId, siteId, position, previous, pastTurns }), replaced };
}

/** The same for a thread that goes on, without a write. */
function* recallTurn(asked: NewTurn): Steps<BegunTurn | undefined> {
  const turn = { ...asked, threadId: asked.threadId ?? (yield* threadOfChat(asked)) };
  const { threadId, siteId, question, pastTurns, adopts = false } = turn;
  const previous = yield* findPrevious(turn);
  const hasPrevious = turn.previousTurnId === undefined || previous !== undefined;
  if (threadId === undefined || !hasPrevious) return undefined;
  const { questionMessageId, readerId: reader } = question;
  if ((yield* get(FIND_OPEN, { threadId, siteId, reader, adopts })) === undefined) return undefined;
  const earlier = yield* get(POSITION_OF, { threadId, questionMessageId });
  const position = earlier?.position ?? LAST;
  const past = yield* pastOf({ threadId, siteId, position, previous, pastTurns });
  return { threadId, past, replaced: earlier !== undefined };
}

interface Place {
  threadId: string;
  siteId: number;
  position: number;
  previous: FollowedTurn | undefined;
  pastTurns: number;
}

/** The turns before a place of a thread, oldest first. */
function* pastOf({ threadId, siteId, position, previous, pastTurns: most }: Place): Steps<PastTurn[]> {
  const past = previous
    ? yield* turnsTo({ last: previous, threadId, siteId, most })
    : yield* all(PAST_TURNS, { threadId, position, most });
  return past.map(({ id, question, answer }) => ({ id, question, answer })).reverse();
}

/** The thread that goes on where its chat is named in place of it. */
function* threadOfChat({ chat }: NewTurn): Steps<string | undefined> {
  if (chat === undefined || chat.isWhole) return undefined;
  return (yield* get(FIND_OF_CHAT, { chat: chat.name }))?.id;
}

function* findPrevious({
  threadId,
  previousTurnId: turnId,
  siteId,
}: NewTurn): Steps<FollowedTurn | undefined> {
  if (threadId === undefined || turnId === undefined) return undefined;
  return yield* get(FIND_TURN, { turnId, threadId, siteId });
}

/** A turn and those that led to it, the newest first. A turn that names none follows the one before it. */
function* turnsTo({
  last,
  threadId,
  siteId,
  most,
}: {
  last: FollowedTurn;
  threadId: string;
  siteId: number;
  most: number;
}): Steps<FollowedTurn[]> {
  const found: FollowedTurn[] = [];
  for (let turn: FollowedTurn | undefined = last; turn && found.length < most; ) {
    found.push(turn);
    const { position, previousTurnId: turnId }: FollowedTurn = turn;
    turn =
      turnId === null
        ? yield* get(PAST_TURNS, { threadId, position, most: 1 })
        : yield* get(FIND_TURN, { turnId, threadId, siteId });
  }
  return found;
}

function* openThread(turn: NewTurn): Steps<{ threadId: string; isNew: boolean } | undefined> {
  const { threadId, newThreadId, siteId, question, chat, adopts = false, at } = turn;
  const reader = question.readerId;
  function* goesOn(id: string): Steps<boolean> {
    return (yield* run(TOUCH_THREAD, { threadId: id, siteId, at, reader, adopts })) > 0;
  }
  const wasOpen = threadId !== undefined && (yield* goesOn(threadId));
  // A chat that posts whole conversations begins another one where it posts a single question.
  if (chat && (chat.isWhole || (!wasOpen && threadId !== undefined)))
    yield* run(LEAVE_CHAT, { chat: chat.name });
  if (wasOpen) return { threadId, isNew: false };
  if (newThreadId === undefined) return undefined;
  const ofChat = chat === undefined || chat.isWhole ? undefined : chat.name;
  const thread = { id: newThreadId, siteId, createdAt: at, updatedAt: at, reader, chat: ofChat };
  if ((yield* run(ADD_THREAD, thread)) > 0) return { threadId: newThreadId, isNew: true };
  // The thread of a channel, or of an app's chat, is one on all servers: another one began it in the same moment.
  const begun = (yield* threadOfChat(turn)) ?? newThreadId;
  return (yield* goesOn(begun)) ? { threadId: begun, isNew: false } : undefined;
}

/** The place of the first turn of a thread, which has nothing to look up. */
const FIRST = { position: 0, replaced: false };
/** A place behind every turn. */
const LAST = 2_147_483_647;

/** The place of the turn that this question replaces, or the one after the last. */
function* takePosition(
  threadId: string,
  { at, question: { questionMessageId } }: NewTurn,
): Steps<{ position: number; replaced: boolean }> {
  const earlier = yield* get(REPLACE_TURN, { threadId, questionMessageId, at });
  if (earlier) return { position: earlier.position, replaced: true };
  const last = yield* get(LAST_POSITION, { threadId });
  return { position: (last?.position ?? -1) + 1, replaced: false };
}

const valuesOf = ({ rewritten, looks, retrieved, cited, ...end }: TurnEnd): Values => ({
  ...end,
  rewrittenJson: JSON.stringify(rewritten),
  looksJson: JSON.stringify(looks),
  retrievedJson: JSON.stringify(retrieved),
  citedJson: JSON.stringify(cited),
});
