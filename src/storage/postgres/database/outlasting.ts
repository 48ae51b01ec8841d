import type { Patience } from "../../patience.ts";
import type { Database, Queries, Write } from "./database.ts";
import { EndUnknown, wasKept } from "./write-end.ts";

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
