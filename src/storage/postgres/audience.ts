import type { Audience } from "../../pages/audience.ts";

/** Whether a page is for `$audience`, which `audienceValue` makes. */
export const isForAudience = (table: string) => `(
  $audience::text[] IS NULL OR ${table}.groups_json = '[]' OR EXISTS (
    SELECT 1 FROM json_array_elements_text(${table}.groups_json::json) AS own WHERE own = ANY($audience::text[])))`;

export const audienceValue = (audience: Audience): string[] | null =>
  audience === "everything" ? null : [...audience];
