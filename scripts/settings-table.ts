import type { Setting } from "../src/kernel/config/setting.ts";
import { flagOf, SETTINGS, type SettingName } from "../src/kernel/config/settings.ts";

/** Settings that belong together. Unnamed ones come last, so that no setting is ever left out. */
const GROUPS: readonly (readonly [heading: string, names: readonly SettingName[]])[] = [
  ["Where Docent listens and stores", ["data", "host", "port"]],
  ["Addresses and proxies", ["base_path", "public_url", "trusted_proxies", "admin_hosts"]],
  [
    "Ollama and the model",
    ["ollama_host", "ollama_urls", "model", "site_models", "fallback", "preload", "thinking"],
  ],
  [
    "Size of the prompt and the answer",
    ["context_tokens", "answer_tokens", "passage_tokens", "passage_seconds", "keep_alive_seconds"],
  ],
  ["The queue before the model", ["model_slots", "queue_length", "queue_seconds"]],
  ["How long to wait for Ollama", ["connect_seconds", "first_byte_seconds", "idle_seconds"]],
  [
    "Relevance and history",
    [
      "answer_when",
      "relevance_min",
      "rewrite_seconds",
      "search_rounds",
      "search_seconds",
      "search_tokens",
      "history_turns",
    ],
  ],
  ["Answers that are given again, and gaps", ["curated_min", "answer_cache_answers", "gap_questions"]],
  [
    "Limits on messages",
    [
      "organization_messages_per_hour",
      "address_messages_per_day",
      "address_messages_per_minute",
      "reader_messages_per_minute",
    ],
  ],
  [
    "Limits on searches, pages, feedback and events",
    [
      "organization_searches_per_hour",
      "organization_pages_per_hour",
      "organization_feedback_per_hour",
      "organization_events_per_hour",
      "address_lookups_per_minute",
    ] as const,
  ],
  ["Handing over by webhook or mail", ["hand_over_hosts", "mail_server", "mail_from", "delivery_seconds"]],
  ["Chats", ["chat_variables", "chat_answer_seconds"]],
  ["Limits on handing over", ["organization_hand_overs_per_hour", "address_hand_overs_per_hour"]],
  ["Members and sessions", ["member_link_seconds", "session_idle_seconds", "session_seconds"]],
  ["Single sign-on", ["sign_in_file", "provider_session_seconds", "passwords", "emergency_member"]],
  ["Limits on attempts to sign in", ["name_sign_ins_per_hour", "address_sign_ins_per_hour"]],
  ["Limits on streams and memory", ["address_streams", "limit_subjects"]],
  ["Limits on requests", ["body_bytes", "body_seconds", "message_characters"]],
  [
    "Connections and stopping",
    ["heartbeat_seconds", "connection_idle_seconds", "resume_seconds", "shutdown_seconds"],
  ],
  ["The reader site", ["reader_link_seconds", "reader_secret"]],
  [
    "Readers who sign in",
    [
      "reader_session_seconds",
      "reader_session_idle_seconds",
      "reader_token_seconds_max",
      "reader_clock_skew_seconds",
    ],
  ],
  ["What agents may read", ["llms_txt_pages", "llms_full_bytes"]],
  ["Limits on ingest", ["page_bytes", "page_seconds", "pages_per_source"]],
  [
    "Documents and images",
    [
      "document_bytes",
      "document_seconds",
      "document_memory_bytes",
      "original_bytes",
      "image_bytes_per_source",
    ],
  ],
  ["Fetching sources", ["private_hosts", "certificate_authorities", "fetches_at_once", "fetch_seconds"]],
  ["Uploads", ["upload_bytes", "site_uploads_bytes", "upload_seconds"]],
  ["Runs of sources", ["organizations_at_once", "run_seconds"]],
  ["Sources that admin keys may name", ["source_roots", "source_variables"]],
  [
    "Search",
    [
      "embedding_model",
      "question_vector_seconds",
      "vectors_in_memory",
      "vector_memory_bytes",
      "keyword_memory_bytes",
      "passage_memory_bytes",
      "database_memory_bytes",
    ],
  ],
  ["Evaluation", ["eval_data"]],
  ["Metrics", ["metrics", "metrics_address", "metrics_series"]],
  [
    "Scheduled backups",
    ["backup_every_hours", "backup_at", "backup_folder", "backup_keep", "backup_keep_days"],
  ],
  [
    "PostgreSQL, and waiting for a database",
    ["database_url", "database_connections", "database_wait_seconds"],
  ],
  ["Durability, backups and logs", ["synchronous", "backups", "log_level", "log_format"]],
];

const COLUMNS = ["Setting", "Environment", "Flag", "Default", "Values", "Meaning"];

/** Every setting as Markdown for the documentation, with a table for each group. */
export function settingsTable(): string {
  const grouped = new Set<string>(GROUPS.flatMap(([, names]) => names));
  const rest = Object.keys(SETTINGS).filter((name) => !grouped.has(name));
  const groups = [...GROUPS, ...(rest.length > 0 ? [["More settings", rest] as const] : [])];
  return groups.map(([heading, names]) => `## ${heading}\n\n${tableOf(names)}`).join("\n\n");
}

function tableOf(names: readonly string[]): string {
  const settings: Readonly<Record<string, Setting>> = SETTINGS;
  const rows = names.flatMap((name) => {
    const setting = settings[name];
    return setting === undefined ? [] : [rowOf(name, setting)];
  });
  return [COLUMNS, COLUMNS.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

function rowOf(name: string, setting: Setting): string[] {
  const fallback = Array.isArray(setting.default) ? setting.default.join(", ") : String(setting.default);
  return [
    `\`${name}\``,
    `\`${setting.env}\``,
    `\`${flagOf(name)}\``,
    fallback === "" ? "empty" : fallback === null ? "none" : `\`${fallback}\``,
    valuesOf(setting),
    `${setting.help}${setting.secret ? " Shown as stars." : ""}`.replaceAll("|", "\\|"),
  ];
}

function valuesOf(setting: Setting): string {
  const unit = setting.unit ? ` ${setting.unit}` : "";
  switch (setting.kind) {
    case "integer":
      return `${setting.min} to ${setting.max}${unit}`;
    case "measure":
    case "number":
      return `a number from ${setting.min} to ${setting.max}${unit}`;
    case "choice":
      return setting.choices.map((choice) => `\`${choice}\``).join(" or ");
    case "list":
      return "a list, separated by commas or spaces";
    case "text":
      return "text";
  }
}
