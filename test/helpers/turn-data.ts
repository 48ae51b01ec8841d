import type { Question, ThreadStore, TurnEnd } from "../../src/answering/threads/threads.ts";
import { question, turnEnd } from "../contract/thread-store.ts";
import { TEST_TIME } from "./fake-clock.ts";

interface TurnData {
  siteId: number;
  /** Of the turn, and of what its question says. */
  id: string;
  threadId?: string;
  at?: number;
  asked?: Partial<Question>;
  /** Null: it is still being written. */
  end?: Partial<TurnEnd> | null;
}

/** A turn as a server stores it; its thread is made where there is none. */
export async function addTurn(threads: ThreadStore, turn: TurnData): Promise<void> {
  const { siteId, id, threadId = `thread ${id}`, at = TEST_TIME, asked = {}, end = {} } = turn;
  await threads.begin({
    turnId: id,
    siteId,
    threadId,
    newThreadId: threadId,
    at,
    pastTurns: 0,
    question: question(id, asked),
  });
  if (end !== null) await threads.finish(id, turnEnd(`answer ${id}`, end), at + 1);
}
