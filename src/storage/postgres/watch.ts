import { type Database, isSilence, openDatabase } from "./database/database.ts";

/** How old an answer may be, and how long one is waited for. */
const ASK_MS = 1000;
const SILENCE_MS = 2000;

/** A connection apart from all others, by which a server knows of PostgreSQL, and PostgreSQL of it. */
export interface Watch {
  /** Queries that are answered soon or fail, however busy the other connections are. */
  queries: Pick<Database, "get">;
  /** Whether PostgreSQL answers, as it was at most a second ago. It is asked once, however many want to know. */
  answers(): Promise<boolean>;
  close(): Promise<void>;
}

/** `onMended` is called when PostgreSQL answers again after it was silent: connections of before may never do so. */
export function openWatch(url: string, onMended: () => void): Watch {
  const database = openDatabase(
    { url, connectionsMax: 1, connectSecondsMax: SILENCE_MS / 1000 },
    { readMs: SILENCE_MS, writeMs: SILENCE_MS, abandonedMs: SILENCE_MS },
  );
  let asked: { at: number; answer: Promise<boolean>; isOpen: boolean } | undefined;

  let wasSilent = false;

  async function askNow(): Promise<boolean> {
    try {
      await database.get("SELECT 1");
    } catch (error) {
      wasSilent ||= isSilence(error);
      return false;
    }
    if (wasSilent) onMended();
    wasSilent = false;
    return true;
  }

  function ask(): Promise<boolean> {
    const answer = askNow();
    const own = { at: performance.now(), answer, isOpen: true };
    asked = own;
    void answer.then(() => {
      Object.assign(own, { at: performance.now(), isOpen: false });
    });
    return answer;
  }

  return {
    queries: database,
    answers() {
      const isFresh = asked !== undefined && (asked.isOpen || performance.now() - asked.at < ASK_MS);
      return asked !== undefined && isFresh ? asked.answer : ask();
    },
    close: database.close,
  };
}
