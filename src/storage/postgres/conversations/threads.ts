import type { BegunTurn, NewTurn, PastTurn, ThreadStore, TurnEnd } from "../../../threads/threads.ts";
import { writeAudience } from "../../rows/audience.ts";
import type { Database, Queries, Values } from "../database/database.ts";

/** Locks the thread: questions that come to it at the same time, through whichever server, are added one by one. */
const TOUCH_THREAD = `
  UPDATE threads SET updated_at = $at, reader = $reader::text WHERE id = $threadId AND site_id = $siteId
    AND (reader IS NOT DISTINCT FROM $reader::text OR reader IS NULL AND $adopts::boolean)`;
/** One of that id, or of that chat, may have begun in the same moment. */
const ADD_THREAD = `
  INSERT INTO threads (id, site_id, created_at, updated_at, reader, chat)
  VALUES ($threadId, $siteId, $at, $at, $reader, $chat)
  ON CONFLICT DO NOTHING`;
const FIND_OPEN = `
  SELECT id FROM threads WHERE id = $threadId AND site_id = $siteId
    AND (reader IS NOT DISTINCT FROM $reader::text OR reader IS NULL AND $adopts::boolean)`;
const FIND_OF_CHAT = "SELECT id FROM threads WHERE chat = $chat";
/** The chat's next thread is another one. */
const LEAVE_CHAT = "UPDATE threads SET chat = NULL WHERE chat = $chat";
const IN_CONVERSATION = "thread_id = $threadId AND replaced_at IS NULL";
const REPLACE_TURN = `
  UPDATE turns SET replaced_at = $at
  WHERE ${IN_CONVERSATION} AND md5(question_message_id) = md5($questionMessageId)
    AND question_message_id = $questionMessageId
  RETURNING position`;
const POSITION_OF = `
  SELECT position FROM turns
  WHERE ${IN_CONVERSATION} AND md5(question_message_id) = md5($questionMessageId)
    AND question_message_id = $questionMessageId`;
const LAST_POSITION = "SELECT max(position) AS position FROM turns WHERE thread_id = $threadId";
const ADD_TURN = `
  INSERT INTO turns (id, thread_id, site_id, position, question_message_id, previous_turn_id, key_id, fp, caller,
    current_path, filter_json, audience_json, question, created_at, server_id)
  VALUES ($turnId, $threadId, $siteId, $position, $questionMessageId, $previousTurnId, $keyId, $fp, $caller,
    $currentPath, $filterJson, $audienceJson, $question, $at, $serverId)`;
const PAST = "SELECT id, question, answer, position, previous_turn_id FROM turns";
const PAST_TURNS = `
  ${PAST} WHERE ${IN_CONVERSATION} AND position < $position ORDER BY position DESC LIMIT $most`;
const FIND_TURN = `${PAST} WHERE thread_id = $threadId AND id = $turnId AND site_id = $siteId`;
/** Everything that is known of a turn at its end. */
const FINISH = `
  UPDATE turns SET outcome = $outcome, answer = $answer, searched = $searched, rewritten_json = $rewrittenJson,
    looks_json = $looksJson, retrieved_json = $retrievedJson, cited_json = $citedJson, generation = $generation,
    responder = $responder, model = $model, prompt_tokens = $promptTokens, completion_tokens = $completionTokens,
    prompt_tokens_estimated = $promptTokensEstimated, support_share = $supportShare, cached = $cached,
    curated = $curated, queue_ms = $queueMs, retrieval_ms = $retrievalMs, rewrite_ms = $rewriteMs,
    first_token_ms = $firstTokenMs, total_ms = $totalMs, finished_at = $at
  WHERE id = $turnId`;
/**
 * A turn of the CLI is written by another process, which may be alive. So may a server that was silent for long: after
 * PostgreSQL was away, all were. What `servers.ts` hears of them tells.
 */
const FAIL_UNFINISHED = `
  UPDATE turns SET outcome = 'failed', finished_at = $at
  WHERE outcome IS NULL AND caller <> 'cli' AND NOT EXISTS (
    SELECT 1 FROM servers WHERE servers.id = turns.server_id)`;

export function createThreadStore(database: Database, serverId: string | undefined): ThreadStore {
  return {
    begin: (turn) => database.inOneWrite((write) => beginTurn(write, turn, serverId)),
    recall: (turn) => recallTurn(database, turn),
    async finish(turnId, end, at) {
      await database.run(FINISH, { ...valuesOf(end), turnId, at });
    },
    failUnfinished: (at) => database.run(FAIL_UNFINISHED, { at }),
  };
}

/** A turn that another one follows. */
interface FollowedTurn extends PastTurn {
  position: number;
  previousTurnId: string | null;
}

async function beginTurn(
  write: Queries,
  asked: NewTurn,
  serverId: string | undefined,
): Promise<BegunTurn | undefined> {
  const turn = { ...asked, threadId: asked.threadId ?? (await threadOfChat(write, asked)) };
  const { turnId, siteId, at, question, pastTurns } = turn;
  const previous = await findPrevious(write, turn);
  const hasPrevious = turn.previousTurnId === undefined || previous !== undefined;
  const thread = await openThread(write, hasPrevious ? turn : { ...turn, threadId: undefined });
  if (thread === undefined) return undefined;
  const { threadId } = thread;
  const { position, replaced } = thread.isNew ? FIRST : await takePosition(write, threadId, turn);
  await write.run(ADD_TURN, {
    turnId,
    threadId,
    siteId,
    position,
    at,
    questionMessageId: question.questionMessageId,
    previousTurnId: previous?.id ?? null,
    keyId: question.keyId ?? null,
    fp: question.fp,
    caller: question.caller,
    currentPath: question.currentPath ?? null,
    audienceJson: writeAudience(question.audience),
    filterJson: question.filter ? JSON.stringify(question.filter) : null,
    question: question.text,
    serverId: serverId ?? null,
  });
  if (thread.isNew) return { threadId, past: [], replaced };
  return {
    threadId,
    past: await pastOf(write, { threadId, siteId, position, previous, pastTurns }),
    replaced,
  };
}

/** The same for a thread that goes on, without a write. */
async function recallTurn(database: Queries, asked: NewTurn): Promise<BegunTurn | undefined> {
  const turn = { ...asked, threadId: asked.threadId ?? (await threadOfChat(database, asked)) };
  const { threadId, siteId, question, pastTurns, adopts = false } = turn;
  const previous = await findPrevious(database, turn);
  const hasPrevious = turn.previousTurnId === undefined || previous !== undefined;
  if (threadId === undefined || !hasPrevious) return undefined;
  const asker = { threadId, siteId, reader: question.readerId ?? null, adopts };
  if ((await database.get(FIND_OPEN, asker)) === undefined) return undefined;
  const { questionMessageId } = question;
  const earlier = await database.get<{ position: number }>(POSITION_OF, { threadId, questionMessageId });
  const position = earlier?.position ?? LAST;
  const past = await pastOf(database, { threadId, siteId, position, previous, pastTurns });
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
async function pastOf(
  queries: Queries,
  { threadId, siteId, position, previous, pastTurns: most }: Place,
): Promise<PastTurn[]> {
  const past = previous
    ? await turnsTo(queries, { last: previous, threadId, siteId, most })
    : await queries.all<FollowedTurn>(PAST_TURNS, { threadId, position, most });
  return past.map(toPast).reverse();
}

const toPast = ({ id, question, answer }: PastTurn): PastTurn => ({ id, question, answer });

/** The thread that goes on where its chat is named in place of it. */
async function threadOfChat(write: Queries, { chat }: NewTurn): Promise<string | undefined> {
  if (chat === undefined || chat.isWhole) return undefined;
  return (await write.get<{ id: string }>(FIND_OF_CHAT, { chat: chat.name }))?.id;
}

async function findPrevious(
  write: Queries,
  { threadId, previousTurnId: turnId, siteId }: NewTurn,
): Promise<FollowedTurn | undefined> {
  if (threadId === undefined || turnId === undefined) return undefined;
  return write.get(FIND_TURN, { turnId, threadId, siteId });
}

/** A turn and those that led to it, the newest first. A turn that names none follows the one before it. */
async function turnsTo(
  write: Queries,
  { last, threadId, siteId, most }: { last: FollowedTurn; threadId: string; siteId: number; most: number },
): Promise<PastTurn[]> {
  const found: PastTurn[] = [];
  for (let turn: FollowedTurn | undefined = last; turn && found.length < most; ) {
    found.push(turn);
    const { position, previousTurnId: turnId }: FollowedTurn = turn;
    turn =
      turnId === null
        ? await write.get<FollowedTurn>(PAST_TURNS, { threadId, position, most: 1 })
        : await write.get<FollowedTurn>(FIND_TURN, { turnId, threadId, siteId });
  }
  return found;
}

async function openThread(
  write: Queries,
  turn: NewTurn,
): Promise<{ threadId: string; isNew: boolean } | undefined> {
  const { threadId, newThreadId, siteId, question, chat, adopts = false, at } = turn;
  const known = { siteId, at, reader: question.readerId ?? null };
  const goesOn = async (id: string) =>
    (await write.run(TOUCH_THREAD, { ...known, threadId: id, adopts })) > 0;
  const wasOpen = threadId !== undefined && (await goesOn(threadId));
  // A chat that posts whole conversations begins another one where it posts a single question.
  if (chat && (chat.isWhole || (!wasOpen && threadId !== undefined)))
    await write.run(LEAVE_CHAT, { chat: chat.name });
  if (wasOpen) return { threadId, isNew: false };
  if (newThreadId === undefined) return undefined;
  const ofChat = chat === undefined || chat.isWhole ? null : chat.name;
  if ((await write.run(ADD_THREAD, { ...known, threadId: newThreadId, chat: ofChat })) > 0)
    return { threadId: newThreadId, isNew: true };
  // The thread of a channel, or of an app's chat, is one on all servers: another one began it in the same moment.
  const begun = (await threadOfChat(write, turn)) ?? newThreadId;
  return (await goesOn(begun)) ? { threadId: begun, isNew: false } : undefined;
}

/** The place of the first turn of a thread, which has nothing to look up. */
const FIRST = { position: 0, replaced: false };
/** A place behind every turn. */
const LAST = 2_147_483_647;

/** The place of the turn that this question replaces, or the one after the last. */
async function takePosition(
  write: Queries,
  threadId: string,
  { at, question: { questionMessageId } }: NewTurn,
): Promise<{ position: number; replaced: boolean }> {
  const earlier = await write.get<{ position: number }>(REPLACE_TURN, { threadId, questionMessageId, at });
  if (earlier) return { position: earlier.position, replaced: true };
  const last = await write.get<{ position: number | null }>(LAST_POSITION, { threadId });
  return { position: (last?.position ?? -1) + 1, replaced: false };
}

function valuesOf({ rewritten, looks, retrieved, cited, ...end }: TurnEnd): Values {
  const known = Object.entries(end).map(([name, value]) => [name, value ?? null]);
  return {
    ...Object.fromEntries(known),
    rewrittenJson: JSON.stringify(rewritten),
    looksJson: JSON.stringify(looks),
    retrievedJson: JSON.stringify(retrieved),
    citedJson: JSON.stringify(cited),
  };
}
