import { ACTOR_KINDS } from "@docent/people/audit/audit";
import type { AuditEntry } from "@docent/people/audit/stores";
import { z } from "zod";
import { readStrings } from "./json.ts";

/** An entry of the audit log as it is read. */
export interface AuditRow {
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

export const toAuditEntry = (row: AuditRow): AuditEntry => ({
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

export const toAuditRow = (entry: AuditEntry): AuditRow => ({
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
