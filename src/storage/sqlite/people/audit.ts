import type { Database } from "bun:sqlite";
import type { AuditFilter, AuditLook, AuditPlace, AuditStore } from "../../../audit/stores.ts";
import { type AuditRow, toAuditEntry, toAuditRow } from "../../rows/audit.ts";
import { auditEntries } from "../../sql/tables/people.ts";
import { typed } from "../typed.ts";

type Values = Record<string, string | number | null>;

/** The entries that a look sees, from those at one end of the period on. */
const NEXT: Record<AuditLook["order"], string> = {
  newest: `SELECT * FROM audit_entries WHERE at >= $from AND (at, id) < ($at, $id) ORDER BY at DESC, id DESC`,
  oldest: `SELECT * FROM audit_entries WHERE at < $to AND (at, id) > ($at, $id) ORDER BY at, id`,
};
const ORDER_BY = { newest: "at DESC, id DESC", oldest: "at, id" };

const look = (order: AuditLook["order"]) => `
  SELECT id, at, kind, actor_kind AS actorKind, actor_id AS actorId, actor_name AS actorName,
    organizations_json AS organizationsJson, site, subject_id AS subjectId, subject_name AS subjectName,
    details_json AS detailsJson
  FROM (${NEXT[order]} LIMIT $lookedAtMax)
  WHERE ($kinds IS NULL OR kind IN (SELECT value FROM json_each($kinds)))
    AND ($actor IS NULL OR coalesce(actor_id, actor_kind) = $actor)
    AND ($organizations IS NULL OR EXISTS (
      SELECT 1 FROM json_each(organizations_json) AS theirs
      WHERE theirs.value IN (SELECT value FROM json_each($organizations))))
  ORDER BY ${ORDER_BY[order]} LIMIT $limit`;
const lookedAt = (order: AuditLook["order"]) =>
  `SELECT at, id FROM (${NEXT[order]} LIMIT 1 OFFSET $lookedAtMax - 1)`;

export const AUDIT_QUERIES = {
  look: { newest: look("newest"), oldest: look("oldest") },
  lookedAt: { newest: lookedAt("newest"), oldest: lookedAt("oldest") },
  removeOlder: `DELETE FROM audit_entries WHERE id IN (
    SELECT id FROM audit_entries WHERE at < $before ORDER BY at LIMIT $most)`,
};

/** The log of what was done, which takes new entries alone. */
export function createAuditStore(database: Database): AuditStore {
  const db = typed(database);
  const both = <Row>(sql: Record<AuditLook["order"], string>) => ({
    newest: database.query<Row, Values>(sql.newest),
    oldest: database.query<Row, Values>(sql.oldest),
  });
  const found = both<AuditRow>(AUDIT_QUERIES.look);
  const last = both<AuditPlace>(AUDIT_QUERIES.lookedAt);
  const removeOlder = database.query<unknown, Values>(AUDIT_QUERIES.removeOlder);
  return {
    async add(entry) {
      db.insert(auditEntries).values(toAuditRow(entry)).run();
    },

    async look({ from, to }, filter, { order, behind, limit, lookedAtMax }) {
      const begin = { at: order === "newest" ? to : from, id: "" };
      const bound: Values = order === "newest" ? { from } : { to };
      const window: Values = { ...bound, lookedAtMax, ...(behind ?? begin) };
      return {
        found: found[order].all({ ...window, limit, ...filterValues(filter) }).map(toAuditEntry),
        lookedAt: last[order].get(window) ?? undefined,
      };
    },

    async removeOlder(before, most) {
      return removeOlder.run({ before, most }).changes;
    },
  };
}

const filterValues = ({ kinds, actor, organizationIds }: AuditFilter): Values => ({
  kinds: kinds === undefined ? null : JSON.stringify(kinds),
  actor: actor ?? null,
  organizations: organizationIds === undefined ? null : JSON.stringify(organizationIds),
});
