import type { AuditEntry } from "../replies.ts";

type Actor = AuditEntry["actor"];

/** What somebody did, in words that stand behind their name; of kinds that only a later server knows, the kind itself. */
const DEEDS: Record<string, string> = {
  "member.signed-in": "signed in",
  "member.sign-in-failed": "gave a wrong password for",
  "member.invited": "invited a member",
  "member.link-made": "made a link for a member",
  "member.role-changed": "changed a member's role",
  "member.password-changed": "chose a password",
  "member.removed": "removed a member",
  "assistant-key.created": "made an assistant key",
  "assistant-key.revoked": "revoked an assistant key",
  "admin-key.created": "made an admin key",
  "admin-key.revoked": "revoked an admin key",
  "reader-secret.created": "made a secret for readers' tokens",
  "reader-secret.ended": "ended a secret for readers' tokens",
  "organization.added": "added an organization",
  "site.added": "added a site",
  "site.changed": "changed settings",
  "site.removed": "removed a site",
  "source.added": "added a source",
  "source.changed": "changed a source",
  "source.uploaded": "uploaded an archive",
  "source.run-requested": "asked for a run",
  "source.read": "read a source",
  "source.removal-requested": "asked to remove a source",
  "source.removed": "removed a source",
  "generation.rolled-back": "went back to a generation",
  "golden.added": "added golden questions",
  "golden.removed": "removed a golden question",
  "answer.written": "wrote a curated answer",
  "answer.deleted": "deleted a curated answer",
  "enrichment.imported": "took over questions for search",
  "enrichment.removed": "removed what a model wrote",
  "conversations.exported": "exported conversations",
  "conversations.deleted": "deleted conversations",
  "notice-destination.added": "added a destination for notices",
  "notice-destination.changed": "changed a destination for notices",
  "notice-destination.removed": "removed a destination for notices",
  "backup.taken": "took a backup",
  "backup.restored": "restored a backup",
};

/** The kinds that can be chosen, by what they are about. */
export const KIND_GROUPS = [
  { value: "", label: "Everything", kinds: [] },
  { value: "sign-in", label: "Signing in", kinds: ["member.signed-in", "member.sign-in-failed"] },
  {
    value: "members",
    label: "Members and passwords",
    kinds: [
      "member.invited",
      "member.link-made",
      "member.role-changed",
      "member.password-changed",
      "member.removed",
    ],
  },
  {
    value: "keys",
    label: "Keys",
    kinds: [
      "assistant-key.created",
      "assistant-key.revoked",
      "admin-key.created",
      "admin-key.revoked",
      "reader-secret.created",
      "reader-secret.ended",
    ],
  },
  {
    value: "sites",
    label: "Sites and settings",
    kinds: ["organization.added", "site.added", "site.changed", "site.removed"],
  },
  {
    value: "content",
    label: "Sources and answers",
    kinds: [
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
    ],
  },
  {
    value: "conversations",
    label: "Conversations",
    kinds: ["conversations.exported", "conversations.deleted"],
  },
  {
    value: "notices",
    label: "Notices",
    kinds: ["notice-destination.added", "notice-destination.changed", "notice-destination.removed"],
  },
  { value: "backups", label: "Backups", kinds: ["backup.taken", "backup.restored"] },
] as const;

export function deedWords({ kind, subject }: Pick<AuditEntry, "kind" | "subject">): string {
  if (kind === "member.sign-in-failed" && subject.name === null) return "gave a name that no member has";
  return DEEDS[kind] ?? kind;
}

/** Words for actors without a name, by their kinds, which the server knows them by too. */
export const UNNAMED: Partial<Record<Actor["kind"], string>> = {
  "command-line": "The command line",
  server: "The server",
  nobody: "A stranger",
};

export const actorWords = ({ kind, name }: Actor) => name ?? UNNAMED[kind] ?? kind;

/** What an entry tells besides, as words: `role: owner`. What is so needs no yes. */
export const detailWords = (details: AuditEntry["details"]) =>
  Object.entries(details)
    .map(([name, value]) => [spaced(name), typeof value === "object" ? value.map(spaced).join(", ") : value])
    .flatMap(([name, value]) => (value === false ? [] : value === true ? [name] : [`${name}: ${value}`]))
    .join("; ");

/** `starterQuestions` as people write it. */
const spaced = (name: string) => name.replace(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
