import type { Database } from "bun:sqlite";
import { and, desc, eq, isNull, lt, max, ne, sql } from "drizzle-orm";
import type { BegunTurn, NewTurn, PastTurn, ThreadStore, TurnEnd } from "../../../threads/threads.ts";
import { writeAudience } from "../../rows/audience.ts";
import { threads, turns } from "../../sql/tables/conversations.ts";
import { later } from "../later.ts";
import { type TypedDatabase, typed } from "../typed.ts";
import { createWriteTogether } from "./write-together.ts";

export function createThreadStore(database: Database): ThreadStore {
  const db = typed(database);
  const statements = prepare(db);
  const writeTogether = createWriteTogether(database);

  return {
    begin: (turn) => writeTogether(() => beginTurn(statements, turn)),
    async recall(turn) {
      return recallTurn(statements, turn);
    },
    finish: (turnId, end, at) =>
      writeTogether(() => {
        statements.finish.run({ ...nulled(end), ...jsonOf(end), turnId, at });
      }),
    async failUnfinished(at) {
      return failUnfinished(db, at);
    },
  };
}

function failUnfinished(db: TypedDatabase, at: number): number {
  // A turn of the CLI is written by another process, which may be alive.
  const isCutOff = and(isNull(turns.outcome), ne(turns.caller, "cli"));
  const failed = { outcome: "failed", finishedAt: at };
  return db.update(turns).set(failed).where(isCutOff).returning({ id: turns.id }).all().length;
}

type Statements = ReturnType<typeof prepare>;

const pastTurn = { id: turns.id, question: turns.question, answer: turns.answer };
const followedTurn = { ...pastTurn, position: turns.position, previousTurnId: turns.previousTurnId };

/** A turn that another one follows. */
interface FollowedTurn extends PastTurn {
  position: number;
  previousTurnId: string | null;
}

const given = sql.placeholder;
const ofThread = eq(turns.threadId, given("threadId"));
const inConversation = and(ofThread, isNull(turns.replacedAt));

/** Every question runs all of these: building their SQL anew would be much of what it costs. */
const prepare = (db: TypedDatabase) => ({
  ...prepareThread(db),
  ...prepareTurn(db),
  ...preparePast(db),
  finish: prepareFinish(db),
});

const prepareThread = (db: TypedDatabase) => ({
  findThread: later(() =>
    db
      .select({ reader: threads.reader })
      .from(threads)
      .where(and(eq(threads.id, given("threadId")), eq(threads.siteId, given("siteId"))))
      .prepare(),
  ),
  findOfChat: later(() =>
    db
      .select({ id: threads.id })
      .from(threads)
      .where(eq(threads.chat, given("chat")))
      .prepare(),
  ),
  /** The chat's next thread is another one. */
  leaveChat: later(() =>
    db
      .update(threads)
      .set({ chat: null })
      .where(eq(threads.chat, given("chat")))
      .prepare(),
  ),
  touchThread: later(() =>
    db
      .update(threads)
      .set({ updatedAt: sql`${given("at")}`, reader: sql`${given("reader")}` })
      .where(eq(threads.id, given("threadId")))
      .prepare(),
  ),
  addThread: later(() =>
    db
      .insert(threads)
      .values({
        id: given("threadId"),
        siteId: given("siteId"),
        createdAt: given("at"),
        updatedAt: given("at"),
        reader: given("reader"),
        chat: given("chat"),
      })
      .prepare(),
  ),
});

const prepareTurn = (db: TypedDatabase) => ({
  replaceTurn: later(() =>
    db
      .update(turns)
      .set({ replacedAt: sql`${given("at")}` })
      .where(and(inConversation, eq(turns.questionMessageId, given("questionMessageId"))))
      .returning({ position: turns.position })
      .prepare(),
  ),
  positionOf: later(() =>
    db
      .select({ position: turns.position })
      .from(turns)
      .where(and(inConversation, eq(turns.questionMessageId, given("questionMessageId"))))
      .prepare(),
  ),
  lastPosition: later(() =>
    db
      .select({ position: max(turns.position) })
      .from(turns)
      .where(ofThread)
      .prepare(),
  ),
  addTurn: later(() =>
    db
      .insert(turns)
      .values({
        id: given("turnId"),
        threadId: given("threadId"),
        siteId: given("siteId"),
        position: given("position"),
        questionMessageId: given("questionMessageId"),
        previousTurnId: given("previousTurnId"),
        keyId: given("keyId"),
        fp: given("fp"),
        caller: given("caller"),
        currentPath: given("currentPath"),
        filterJson: given("filterJson"),
        audienceJson: given("audienceJson"),
        question: given("question"),
        createdAt: given("at"),
      })
      .prepare(),
  ),
});

const preparePast = (db: TypedDatabase) => ({
  pastTurns: later(() =>
    db
      .select(pastTurn)
      .from(turns)
      .where(and(inConversation, lt(turns.position, given("position"))))
      .orderBy(desc(turns.position))
      .limit(given("most"))
      .prepare(),
  ),
  findTurn: later(() =>
    db
      .select(followedTurn)
      .from(turns)
      .where(and(ofThread, eq(turns.id, given("turnId")), eq(turns.siteId, given("siteId"))))
      .prepare(),
  ),
  turnBefore: later(() =>
    db
      .select(followedTurn)
      .from(turns)
      .where(and(inConversation, lt(turns.position, given("position"))))
      .orderBy(desc(turns.position))
      .limit(1)
      .prepare(),
  ),
});

/** Everything that is known of a turn at its end. */
const prepareFinish = (db: TypedDatabase) =>
  later(() =>
    db
      .update(turns)
      .set({
        outcome: sql`${given("outcome")}`,
        answer: sql`${given("answer")}`,
        searched: sql`${given("searched")}`,
        rewrittenJson: sql`${given("rewrittenJson")}`,
        looksJson: sql`${given("looksJson")}`,
        retrievedJson: sql`${given("retrievedJson")}`,
        citedJson: sql`${given("citedJson")}`,
        generation: sql`${given("generation")}`,
        responder: sql`${given("responder")}`,
        model: sql`${given("model")}`,
        promptTokens: sql`${given("promptTokens")}`,
        completionTokens: sql`${given("completionTokens")}`,
        promptTokensEstimated: sql`${given("promptTokensEstimated")}`,
        supportShare: sql`${given("supportShare")}`,
        cached: sql`${given("cached")}`,
        curated: sql`${given("curated")}`,
        queueMs: sql`${given("queueMs")}`,
        retrievalMs: sql`${given("retrievalMs")}`,
        rewriteMs: sql`${given("rewriteMs")}`,
        firstTokenMs: sql`${given("firstTokenMs")}`,
        totalMs: sql`${given("totalMs")}`,
        finishedAt: sql`${given("at")}`,
      })
      .where(eq(turns.id, given("turnId")))
      .prepare(),
  );

function beginTurn(statements: Statements, asked: NewTurn): BegunTurn | undefined {
  const turn = { ...asked, threadId: asked.threadId ?? threadOfChat(statements, asked) };
  const { turnId, siteId, at, question, pastTurns } = turn;
  const previous = findPrevious(statements, turn);
  const hasPrevious = turn.previousTurnId === undefined || previous !== undefined;
  const thread = openThread(statements, hasPrevious ? turn : { ...turn, threadId: undefined });
  if (thread === undefined) return undefined;
  const { threadId } = thread;
  const { position, replaced } = thread.isNew ? FIRST : takePosition(statements, threadId, turn);
  statements.addTurn.run({
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
  });
  if (thread.isNew) return { threadId, past: [], replaced };
  return {
    threadId,
    past: pastOf(statements, { threadId, siteId, position, previous, pastTurns }),
    replaced,
  };
}

/** The same for a thread that goes on, without a write. */
function recallTurn(statements: Statements, asked: NewTurn): BegunTurn | undefined {
  const turn = { ...asked, threadId: asked.threadId ?? threadOfChat(statements, asked) };
  const { threadId, siteId, pastTurns, question } = turn;
  const previous = findPrevious(statements, turn);
  const hasPrevious = turn.previousTurnId === undefined || previous !== undefined;
  if (threadId === undefined || !hasPrevious || !isOpen(statements, turn)) return undefined;
  const { questionMessageId } = question;
  const earlier = statements.positionOf.get({ threadId, questionMessageId });
  const position = earlier?.position ?? Number.MAX_SAFE_INTEGER;
  const past = pastOf(statements, { threadId, siteId, position, previous, pastTurns });
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
function pastOf(
  statements: Statements,
  { threadId, siteId, position, previous, pastTurns: most }: Place,
): PastTurn[] {
  const past = previous
    ? turnsTo(statements, { last: previous, threadId, siteId, most })
    : statements.pastTurns.all({ threadId, position, most });
  return past.reverse();
}

/** The thread that is asked for, where it is there for who asks. */
function isOpen(
  { findThread }: Statements,
  { threadId, siteId, question, adopts = false }: NewTurn,
): boolean {
  const found = threadId === undefined ? undefined : findThread.get({ threadId, siteId });
  if (found === undefined) return false;
  const reader = question.readerId ?? null;
  return found.reader === reader || (found.reader === null && adopts);
}

/** The thread that goes on where its chat is named in place of it. */
function threadOfChat({ findOfChat }: Statements, { chat }: NewTurn): string | undefined {
  return chat === undefined || chat.isWhole ? undefined : findOfChat.get({ chat: chat.name })?.id;
}

function findPrevious(
  { findTurn }: Statements,
  { threadId, previousTurnId, siteId }: NewTurn,
): FollowedTurn | undefined {
  if (threadId === undefined || previousTurnId === undefined) return undefined;
  return findTurn.get({ turnId: previousTurnId, threadId, siteId });
}

/** A turn and those that led to it, the newest first. A turn that names none follows the one before it. */
function turnsTo(
  { findTurn, turnBefore }: Statements,
  { last, threadId, siteId, most }: { last: FollowedTurn; threadId: string; siteId: number; most: number },
): PastTurn[] {
  const found: PastTurn[] = [];
  for (let turn: FollowedTurn | undefined = last; turn && found.length < most; ) {
    const { id, question, answer, position, previousTurnId }: FollowedTurn = turn;
    found.push({ id, question, answer });
    turn =
      previousTurnId === null
        ? turnBefore.get({ threadId, position })
        : findTurn.get({ turnId: previousTurnId, threadId, siteId });
  }
  return found;
}

function openThread(statements: Statements, turn: NewTurn): { threadId: string; isNew: boolean } | undefined {
  const { threadId, newThreadId, siteId, chat, at } = turn;
  const reader = turn.question.readerId ?? null;
  const goesOn = isOpen(statements, turn);
  const opened = goesOn ? threadId : newThreadId;
  if (opened === undefined) return undefined;
  // A chat that posts whole conversations begins another one where it posts a single question.
  if (chat && (chat.isWhole || !goesOn)) statements.leaveChat.run({ chat: chat.name });
  const ofChat = chat === undefined || chat.isWhole ? null : chat.name;
  if (goesOn) statements.touchThread.run({ threadId: opened, at, reader });
  else statements.addThread.run({ threadId: opened, siteId, at, reader, chat: ofChat });
  return { threadId: opened, isNew: !goesOn };
}

/** The place of the first turn of a thread, which has nothing to look up. */
const FIRST = { position: 0, replaced: false };

/** The place of the turn that this question replaces, or the one after the last. */
function takePosition(
  { replaceTurn, lastPosition }: Statements,
  threadId: string,
  { at, question: { questionMessageId } }: NewTurn,
): { position: number; replaced: boolean } {
  const earlier = replaceTurn.get({ threadId, questionMessageId, at });
  if (earlier) return { position: earlier.position, replaced: true };
  return { position: (lastPosition.get({ threadId })?.position ?? -1) + 1, replaced: false };
}

const jsonOf = ({ rewritten, looks, retrieved, cited }: TurnEnd) => ({
  rewrittenJson: JSON.stringify(rewritten),
  looksJson: JSON.stringify(looks),
  retrievedJson: JSON.stringify(retrieved),
  citedJson: JSON.stringify(cited),
});

/** What is not known is NULL: a prepared statement needs a value for each of its places. */
function nulled(end: TurnEnd): Record<string, unknown> {
  return Object.fromEntries(Object.entries(end).map(([name, value]) => [name, value ?? null]));
}
