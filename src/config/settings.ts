import { ADMIN_SETTINGS } from "./admin-settings.ts";
import { AGENT_SETTINGS } from "./agent-settings.ts";
import { ANSWER_SETTINGS } from "./answer-settings.ts";
import { GAP_SETTINGS } from "./gap-settings.ts";
import { MEMBER_SETTINGS } from "./member-settings.ts";
import { METRICS_SETTINGS } from "./metrics-settings.ts";
import { MODEL_SETTINGS } from "./model-settings.ts";
import {
  type Choice,
  choice,
  type Decimal,
  type Integer,
  integer,
  list,
  type Setting,
  type Text,
  text,
} from "./setting.ts";
import { SOURCE_SETTINGS } from "./source-settings.ts";
import { UPLOAD_SETTINGS } from "./upload-settings.ts";

const HOUR_SECONDS = 3600;
const DAY_SECONDS = 24 * HOUR_SECONDS;

/** Every setting of a server, in the order in which `docent config` and the documentation show them. */
export const SETTINGS = {
  data: text("data", "./docent-data", "The directory that holds everything Docent stores."),
  host: text(
    "host",
    "127.0.0.1",
    "The address to listen on. 0.0.0.0 and :: are reachable from other machines.",
  ),
  port: integer("port", 4747, [0, 65535], "", "The port to listen on. 0 takes any free one."),
  base_path: text(
    "base_path",
    "",
    "A prefix of every path, such as /docent, for a proxy that shares one host.",
  ),
  public_url: text(
    "public_url",
    "",
    "The address under which readers reach this server. Needed behind a proxy for links to the built-in reader.",
  ),
  trusted_proxies: list(
    "trusted_proxies",
    "Addresses or networks of proxies whose X-Forwarded-For header is believed.",
  ),

  ...MODEL_SETTINGS,

  ...ANSWER_SETTINGS,
  ...GAP_SETTINGS,

  ...AGENT_SETTINGS,

  ...ADMIN_SETTINGS,
  ...MEMBER_SETTINGS,

  organization_messages_per_hour: integer(
    "organization_messages_per_hour",
    10_000,
    [0, 1_000_000_000],
    "messages",
    "Messages an organization's readers may send in any hour. 0 is no limit.",
  ),
  address_messages_per_day: integer(
    "address_messages_per_day",
    10_000,
    [0, 1_000_000_000],
    "messages",
    "Messages one client address (IPv6: one /64) may send in any day. 0 is no limit.",
  ),
  address_messages_per_minute: integer(
    "address_messages_per_minute",
    120,
    [0, 1_000_000_000],
    "messages",
    "Messages one client address may send in any minute, so that it cannot spend its organization's hour. 0 is no limit.",
  ),
  organization_searches_per_hour: integer(
    "organization_searches_per_hour",
    10_000,
    [0, 1_000_000_000],
    "searches",
    "Searches an organization's readers may make in any hour. 0 is no limit.",
  ),
  organization_pages_per_hour: integer(
    "organization_pages_per_hour",
    10_000,
    [0, 1_000_000_000],
    "pages",
    "Pages an organization's readers may read in any hour through the API. 0 is no limit.",
  ),
  address_lookups_per_minute: integer(
    "address_lookups_per_minute",
    600,
    [0, 1_000_000_000],
    "",
    "Searches that one client address may make in any minute, and as many pages, opinions and events. 0 is no limit.",
  ),
  address_streams: integer(
    "address_streams",
    32,
    [0, 1_000_000],
    "",
    "Answers one client address may be reading at the same time. 0 is no limit.",
  ),
  limit_subjects: integer(
    "limit_subjects",
    200_000,
    [1000, 10_000_000],
    "",
    "How many counters of organizations and addresses are held in memory; the others are read from the database again.",
  ),

  body_bytes: integer("body_bytes", 5_000_000, [10_000, 100_000_000], "bytes", "The largest request body."),
  body_seconds: integer(
    "body_seconds",
    60,
    [1, 3600],
    "seconds",
    "How long a request body may take to arrive.",
  ),
  message_characters: integer(
    "message_characters",
    100_000,
    [100, 10_000_000],
    "characters",
    "The longest text of one message.",
  ),
  heartbeat_seconds: integer(
    "heartbeat_seconds",
    8,
    [1, 60],
    "seconds",
    "How often a stream that has nothing to say sends a sign of life, so that proxies keep it open.",
  ),
  connection_idle_seconds: integer(
    "connection_idle_seconds",
    60,
    [10, 255],
    "seconds",
    "When a connection on which nothing moves is closed.",
  ),
  shutdown_seconds: integer(
    "shutdown_seconds",
    30,
    [0, 3600],
    "seconds",
    "How long a server that was told to stop lets running answers finish.",
  ),
  reader_link_seconds: integer(
    "reader_link_seconds",
    7 * DAY_SECONDS,
    [60, 365 * DAY_SECONDS],
    "seconds",
    "How long, at least, a signed link to a page in the built-in reader works.",
  ),
  reader_secret: {
    ...text(
      "reader_secret",
      "",
      "What signs links to the built-in reader. Made and stored at first start when empty.",
    ),
    secret: true,
  } satisfies Text,

  page_bytes: integer(
    "page_bytes",
    10_000_000,
    [1000, 1_000_000_000],
    "bytes",
    "The largest file that is ingested.",
  ),
  pages_per_source: integer(
    "pages_per_source",
    200_000,
    [1, 10_000_000],
    "pages",
    "How many pages one source may have.",
  ),

  eval_data: text("eval_data", "~/.cache/docent-eval", "Where docent eval finds sets, and keeps indexes."),

  embedding_model: text(
    "embedding_model",
    "builtin",
    "What makes the vectors for search by meaning: builtin, or the name of an embedding model of the local Ollama.",
  ),
  question_vector_seconds: integer(
    "question_vector_seconds",
    3,
    [1, 600],
    "seconds",
    "How long a question may wait for its vector from Ollama; without it, search is by keywords alone.",
  ),
  vectors_in_memory: integer(
    "vectors_in_memory",
    2_000_000,
    [1000, 100_000_000],
    "",
    "How many passages' vectors are held in memory for search, as 32 bytes each; of sites beyond that they are read again.",
  ),
  private_hosts: list(
    "private_hosts",
    "Hosts, addresses or networks inside your own network that sources may be fetched from, such as docs.internal or 10.0.0.0/8; acme=docs.internal is for that organization's sources alone.",
  ),
  certificate_authorities: text(
    "certificate_authorities",
    "",
    "A file of certificates (PEM) to trust besides the usual ones, for docs behind an authority of your own.",
  ),
  ...SOURCE_SETTINGS,
  ...UPLOAD_SETTINGS,
  fetches_at_once: integer(
    "fetches_at_once",
    4,
    [1, 64],
    "",
    "How many pages of a website are fetched at the same time.",
  ),
  fetch_seconds: integer(
    "fetch_seconds",
    60,
    [1, 3600],
    "seconds",
    "How long fetching one page of a source may take.",
  ),

  organizations_at_once: integer(
    "organizations_at_once",
    4,
    [1, 64],
    "",
    "For how many organizations sources are read at the same time, each run in a process of its own; one more of one of them may go on beside these. It holds for schedules, for runs that are asked for, and for making vectors, each by itself.",
  ),
  run_seconds: integer(
    "run_seconds",
    6 * HOUR_SECONDS,
    [1, 2_000_000],
    "seconds",
    "How long one run of a source on a schedule may take; after it, the next run goes on from there.",
  ),

  ...METRICS_SETTINGS,

  synchronous: choice(
    "synchronous",
    ["normal", "full"],
    "normal",
    "SQLite's durability. normal survives a crash of the process; full also survives a power cut, and costs a disk sync at every write.",
  ),
  backups: integer(
    "backups",
    5,
    [1, 1000],
    "",
    "How many of the automatic backups made before an upgrade are kept.",
  ),
  log_level: choice(
    "log_level",
    ["debug", "info", "warn", "error", "silent"],
    "info",
    "The least important events that are logged.",
  ),
  log_format: choice(
    "log_format",
    ["auto", "json", "text"],
    "auto",
    "json, text, or auto: text at a terminal, json elsewhere.",
  ),
} as const satisfies Record<string, Setting>;

export type SettingName = keyof typeof SETTINGS;

type ValueOf<S extends Setting> =
  S extends Choice<infer V>
    ? V
    : S extends Text
      ? string
      : S extends Integer | Decimal
        ? number
        : readonly string[];

/** The value of every setting. */
export type Config = { readonly [N in SettingName]: ValueOf<(typeof SETTINGS)[N]> };

/** The flag that sets a setting on the command line. */
export const flagOf = (name: string) => `--${name.replaceAll("_", "-")}`;
