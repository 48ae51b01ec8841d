import type { Database } from "bun:sqlite";
import { and, desc, eq, isNull, lt, max } from "drizzle-orm";
import type { NewTurn, PastTurn, ThreadStore } from "../threads/threads.ts";
import { type TypedDatabase, typed } from "./open.ts";
import { threads, turns } from "./tables.ts";

export function createThreadStore(database: Database): ThreadStore {
  const db = typed(database);

  return {
    async begin(turn) {
      return db.transaction(
        () => {
          const threadId = openThread(db, turn);
          if (threadId === undefined) return undefined;
          const position = takePosition(db, threadId, turn);
          const { question } = turn;
          db.insert(turns)
            .values({
              id: turn.turnId,
              threadId,
              siteId: turn.siteId,
              position,
              questionMessageId: question.questionMessageId,
              keyId: question.keyId ?? null,
              fp: question.fp,
              caller: question.caller,
              currentPath: question.currentPath ?? null,
              filterJson: question.filter ? JSON.stringify(question.filter) : null,
              question: question.text,
              createdAt: turn.at,
            })
            .run();
          return { threadId, past: pastTurns(db, threadId, position, turn.pastTurns) };
        },
        { behavior: "immediate" },
      );
    },

    async finish(turnId, { retrieved, cited, ...end }, at) {
      db.update(turns)
        .set({
          ...end,
          retrievedJson: JSON.stringify(retrieved),
          citedJson: JSON.stringify(cited),
          finishedAt: at,
        })
        .where(eq(turns.id, turnId))
        .run();
    },

    async failUnfinished(at) {
      // A turn of the CLI is written by another process, which may be alive.
      const result = database
        .query(
          "UPDATE turns SET outcome = 'failed', finished_at = ? WHERE outcome IS NULL AND caller <> 'cli'",
        )
        .run(at);
      return result.changes;
    },
  };
}

function openThread(db: TypedDatabase, turn: NewTurn): string | undefined {
  const found =
    turn.threadId === undefined
      ? undefined
      : db
          .select({ id: threads.id })
          .from(threads)
          .where(and(eq(threads.id, turn.threadId), eq(threads.siteId, turn.siteId)))
          .get();
  if (found) {
    db.update(threads).set({ updatedAt: turn.at }).where(eq(threads.id, found.id)).run();
    return found.id;
  }
  if (turn.newThreadId === undefined) return undefined;
  db.insert(threads)
    .values({ id: turn.newThreadId, siteId: turn.siteId, createdAt: turn.at, updatedAt: turn.at })
    .run();
  return turn.newThreadId;
}

/** The place of the turn that this question replaces, or the one after the last. */
function takePosition(db: TypedDatabase, threadId: string, turn: NewTurn): number {
  const replaced = db
    .update(turns)
    .set({ replacedAt: turn.at })
    .where(
      and(
        eq(turns.threadId, threadId),
        eq(turns.questionMessageId, turn.question.questionMessageId),
        isNull(turns.replacedAt),
      ),
    )
    .returning({ position: turns.position })
    .get();
  if (replaced) return replaced.position;
  const last = db
    .select({ position: max(turns.position) })
    .from(turns)
    .where(eq(turns.threadId, threadId))
    .get();
  return (last?.position ?? -1) + 1;
}

function pastTurns(db: TypedDatabase, threadId: string, before: number, most: number): PastTurn[] {
  return db
    .select({ id: turns.id, question: turns.question, answer: turns.answer })
    .from(turns)
    .where(and(eq(turns.threadId, threadId), lt(turns.position, before), isNull(turns.replacedAt)))
    .orderBy(desc(turns.position))
    .limit(most)
    .all()
    .reverse();
}
