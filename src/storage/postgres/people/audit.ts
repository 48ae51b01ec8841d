import type { AuditFilter, AuditLook, AuditPlace, AuditStore } from "../../../audit/stores.ts";
import { type AuditRow, toAuditEntry, toAuditRow } from "../../rows/audit.ts";
import type { Database, Values } from "../database/database.ts";

const COLUMNS =
  "id, at, kind, actor_kind, actor_id, actor_name, organizations_json, site, subject_id, subject_name, details_json";

/** The entries that a look sees, from those at one end of the period on. */
const NEXT: Record<AuditLook["order"], string> = {
  newest: `SELECT ${COLUMNS} FROM audit_entries WHERE at >= $from AND (at, id) < ($at, $id) ORDER BY at DESC, id DESC`,
  oldest: `SELECT ${COLUMNS} FROM audit_entries WHERE at < $to AND (at, id) > ($at, $id) ORDER BY at, id`,
};
const ORDER_BY = { newest: "at DESC, id DESC", oldest: "at, id" };

const look = (order: AuditLook["order"]) => `
  SELECT ${COLUMNS}
  FROM (${NEXT[order]} LIMIT $lookedAtMax) AS next
  WHERE ($kinds::text[] IS NULL OR kind = ANY($kinds::text[]))
    AND ($actor::text IS NULL OR coalesce(actor_id, actor_kind) = $actor)
    AND ($organizations::text[] IS NULL OR EXISTS (
      SELECT 1 FROM json_array_elements_text(organizations_json::json) AS theirs
      WHERE theirs = ANY($organizations::text[])))
  ORDER BY ${ORDER_BY[order]} LIMIT $limit`;
const lookedAt = (order: AuditLook["order"]) =>
  `SELECT at, id FROM (${NEXT[order]} LIMIT 1 OFFSET $lookedAtMax - 1) AS last`;

const LOOK = { newest: look("newest"), oldest: look("oldest") };
const LOOKED_AT = { newest: lookedAt("newest"), oldest: lookedAt("oldest") };
const ADD = `
  INSERT INTO audit_entries (${COLUMNS})
  VALUES ($id, $at, $kind, $actorKind, $actorId, $actorName, $organizationsJson, $site, $subjectId, $subjectName,
    $detailsJson)`;
const REMOVE_OLDER = `
  DELETE FROM audit_entries WHERE id IN (
    SELECT id FROM audit_entries WHERE at < $before ORDER BY at LIMIT $most)`;

/** The log of what was done, which takes new entries alone. */
export function createAuditStore(database: Database): AuditStore {
  return {
    async add(entry) {
      await database.run(ADD, { ...toAuditRow(entry) });
    },

    async look({ from, to }, filter, { order, behind, limit, lookedAtMax }) {
      const begin = { at: order === "newest" ? to : from, id: "" };
      const bound: Values = order === "newest" ? { from } : { to };
      const window: Values = { ...bound, lookedAtMax, ...(behind ?? begin) };
      const rows = await database.all<AuditRow>(LOOK[order], { ...window, limit, ...filterValues(filter) });
      const lookedAt = await database.get<AuditPlace>(LOOKED_AT[order], window);
      return { found: rows.map(toAuditEntry), lookedAt };
    },

    removeOlder: (before, most) => database.run(REMOVE_OLDER, { before, most }),
  };
}

const filterValues = ({ kinds, actor, organizationIds }: AuditFilter): Values => ({
  kinds: kinds ?? null,
  actor: actor ?? null,
  organizations: organizationIds ?? null,
});
