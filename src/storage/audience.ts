import type { Audience } from "@docent/sites/pages/audience";
import type { Dialect } from "./sql/dialect.ts";

/** Whether a page is for `$audience`, which `audienceValue` makes. */
export const isForAudience = (d: Dialect, table: string): string => `(
  ${d.hasNo("audience", "text")} OR ${table}.groups_json = '[]' OR EXISTS (
    SELECT 1 FROM ${d.stringsIn(`${table}.groups_json`)} WHERE ${d.isOneOf("value", "audience", "text")}))`;

export const audienceValue = (audience: Audience): string[] | undefined =>
  audience === "everything" ? undefined : [...audience];
