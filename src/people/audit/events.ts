/** Every kind of entry: what was done to what. A kind is never renamed: programs filter by it. */
export const AUDIT_KINDS = [
  "member.signed-in",
  "member.sign-in-failed",
  "member.invited",
  "member.link-made",
  "member.role-changed",
  "member.password-changed",
  "member.removed",
  "assistant-key.created",
  "assistant-key.revoked",
  "admin-key.created",
  "admin-key.revoked",
  "reader-secret.created",
  "reader-secret.ended",
  "organization.added",
  "site.added",
  "site.changed",
  "site.removed",
  "source.added",
  "source.changed",
  "source.uploaded",
  "source.run-requested",
  "source.read",
  "source.removal-requested",
  "source.removed",
  "generation.rolled-back",
  "golden.added",
  "golden.removed",
  "answer.written",
  "answer.deleted",
  "enrichment.imported",
  "enrichment.removed",
  "notice-destination.added",
  "notice-destination.changed",
  "notice-destination.removed",
  "conversations.exported",
  "conversations.deleted",
  "backup.taken",
  "backup.restored",
] as const;
export type AuditKind = (typeof AUDIT_KINDS)[number];

/**
 * What entries of a kind tell besides who did it, when, and to what; kinds that are not here tell no more. Never a secret,
 * what a reader asked or was answered, or the id of a conversation, which opens it.
 */
interface Details {
  /** `password`, `link`, `proxy`, or the name of a provider. */
  "member.signed-in": { with: string };
  /** Whether more failures of this hour may have come that are not listed. */
  "member.sign-in-failed": { lastListed: boolean };
  /** `none` where a role was taken away. */
  "member.role-changed": { role: MemberRole | "none" };
  "member.invited": { role: MemberRole };
  "member.password-changed": { with: "password" | "link" };
  "assistant-key.created": { expires: boolean };
  "admin-key.created": { scope: "server" | "organization"; write: boolean; expires: boolean };
  /** The names of what has another value now. */
  "site.changed": { changed: readonly string[] };
  "source.changed": { changed: readonly string[] };
  /** The generation that readers see since. */
  "source.read": { generation: number };
  "source.removed": { generation: number };
  "generation.rolled-back": { from: number; to: number };
  /** How many questions, and where they came from. */
  "golden.added": { questions: number; from: string };
  "enrichment.imported": { passages: number };
  "enrichment.removed": { passages: number };
  "conversations.exported": { format: string };
  "conversations.deleted": { of: "thread" | "reader"; threads: number; turns: number };
}

type MemberRole = "owner" | "viewer" | "server-owner";

/** What it was done to, and who may read of it. */
export interface AuditAbout {
  /** Organizations whose owners may read the entry, besides the server's own. */
  organizationIds?: readonly string[];
  /** The domain of the site. */
  site?: string;
  /** The id and the name that it had then. */
  subject?: { id?: string; name?: string };
}

type Told<K extends AuditKind> = K extends keyof Details ? { details: Details[K] } : { details?: undefined };

/** Something that was done, which the log keeps. */
export type AuditEvent = { [K in AuditKind]: AuditAbout & { kind: K } & Told<K> }[AuditKind];

/**
 * Who did it. At the command line nobody has signed in, so that no name can be told; `server` is a schedule's work, or what
 * was asked of it before; `nobody` is a stranger.
 */
export const ACTOR_KINDS = ["member", "admin-key", "command-line", "server", "nobody"] as const;
export type AuditActor =
  | { kind: "member" | "admin-key"; id: string; name: string }
  | { kind: "command-line" | "server" | "nobody" };
