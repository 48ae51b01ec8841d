import {
  type Choice,
  choice,
  type Decimal,
  decimal,
  type Integer,
  integer,
  list,
  type Measure,
  measure,
  type Setting,
  type SettingRow,
  secret,
  type TextSetting,
  text,
} from "./setting.ts";

const HOUR_SECONDS = 3600;
const DAY_SECONDS = 24 * HOUR_SECONDS;

/** What the last word of a name counts, where a name ends in it. */
const UNIT =
  /(?:^|_)(seconds|minutes|hours|days|bytes|tokens|characters|turns|messages|searches|pages|events|answers|questions|series)(?:_per_[a-z]+)?$/;

/**
 * Every setting of a server, in the order in which `docent config` and the documentation show them. Its name here is its name
 * to the end: of its flag, of its environment variable, and where its value is read. A setting of a site belongs elsewhere:
 * to `sites/site/settings.ts`, the options of `cli/commands/sites/` and a form of the dashboard.
 */
const TABLE = {
  // Where it stores and listens.
  data: text("./docent-data", "The directory that holds everything Docent stores."),
  database_url: secret(
    "A PostgreSQL database to keep everything in, such as postgres://user:password@host/docent, which any number of servers share. Empty: SQLite, in the data directory.",
  ),
  database_connections: integer(
    10,
    [2, 1000],
    "How many statements a server runs at the same time in PostgreSQL. What it does alone, such as reading a source, takes a connection more.",
  ),
  database_wait_seconds: integer(
    120,
    [0, 86_400],
    "How long a run of a source, or a command, waits for a database that is away, such as a PostgreSQL that is started again, before it fails.",
  ),
  host: text("127.0.0.1", "The address to listen on. 0.0.0.0 and :: are reachable from other machines."),
  port: integer(4747, [0, 65_535], "The port to listen on. 0 takes any free one."),
  base_path: text("", "A prefix of every path, such as /docent, for a proxy that shares one host."),
  public_url: text(
    "",
    "The address under which readers reach this server. Needed behind a proxy for links to the reader site.",
  ),
  trusted_proxies: list("Addresses or networks of proxies whose X-Forwarded-For header is trusted."),

  // Whether it keeps to itself.
  sealed: choice(
    ["off", "on"],
    "off",
    "Whether this process connects to Ollama and the database alone, whatever a source, a site or a model says. Sources that need a network, webhooks, mail and identity providers are off then.",
  ),

  // How Ollama is reached, which model answers, and how it is asked.
  ollama_host: {
    ...text("http://127.0.0.1:11434", "The local Ollama, in any form that Ollama itself accepts."),
    env: "OLLAMA_HOST",
  },
  ollama_urls: list(
    "Several Ollama servers that share the questions and the texts to embed, each in any form that Ollama itself accepts. Empty: the one that ollama_host names.",
  ),
  model: text("auto", "The chat model. auto takes the first installed one that can chat."),
  site_models: list(
    "Models that a site may use instead. Empty: any model that is installed and runs on the servers themselves.",
  ),
  fallback: choice(
    ["extractive", "error"],
    "extractive",
    "What a reader gets when no model can answer: quotes from the docs, or an error.",
  ),
  preload: choice(
    ["on", "off"],
    "on",
    "Whether to load the model when the server starts and when another one is chosen, so that the first reader does not wait for it.",
  ),
  thinking: choice(
    ["off", "on"],
    "off",
    "Whether a model that can think does so before it answers. Readers wait longer then.",
  ),
  context_tokens: integer(
    8192,
    [1024, 1_048_576],
    "The context to ask Ollama for (num_ctx), unless the model supports less.",
  ),
  answer_tokens: integer(1024, [16, 65_536], "The longest answer the model may write."),
  passage_tokens: integer(
    0,
    [0, 1_000_000],
    "How much of the sections that were found the model reads, at most. More takes longer before the first word. 0: half of the room in the context, and no more than the model reads in passage_seconds.",
  ),
  passage_seconds: integer(
    20,
    [1, 600],
    "How long the model may read sections before its first word, where passage_tokens is 0. Docent measures how fast it reads.",
  ),
  keep_alive_seconds: integer(
    1800,
    [-1, 365 * DAY_SECONDS],
    "How long Ollama keeps the model in memory after a question. -1 is forever.",
  ),
  model_slots: integer(
    1,
    [1, 4096],
    "How many answers each Ollama server writes at the same time. If all servers together have more than 200, set BUN_CONFIG_MAX_HTTP_REQUESTS in the environment to 56 more than that.",
  ),
  queue_length: integer(16, [0, 100_000], "How many questions may wait for the model."),
  queue_seconds: integer(
    60,
    [1, 3600],
    "How long a question may wait for the model before the fallback answers.",
  ),
  connect_seconds: integer(3, [1, 60], "How long to wait for Ollama to take a call."),
  first_byte_seconds: integer(600, [1, 7200], "How long the model may load and read before its first word."),
  idle_seconds: integer(120, [1, 3600], "The longest pause within an answer."),

  // What is answered, and from what.
  answer_when: choice(
    ["cautious", "balanced", "eager"],
    "balanced",
    "When a question is answered. cautious: only where the docs surely cover it. eager: wherever they may, so that more is answered that they do not cover. Otherwise the docs are said not to cover it.",
  ),
  relevance_min: measure(
    [0, 1],
    "How relevant the best passage must be, as an exact number in place of answer_when.",
  ),
  rewrite_seconds: integer(
    8,
    [0, 120],
    "How long the model may take to say a question in the words of the docs before they are searched for it. Its time in line is not counted. 0: never.",
  ),
  search_rounds: integer(
    4,
    [0, 20],
    "How often a model that looks for itself may search or read pages before it answers. 0: never.",
  ),
  search_seconds: integer(
    30,
    [1, 600],
    "How long a model may go on searching before it has to answer with what it has.",
  ),
  search_tokens: integer(
    3000,
    [200, 1_000_000],
    "How much of what a model's own searches find it reads, at most, besides passage_tokens.",
  ),
  history_turns: integer(
    10,
    [0, 1000],
    "How many earlier turns of a stored conversation are read when only the newest message is posted.",
  ),
  curated_min: decimal(
    0.85,
    [0, 1],
    "How similar a question must be to one of a curated answer's questions, from 0 to 1, for that answer to be given. 1 accepts only the same words.",
  ),
  answer_cache_answers: integer(
    10_000,
    [0, 10_000_000],
    "How many written answers are kept to be given again to the same first question. 0 keeps none.",
  ),

  // What is made of questions without an answer.
  gap_questions: integer(
    5000,
    [1, 100_000],
    "How many of a site's newest questions without a helpful answer are grouped into gaps.",
  ),

  // What models write for search while nobody asks.
  enrichment_minutes_per_day: integer(
    120,
    [0, 1440],
    "How long models may write questions for passages on a day, in UTC, for all sites that turned it on. 0: never.",
  ),

  // What programs may read of public sites.
  llms_txt_pages: integer(
    10_000,
    [1, 1_000_000],
    "How many pages a site's llms.txt lists; it says so if there are more.",
  ),
  llms_full_bytes: integer(
    10_000_000,
    [10_000, 1_000_000_000],
    "How large a site's llms-full.txt may be; it says so if pages are left out.",
  ),

  // Owners, and programs with admin keys.
  admin_hosts: list(
    "Host names under which admin routes, analytics and MCP answer, besides loopback, the bound address and that of public_url.",
  ),
  organization_feedback_per_hour: integer(
    10_000,
    [0, 1_000_000_000],
    "How often, in any hour, an organization's readers may say whether an answer helped. 0 is no limit.",
  ),
  organization_events_per_hour: integer(
    50_000,
    [0, 1_000_000_000],
    "Clicks that an organization's readers may report in any hour. 0 is no limit.",
  ),

  // People who sign in to the dashboard.
  member_link_seconds: integer(
    3 * DAY_SECONDS,
    [60, 90 * DAY_SECONDS],
    "How long a link works with which a member chooses a password.",
  ),
  session_idle_seconds: integer(
    7 * DAY_SECONDS,
    [300, 365 * DAY_SECONDS],
    "When a member who does nothing in the dashboard is signed out.",
  ),
  session_seconds: integer(
    30 * DAY_SECONDS,
    [300, 365 * DAY_SECONDS],
    "When a member is signed out and has to sign in again, whatever they do.",
  ),
  sign_in_file: text(
    "",
    "A file (YAML) that names who else may sign people in: providers of OpenID Connect, and a proxy. Empty: nobody does.",
  ),
  provider_session_seconds: integer(
    8 * HOUR_SECONDS,
    [300, 30 * DAY_SECONDS],
    "When a member whom a provider signed in has to sign in again, whatever they do. At most an hour where the provider does not tell of those who sign out there.",
  ),
  passwords: choice(
    ["on", "emergency"],
    "on",
    "Whether members may have passwords; emergency: nobody but emergency_member.",
  ),
  emergency_member: text(
    "",
    "The name of the member who can sign in with a password where passwords is emergency.",
  ),
  name_sign_ins_per_hour: integer(
    10,
    [0, 1_000_000],
    "How many attempts to sign in with one name from one network are possible in any hour before each further attempt waits longer. 0 is no limit.",
  ),
  address_sign_ins_per_hour: integer(
    120,
    [0, 1_000_000],
    "How many attempts to sign in from one client address (IPv6: one /64) are possible in any hour before each further attempt waits longer. 0 is no limit.",
  ),

  // How much readers may ask, search for and read.
  organization_messages_per_hour: integer(
    10_000,
    [0, 1_000_000_000],
    "Messages an organization's readers may send in any hour. 0 is no limit.",
  ),
  address_messages_per_day: integer(
    10_000,
    [0, 1_000_000_000],
    "Messages one client address (IPv6: one /64) may send in any day. 0 is no limit.",
  ),
  address_messages_per_minute: integer(
    120,
    [0, 1_000_000_000],
    "Messages that browsers may send from one client address in any minute, so that it cannot use up its organization's hourly limit. 0 is no limit.",
  ),
  reader_messages_per_minute: integer(
    600,
    [0, 1_000_000_000],
    "Messages that a server, or another program, may send from its address for one reader (fp) in any minute. 0 is no limit.",
  ),
  organization_searches_per_hour: integer(
    10_000,
    [0, 1_000_000_000],
    "Searches an organization's readers may make in any hour. 0 is no limit.",
  ),
  organization_pages_per_hour: integer(
    10_000,
    [0, 1_000_000_000],
    "Pages an organization's readers may read in any hour through the API. 0 is no limit.",
  ),
  address_lookups_per_minute: integer(
    600,
    [0, 1_000_000_000],
    "Searches one client address may make in any minute; the same number applies to pages, to opinions and to events. 0 is no limit.",
  ),
  address_streams: integer(
    32,
    [0, 1_000_000],
    "Answers one client address may be reading at the same time. 0 is no limit.",
  ),
  limit_subjects: integer(
    200_000,
    [1000, 10_000_000],
    "How many counters of organizations and addresses are held in memory; others are read from the database when needed.",
  ),

  // Requests, streams and connections.
  body_bytes: integer(5_000_000, [10_000, 100_000_000], "The largest request body."),
  body_seconds: integer(60, [1, 3600], "How long a request body may take to arrive."),
  message_characters: integer(100_000, [100, 10_000_000], "The longest text of one message."),
  heartbeat_seconds: integer(
    8,
    [1, 60],
    "How often a silent stream sends a sign of life, so that proxies keep it open.",
  ),
  resume_seconds: integer(
    10,
    [0, 600],
    "How long an answer goes on when its reader has left, in chats that take up their answers after a page is loaded again. 0: it ends at once, as in all other chats.",
  ),
  connection_idle_seconds: integer(60, [10, 255], "When an idle connection is closed."),
  shutdown_seconds: integer(
    30,
    [0, 3600],
    "How long running answers may take to finish after the server was told to stop.",
  ),

  // The built-in reader site.
  reader_link_seconds: integer(
    7 * DAY_SECONDS,
    [60, 365 * DAY_SECONDS],
    "How long, at least, a signed link to a page of the reader site works.",
  ),
  reader_session_seconds: integer(
    8 * HOUR_SECONDS,
    [60, 365 * DAY_SECONDS],
    "When a reader who signed in is signed out and has to sign in again, whatever they do.",
  ),
  reader_session_idle_seconds: integer(
    2 * HOUR_SECONDS,
    [60, 365 * DAY_SECONDS],
    "When a reader who signed in and reads nothing is signed out.",
  ),
  reader_token_seconds_max: integer(
    HOUR_SECONDS,
    [10, DAY_SECONDS],
    "How long a token may be good for that a site signs for its reader.",
  ),
  reader_clock_skew_seconds: integer(
    5,
    [0, 300],
    "How far the clock of a server may be off that signs tokens for readers.",
  ),
  reader_secret: secret(
    "The secret that signs links to the reader site. If empty, one is made and stored at the first start.",
  ),

  // What is ingested.
  page_bytes: integer(10_000_000, [1000, 1_000_000_000], "The largest file that is ingested."),
  page_seconds: integer(
    30,
    [1, 3600],
    "How long a processor may work to read one page. Of a page that needs longer, the words are kept as plain text.",
  ),
  document_bytes: integer(
    100_000_000,
    [1000, 1_000_000_000],
    "The largest document that is ingested: a PDF, a file of Office, a book.",
  ),
  original_bytes: integer(
    50_000_000,
    [0, 1_000_000_000],
    "The largest document that is kept as it is beside the page that was made of it, for readers of the reader site to download; 0: none.",
  ),
  document_seconds: integer(120, [1, 3600], "How long reading one document may take."),
  document_memory_bytes: integer(
    1_000_000_000,
    [100_000_000, 100_000_000_000],
    "How much memory the process that reads documents may take, and the one that reads pages. A document that needs more is left out, and of a page its words are kept.",
  ),
  pages_per_source: integer(200_000, [1, 10_000_000], "How many pages one source may have."),
  image_bytes_per_source: integer(
    200_000_000,
    [0, 100_000_000_000],
    "How many bytes of images are kept of one source, for the reader site; 0: none.",
  ),

  // Evaluation.
  eval_data: text("~/.cache/docent-eval", "Where docent eval finds datasets and keeps their indexes."),

  // Search.
  embedding_model: text(
    "builtin",
    "What makes the vectors for search by meaning: builtin, or the name of one of the local Ollama's embedding models.",
  ),
  question_vector_seconds: integer(
    3,
    [1, 600],
    "How long a question may wait for its vector from Ollama; without one, search uses keywords only.",
  ),
  database_memory_bytes: integer(
    32_000_000,
    [1_000_000, 100_000_000_000],
    "How much of the database a server keeps in memory, once it was read. Large sites are searched faster with more.",
  ),
  keyword_memory_bytes: integer(
    32_000_000,
    [0, 10_000_000_000],
    "How much of the keyword indexes' lists is held in memory for search; the rest is read when needed. Besides, each passage of the sites asked last takes about 25 bytes, and one more for each audience that asks where pages are for groups.",
  ),
  vectors_in_memory: integer(
    2_000_000,
    [1000, 100_000_000],
    "How many passages' vectors are held in memory for search in a short form, in 32 bytes each; those of further sites are read when needed.",
  ),
  vector_memory_bytes: integer(
    40_000_000,
    [0, 100_000_000_000],
    "How much of the passages' vectors is held in memory whole for search, 256 bytes each with the builtin ones; the others are read when needed.",
  ),

  passage_memory_bytes: integer(
    16_000_000,
    [0, 10_000_000_000],
    "How much of the passages that were found last is held in memory for search; the others are read when needed.",
  ),

  // Where readers' conversations may be handed over to.
  hand_over_hosts: list(
    "The hosts whose webhooks sites may hand conversations over to, and notices and answers to chats may go to, each with its port unless it is the usual one, such as hooks.example.com. None by default.",
  ),
  mail_server: secret(
    "The mail server that hands conversations over and sends notices by e-mail, such as smtps://name:password@mail.example.com. Empty: none.",
  ),
  mail_from: text("", "The sender of those e-mails. Empty: the name in mail_server, where it is an address."),
  delivery_seconds: integer(15, [1, 300], "How long the webhook or the mail server may take."),
  organization_hand_overs_per_hour: integer(
    60,
    [0, 1_000_000],
    "How many conversations, in any hour, an organization's readers may hand over. 0 is no limit.",
  ),
  address_hand_overs_per_hour: integer(
    10,
    [0, 1_000_000],
    "How many conversations, in any hour, may be handed over from one address. 0 is no limit.",
  ),

  // Which chats may ask, and how long an answer to them may take.
  chat_variables: list(
    "The environment variables with the secrets of the chats that may ask a site, such as acme/slack=SLACK_SIGNING_SECRET; the chat is slack, mattermost, rocketchat or discord. With _FILE behind its name, a variable names a file. None by default.",
  ),
  chat_answer_seconds: integer(
    600,
    [10, 1500],
    "How long an answer to a chat may take that is sent when it is there. Slack takes none after half an hour.",
  ),

  // Where sources may be, and how they are fetched.
  private_hosts: list(
    "Hosts, addresses or networks inside your own network that sources may be fetched from, such as docs.internal or 10.0.0.0/8; acme=docs.internal is for that organization's sources only.",
  ),
  certificate_authorities: text(
    "",
    "A file of certificates (PEM) to trust besides the usual ones, for docs behind a certificate authority of your own.",
  ),

  // What admin keys may name as a source. The CLI may name anything.
  source_roots: list(
    "Folders of this machine in which admin keys may name a folder or file as a source, each with its organization: acme=/srv/acme, or *=/srv/shared for all. A folder without one belongs to the only organization, and to none if there are several. None by default.",
  ),
  source_variables: list(
    "The environment variables with credentials that an admin key of the server may name for a source, each with its host, such as DOCS_TOKEN@docs.example.com. None by default.",
  ),

  // What owners may send as a source, from their browsers or through the admin API.
  upload_bytes: integer(
    500_000_000,
    [10_000, 100_000_000_000],
    "The largest archive that may be uploaded as a source.",
  ),
  site_uploads_bytes: integer(
    2_000_000_000,
    [10_000, 1_000_000_000_000],
    "How much space all uploads of one site may take together.",
  ),
  upload_seconds: integer(HOUR_SECONDS, [10, DAY_SECONDS], "How long an upload may take to arrive."),

  // How pages of a source are fetched, and runs are done.
  fetches_at_once: integer(4, [1, 64], "How many pages of a website are fetched at the same time."),
  fetch_seconds: integer(60, [1, 3600], "How long fetching one page of a source may take."),
  organizations_at_once: integer(
    4,
    [1, 64],
    "For how many organizations sources are read at the same time, each run in a process of its own; for one of them, a second run may take place beside these. This applies separately to schedules, to runs on demand, and to making vectors.",
  ),
  run_seconds: integer(
    6 * HOUR_SECONDS,
    [1, 2_000_000],
    "How long one scheduled run of a source may take; the next run continues from there.",
  ),

  // What is measured, and where it can be read.
  metrics: choice(
    ["off", "on"],
    "off",
    "Whether /metrics reports, in Prometheus' format, how much the server does and how long that takes.",
  ),
  metrics_address: text(
    "",
    "An address and port for /metrics only, such as 127.0.0.1:9464. Empty: the server's own address serves it.",
  ),
  metrics_series: integer(
    2000,
    [10, 1_000_000],
    "How many combinations of labels one metric may have; any further ones are counted together, as other.",
  ),

  // Durability, backups and logs.
  audit_days: integer(
    365,
    [0, 36_500],
    "How long the audit log keeps who signed in and who changed what. 0 keeps it forever.",
  ),
  synchronous: choice(
    ["normal", "full"],
    "normal",
    "How durable SQLite's writes are. normal survives a crash of the process; full also survives a power cut, and costs a disk sync for every write.",
  ),
  backups: integer(5, [1, 1000], "How many of the automatic backups from before upgrades are kept."),
  backup_every_hours: integer(
    0,
    [0, 8784],
    "How often the server makes a backup by itself. 0: never. PostgreSQL is backed up with its own tools.",
  ),
  backup_at: text(
    "",
    "The time of day, in UTC, at which such backups are made, such as 03:30; more often than daily, one of the times. Empty: when the interval since the last one has passed.",
  ),
  backup_folder: text(
    "",
    "Where such backups are kept: best on another disk. Each server needs a folder of its own. Empty: backups/ in the data directory.",
  ),
  backup_keep: integer(7, [1, 10_000], "How many such backups are kept."),
  backup_keep_days: integer(
    0,
    [0, 36_500],
    "How long such backups are kept. 0 is no limit. The newest one stays, however old it is.",
  ),
  log_level: choice(
    ["debug", "info", "warn", "error", "silent"],
    "info",
    "The least important events that are logged.",
  ),
  log_format: choice(
    ["auto", "json", "text"],
    "auto",
    "json, text, or auto: text at a terminal, json elsewhere.",
  ),
} as const satisfies Record<string, SettingRow>;

type Table = typeof TABLE;
export type SettingName = keyof Table;

/** The table with what follows from the names. */
export const SETTINGS = Object.fromEntries(
  Object.entries<SettingRow>(TABLE).map(([name, row]) => [name, named(name, row)]),
  // Each row keeps its own type beside what it was given.
) as { readonly [N in SettingName]: Table[N] & Setting };

function named(name: string, row: SettingRow): Setting {
  const unit = UNIT.exec(name)?.[1];
  return { env: `DOCENT_${name.toUpperCase()}`, ...(unit === undefined ? {} : { unit }), ...row };
}

type ValueOf<R extends SettingRow> =
  R extends Choice<infer V>
    ? V
    : R extends TextSetting
      ? string
      : R extends Integer | Decimal
        ? number
        : R extends Measure
          ? number | null
          : readonly string[];

/** The value of every setting. */
export type Config = { readonly [N in SettingName]: ValueOf<Table[N]> };

/** The names of all settings, in the table's order. */
export function settingNames(): SettingName[] {
  return Object.keys(SETTINGS).filter((name): name is SettingName => name in SETTINGS);
}

/** The flag that sets a setting on the command line. */
export const flagOf = (name: string) => `--${name.replaceAll("_", "-")}`;
