import { ACTOR_KINDS } from "@docent/people/audit/audit";
import type { AuditEntry, AuditFilter, AuditLook, AuditPlace, AuditStore } from "@docent/people/audit/stores";
import { z } from "zod";
import { readStrings } from "../rows/json.ts";
import type { Sql } from "../sql/sql.ts";
import { columns, insertInto, type Statement, statement, type Values } from "../sql/statement.ts";
import { auditEntries } from "../tables/people.ts";

/** The entries that a look sees, from those at one end of the period on. */
const NEXT = {
  newest: "SELECT * FROM audit_entries WHERE at >= $from AND (at, id) < ($at, $id) ORDER BY at DESC, id DESC",
  oldest: "SELECT * FROM audit_entries WHERE at < $to AND (at, id) > ($at, $id) ORDER BY at, id",
};
const ORDER_BY = { newest: "at DESC, id DESC", oldest: "at, id" };

const look = (order: AuditLook["order"]): Statement<AuditRow> =>
  statement(
    (d) => `
  SELECT ${columns(auditEntries)} FROM (${NEXT[order]} LIMIT $lookedAtMax) AS audit_entries
  WHERE (${d.hasNo("kinds", "text")} OR ${d.isOneOf("kind", "kinds", "text")})
    AND (CAST($actor AS text) IS NULL OR coalesce(actor_id, actor_kind) = $actor)
    AND (${d.hasNo("organizations", "text")} OR EXISTS (
      SELECT 1 FROM ${d.stringsIn("organizations_json")} WHERE ${d.isOneOf("value", "organizations", "text")}))
  ORDER BY ${ORDER_BY[order]} LIMIT $limit`,
  );
const lookedAt = (order: AuditLook["order"]): Statement<AuditPlace> =>
  statement(`SELECT at, id FROM (${NEXT[order]} LIMIT 1 OFFSET $lookedAtMax - 1) AS last`);

const LOOK = { newest: look("newest"), oldest: look("oldest") };
const LOOKED_AT = { newest: lookedAt("newest"), oldest: lookedAt("oldest") };
const ADD = statement(insertInto(auditEntries));
const REMOVE_OLDER = statement(`
  DELETE FROM audit_entries WHERE id IN (
    SELECT id FROM audit_entries WHERE at < $before ORDER BY at LIMIT $most)`);

/** The log of what was done, which takes new entries alone. */
export function createAuditStore(sql: Sql): AuditStore {
  return {
    async add(entry) {
      await sql.run(ADD, { ...toAuditRow(entry) });
    },

    async look({ from, to }, filter, { order, behind, limit, lookedAtMax }) {
      const begin = { at: order === "newest" ? to : from, id: "" };
      const window = { from, to, lookedAtMax, ...(behind ?? begin) };
      const rows = await sql.all(LOOK[order], { ...window, limit, ...filterValues(filter) });
      return { found: rows.map(toAuditEntry), lookedAt: await sql.get(LOOKED_AT[order], window) };
    },

    removeOlder: (before, most) => sql.run(REMOVE_OLDER, { before, most }),
  };
}

const filterValues = ({ kinds, actor, organizationIds }: AuditFilter): Values => ({
  kinds,
  actor,
  organizations: organizationIds,
});

/** An entry of the audit log as it is read. */
interface AuditRow {
  id: string;
  at: number;
  kind: string;
  actorKind: string;
  actorId: string | null;
  actorName: string | null;
  organizationsJson: string;
  site: string | null;
  subjectId: string | null;
  subjectName: string | null;
  detailsJson: string;
}

const actorKindSchema = z.enum(ACTOR_KINDS);
const detailsSchema = z.lazy(() =>
  z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.array(z.string())])),
);

const toAuditEntry = (row: AuditRow): AuditEntry => ({
  id: row.id,
  at: row.at,
  kind: row.kind,
  actorKind: actorKindSchema.parse(row.actorKind),
  actorId: row.actorId ?? undefined,
  actorName: row.actorName ?? undefined,
  organizationIds: readStrings(row.organizationsJson),
  site: row.site ?? undefined,
  subjectId: row.subjectId ?? undefined,
  subjectName: row.subjectName ?? undefined,
  details: detailsSchema.parse(JSON.parse(row.detailsJson)),
});

const toAuditRow = (entry: AuditEntry): AuditRow => ({
  id: entry.id,
  at: entry.at,
  kind: entry.kind,
  actorKind: entry.actorKind,
  actorId: entry.actorId ?? null,
  actorName: entry.actorName ?? null,
  organizationsJson: JSON.stringify(entry.organizationIds),
  site: entry.site ?? null,
  subjectId: entry.subjectId ?? null,
  subjectName: entry.subjectName ?? null,
  detailsJson: JSON.stringify(entry.details),
});
