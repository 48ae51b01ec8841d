import type { Patience } from "../../patience.ts";
import { stateOf } from "./answered.ts";
import type { Database, Queries, Write } from "./database.ts";

/** What changes something; whatever else a statement does may be done twice. */
const CHANGES = /\b(?:INSERT|UPDATE|DELETE)\b/i;

/**
 * The same database, for work that can wait: what fails because the database is away is done again. A statement that
 * changes something is a write of its own, of which it can be told whether it was kept.
 */
export function outlasting(database: Database, patience: Patience): Database {
  async function inOneWrite<R>(work: (write: Write) => Promise<R>): Promise<R> {
    /** A write whose end is not known: it is asked about before anything is done again. */
    let unknown: { id: string; done: R } | undefined;
    return patience.outlast(async () => {
      if (unknown !== undefined && (await wasKept(database, unknown.id))) return unknown.done;
      unknown = undefined;
      let worked: { done: R } | undefined;
      try {
        return await database.inOneWrite(async (write) => {
          worked = undefined;
          const done = await work(write);
          worked = { done };
          return done;
        });
      } catch (error) {
        if (!(error instanceof EndUnknown)) throw error;
        // Nothing ends before the work has.
        if (worked !== undefined) unknown = { id: error.id, ...worked };
        throw error.cause;
      }
    });
  }

  /** Runs a statement alone where it may be run twice. */
  const either = <R>(text: string, run: (queries: Queries) => Promise<R>): Promise<R> =>
    CHANGES.test(text) ? inOneWrite(run) : patience.outlast(() => run(database));

  return {
    ...database,
    inOneWrite,
    all: (text, values) => either(text, (queries) => queries.all(text, values)),
    get: (text, values) => either(text, (queries) => queries.get(text, values)),
    run: (text, values) => either(text, (queries) => queries.run(text, values)),
  };
}

/** A write whose last answer did not come: PostgreSQL may have kept it or not. */
export class EndUnknown extends Error {
  /** By which PostgreSQL knows it. */
  readonly id: string;

  constructor(id: string, cause: unknown) {
    super("the end of a write is not known", { cause });
    this.id = id;
  }
}

/** Whether PostgreSQL said nothing of the write itself, but that the connection ends, if anything. */
export const saysNoEnd = (error: unknown): boolean => /^(?:$|08|57P)/.test(stateOf(error));

const STATUS = "SELECT pg_xact_status($id::text::xid8) AS status";
/** invalid_parameter_value: it has not counted so far. A replica that lacks the write took the other's place. */
const IN_FUTURE = "22023";
const LOOK_MS = 200;
const LOOKS_MAX = 300;

/** Whether a write was kept. One that is still open is waited for: nobody speaks to it any more, so PostgreSQL ends it soon. */
async function wasKept(database: Pick<Queries, "get">, id: string): Promise<boolean> {
  for (let look = 1; look <= LOOKS_MAX; look++) {
    const status = await statusOf(database, id);
    if (status !== "in progress") return status === "committed";
    await Bun.sleep(LOOK_MS);
  }
  throw new Error("PostgreSQL does not end a write that nobody speaks to");
}

async function statusOf(database: Pick<Queries, "get">, id: string): Promise<string | null | undefined> {
  try {
    return (await database.get<{ status: string | null }>(STATUS, { id }))?.status;
  } catch (error) {
    if (stateOf(error) === IN_FUTURE) return undefined;
    throw error;
  }
}
