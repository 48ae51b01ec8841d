import { type Database, isSilence, openDatabase } from "./database/database.ts";

/** How old an answer may be. */
const ASK_MS = 1000;
/**
 * How long an answer is waited for, and how many in a row may be missing: PostgreSQL stands still for a moment where its
 * disk does, or its machine is moved, and all servers see it at once. After `cutMs` without any, it will not go on with what
 * it was asked before.
 */
const LOOKS = { silenceMs: 1500, silentMax: 1, cutMs: 10_000 };

/** A connection apart from all others, by which a server knows of PostgreSQL, and PostgreSQL of it. */
export interface Watch {
  /** Queries that are answered soon or fail, however busy the other connections are. */
  queries: Pick<Database, "get">;
  /** Whether PostgreSQL answers, as it was at most a second ago. It is asked once, however many want to know. */
  answers(): Promise<boolean>;
  close(): Promise<void>;
}

/**
 * `onMended` is called when PostgreSQL answers again after it was silent: connections of before may never do so. After a
 * short silence this is said of those alone on which nothing runs, for nothing is lost with them.
 */
export function openWatch(
  url: string,
  onMended: (which: "idle" | "all") => void,
  chosen: Partial<typeof LOOKS> = {},
): Watch {
  const { silenceMs, silentMax, cutMs } = { ...LOOKS, ...chosen };
  const database = openDatabase(
    { url, connectionsMax: 1, connectSecondsMax: silenceMs / 1000 },
    { readMs: silenceMs, writeMs: silenceMs, abandonedMs: silenceMs },
  );
  let asked: { at: number; answer: Promise<boolean>; isOpen: boolean } | undefined;
  /** The looks in a row that nothing answered. */
  let silence: { looks: number; since: number; until: number } | undefined;

  async function askNow(): Promise<boolean> {
    const at = performance.now();
    try {
      await database.get("SELECT 1");
    } catch (error) {
      if (!isSilence(error)) return false;
      const { looks = 0, since = at } = silence ?? {};
      silence = { looks: looks + 1, since, until: performance.now() };
      return silence.looks <= silentMax;
    }
    if (silence !== undefined) onMended(silence.until - silence.since >= cutMs ? "all" : "idle");
    silence = undefined;
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
