import { stateOf } from "./answered.ts";
import type { Queries } from "./database.ts";

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
export async function wasKept(database: Pick<Queries, "get">, id: string): Promise<boolean> {
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
