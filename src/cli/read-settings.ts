import { flagOf, SETTINGS, type SettingName, settingNames } from "@docent/kernel/config/settings";
import { AppError } from "@docent/kernel/errors";
import type { NamedCommand } from "./command.ts";

/** What everything is opened with that Docent keeps: all that a command reads which keeps what it is told. */
export const OPENING: readonly SettingName[] = [
  "data",
  "database_url",
  "database_connections",
  "database_wait_seconds",
  "database_memory_bytes",
  "synchronous",
  "backups",
  "sealed",
  "log_level",
  "log_format",
];

/** Where conversations and notices may be sent to, which is checked when an address is kept. */
export const SENDING: readonly SettingName[] = [
  ...OPENING,
  "hand_over_hosts",
  "mail_server",
  "mail_from",
  "delivery_seconds",
];

/** Where the links lead that are printed for members, and how long they work. */
export const INVITING: readonly SettingName[] = [
  ...OPENING,
  "host",
  "port",
  "base_path",
  "public_url",
  "member_link_seconds",
  "sign_in_file",
  "passwords",
  "emergency_member",
];

/** How pages are fetched, read, indexed, and asked golden questions of. */
export const READING: readonly SettingName[] = [
  ...OPENING,
  "public_url",
  "base_path",
  "ollama_host",
  "ollama_urls",
  "connect_seconds",
  "first_byte_seconds",
  "idle_seconds",
  "keep_alive_seconds",
  "model_slots",
  "queue_length",
  "queue_seconds",
  "answer_when",
  "relevance_min",
  "curated_min",
  "page_bytes",
  "page_seconds",
  "document_bytes",
  "original_bytes",
  "document_seconds",
  "document_memory_bytes",
  "pages_per_source",
  "image_bytes_per_source",
  "embedding_model",
  "question_vector_seconds",
  "keyword_memory_bytes",
  "vectors_in_memory",
  "vector_memory_bytes",
  "passage_memory_bytes",
  "private_hosts",
  "certificate_authorities",
  "source_roots",
  "source_variables",
  "fetches_at_once",
  "fetch_seconds",
  "organizations_at_once",
  "run_seconds",
];

/**
 * Refuses a setting of the server that a command does not read. It would hold for this one process and look as if it were
 * kept, since the command keeps what its own options say.
 */
export function checkSettings(
  { name: command, settings, options = {} }: Pick<NamedCommand, "name" | "settings" | "options">,
  given: Readonly<Record<string, string>>,
): void {
  const unread = settingNames().filter((name) => name in given && settings?.includes(name) === false);
  if (unread.length === 0) return;
  const values = unread.map((name) => `${flagOf(name)} ${"secret" in SETTINGS[name] ? "…" : given[name]}`);
  const ofSite = unread.map((name) => `site-${flagOf(name).slice(2)}`).filter((option) => option in options);
  const kind = unread.length === 1 ? "is a setting" : "are settings";
  throw new AppError(
    "invalid_request",
    `${unread.map(flagOf).join(" and ")} ${kind} of the server, which docent ${command} neither reads nor keeps. Nothing was changed.`,
    {
      hint: [
        `Set it where the server starts: docent serve ${values.join(" ")}, or ${unread.map((name) => SETTINGS[name].env).join(" and ")} in its environment.`,
        ...ofSite.map((option) => `Of this site alone: --${option}.`),
      ].join(" "),
    },
  );
}
