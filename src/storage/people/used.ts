import type { Dialect } from "../sql/dialect.ts";
import { listJson, type Statement, statement } from "../sql/statement.ts";

type Table = "assistant_keys" | "admin_keys" | "member_sessions" | "reader_secrets" | "reader_sessions";

/** Notes when keys and sessions were used last, as `usesJson` says. A clock that was set back takes nothing back. */
export const noteUses = (table: Table): Statement<never> =>
  statement(
    (d) => `
  UPDATE ${table} SET last_used_at = ${d.greater(`coalesce(${table}.last_used_at, 0)`, "used.at")}
  FROM ${usedIn(d)} WHERE ${table}.id = used.id`,
  );

/** The uses that are given, as rows. */
export const usedIn = ({ recordsIn }: Dialect): string =>
  recordsIn("usesJson", { id: "text", at: "bigint" }, "used");

export const usesJson = (uses: ReadonlyMap<string, number>): string =>
  listJson([...uses].map(([id, at]) => ({ id, at })));
