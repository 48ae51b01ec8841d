import type { Audience } from "../../pages/audience.ts";

/** Whether a page is for `$audience`, which `audienceParameter` makes. */
export const isForAudience = (table: string) => `(
  $audience IS NULL OR ${table}.groups_json = '[]' OR EXISTS (
    SELECT 1 FROM json_each(${table}.groups_json) WHERE value IN (SELECT value FROM json_each($audience))))`;

export const audienceParameter = (audience: Audience): string | null =>
  audience === "everything" ? null : JSON.stringify(audience);
