import type { ACTOR_KINDS } from "./events.ts";

/** What an entry tells of itself, as it is kept: kinds of later versions are read as well. */
type AuditDetail = string | number | boolean | readonly string[];

/** An entry of the log. */
export interface AuditEntry {
  id: string;
  at: number;
  kind: string;
  actorKind: (typeof ACTOR_KINDS)[number];
  /** Of a member or a key, with the name that it had then. */
  actorId: string | undefined;
  actorName: string | undefined;
  organizationIds: readonly string[];
  site: string | undefined;
  subjectId: string | undefined;
  subjectName: string | undefined;
  details: Readonly<Record<string, AuditDetail>>;
}

/** Which entries are looked for; what is left out does not narrow. */
export interface AuditFilter {
  kinds?: readonly string[] | undefined;
  /** The id of a member or a key; `command-line`, `server` and `nobody` are those that have none. */
  actor?: string | undefined;
  /** Only what one of these organizations may read. */
  organizationIds?: readonly string[] | undefined;
}

/** From a moment on, and before another one. */
export interface AuditPeriod {
  from: number;
  to: number;
}

/** An entry's place in the log. Entries of the same moment are ordered by their ids. */
export interface AuditPlace {
  at: number;
  id: string;
}

/** How far is looked, and from where on. */
export interface AuditLook {
  order: "newest" | "oldest";
  behind: AuditPlace | undefined;
  limit: number;
  /** The most entries that are looked at, whether they are found or not. */
  lookedAtMax: number;
}

/** Keeps the log. Entries are added, and removed once they are too old: nothing changes one. */
export interface AuditStore {
  add(entry: AuditEntry): Promise<void>;
  /** Finds entries among the next ones. `lookedAt` is the last of these; undefined where none is behind them. */
  look(
    period: AuditPeriod,
    filter: AuditFilter,
    look: AuditLook,
  ): Promise<{ found: AuditEntry[]; lookedAt: AuditPlace | undefined }>;
  /** Removes the oldest of those before a moment, at most so many. Returns how many. */
  removeOlder(before: number, most: number): Promise<number>;
}
