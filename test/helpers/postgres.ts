import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SQL } from "bun";
import { openDatabase } from "../../src/storage/postgres/database/database.ts";
import { upgrade } from "../../src/storage/postgres/migrate.ts";
import { TEST_TIME } from "./fake-clock.ts";

/** The databases of tests: on the server that this names, or on one of their own. */
const GIVEN = process.env["DOCENT_TEST_POSTGRES_URL"];
const DEBIAN = "/usr/lib/postgresql";

/** The folder of PostgreSQL's programs; undefined where it is not installed. */
function programs(): string | undefined {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).sort((a, b) => Number(b) - Number(a)) : [];
  const folder = versions
    .map((version) => join(DEBIAN, version, "bin"))
    .find((bin) => existsSync(join(bin, "initdb")));
  if (folder !== undefined) return folder;
  const found = Bun.which("initdb");
  return found === null ? undefined : join(found, "..");
}

/** Whether there is a PostgreSQL for tests. */
export const hasPostgres = GIVEN !== undefined || programs() !== undefined;

/** Whether tests can start one of their own, with settings of their own. */
export const canStartPostgres = programs() !== undefined;

/** The path of one of PostgreSQL's programs, such as `pg_dump`. */
export function postgresProgram(name: string): string {
  const folder = programs();
  if (folder === undefined) throw new Error("PostgreSQL is not installed here");
  return join(folder, name);
}

interface Server {
  /** The address of one of its databases. */
  urlOf(database: string): string;
}

let started: Promise<Server> | undefined;

const server = (): Promise<Server> => {
  started ??= GIVEN === undefined ? startPostgres() : Promise.resolve({ urlOf: on(GIVEN) });
  // Where it was ended with a test that took too long, the next one starts another: not all fail for one.
  started.catch(() => {
    started = undefined;
  });
  return started;
};

function on(given: string) {
  return (database: string) => {
    const url = new URL(given);
    url.pathname = `/${database}`;
    return url.href;
  };
}

/** Where servers keep their data: its databases are too large for where tests may have their files in memory. */
const PLACE = process.env["DOCENT_TEST_DISK"] ?? tmpdir();
const PREFIX = "docent-postgres-";
/** Of those that measure: tests of another version, beside them, leave them alone. */
const MEASURING = "docent-measured-postgres-";

/**
 * Removes what servers of processes that were killed have left: tens of thousands of files, for which no test of this
 * process should wait.
 */
function removeLeft(): void {
  for (const name of readdirSync(PLACE).filter(
    (each) => each.startsWith(PREFIX) || each.startsWith(MEASURING),
  )) {
    const directory = join(PLACE, name);
    if (!isInUse(directory))
      Bun.spawn(["rm", "-rf", directory], { stdio: ["ignore", "ignore", "ignore"] }).unref();
  }
}

/** One that is only being made has no process yet. */
const MADE_WITHIN_MS = 600_000;

/** Other processes remove what is left, too: what is looked at here may be gone. */
function isInUse(directory: string): boolean {
  const about = statSync(directory, { throwIfNoEntry: false });
  if (about === undefined) return false;
  try {
    const [id] = readFileSync(join(directory, "data/postmaster.pid"), "utf8").split("\n");
    // While the database is being made, the number is a negative one.
    return existsSync(`/proc/${Math.abs(Number(id))}`) || isNew(about);
  } catch {
    return isNew(about);
  }
}

/** Between the programs that make a database there is none. */
const isNew = ({ mtimeMs }: { mtimeMs: number }) => mtimeMs > Date.now() - MADE_WITHIN_MS;

/** PostgreSQL never waits for the disk here. What it has acknowledged survives its own end all the same, where it is `kept`. */
const SETTINGS = ["fsync=off", "full_page_writes=off", "max_connections=300", "autovacuum=off"];
const UNKEPT = ["synchronous_commit=off"];

export interface OwnServer extends Server {
  /**
   * Ends it at once, as a crash does, or `gently`, as an operator does (`pg_ctl stop`), and starts it again: once something
   * was done `meanwhile`, with more settings.
   */
  restart(change?: {
    meanwhile?: () => Promise<void>;
    settings?: readonly string[];
    gently?: boolean;
  }): Promise<void>;
  /** Ends it at once, for good, and removes what it kept. */
  stop(): Promise<void>;
  /** Of the process to which the others belong. */
  pid(): number;
  /** Where its data and its socket are. */
  directory: string;
}

interface ServerOptions {
  /** What it has acknowledged survives its own end. */
  kept?: boolean;
  /** It has the settings that PostgreSQL is installed with, and waits for the disk: for what is measured. */
  asInstalled?: boolean;
  /** An empty folder for everything; one of its own otherwise. */
  directory?: string;
  /** A server that is copied, and followed. */
  replicaOf?: OwnServer;
  /** The number in the name of its socket; the usual one otherwise. */
  port?: number;
  /** More settings, such as `listen_addresses=127.0.0.1`. */
  settings?: readonly string[];
  /** Files of the data directory that are written before it starts. */
  files?: Readonly<Record<string, string>>;
}

/** PostgreSQL refuses to run as root. */
const asPostgres = () =>
  process.getuid?.() === 0 ? ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"] : [];

/** Makes the data directory of a server: a new one, or the copy of another's. */
function makeData(bin: string, directory: string, { replicaOf, files = {} }: ServerOptions): string {
  const data = join(directory, "data");
  const as = asPostgres();
  if (as.length > 0) run(["chown", "postgres", directory]);
  if (replicaOf === undefined) {
    const initial = ["-U", "postgres", "--auth=trust", "--no-sync", "-E", "UTF8", "--locale=C.UTF-8"];
    run([...as, join(bin, "initdb"), "-D", data, ...initial]);
  } else {
    const copied = ["-h", replicaOf.directory, "-U", "postgres", "-R", "-X", "stream", "-c", "fast"];
    run([...as, join(bin, "pg_basebackup"), "--no-sync", "-D", data, ...copied]);
  }
  for (const [name, text] of Object.entries(files)) {
    writeFileSync(join(data, name), text, { mode: 0o600 });
    if (as.length > 0) run(["chown", "postgres", join(data, name)]);
  }
  return data;
}

/** A server of this process's own, gone with it. */
export async function startPostgres(options: ServerOptions = {}): Promise<OwnServer> {
  const bin = programs();
  if (bin === undefined) throw new Error("PostgreSQL is not installed here");
  removeLeft();
  const prefix = options.asInstalled ? MEASURING : PREFIX;
  const directory = options.directory ?? mkdtempSync(join(PLACE, prefix));
  const data = makeData(bin, directory, options);
  const urlOf = (database: string) =>
    `postgres://postgres@localhost/${database}?path=${encodeURIComponent(directory)}/.s.PGSQL.${options.port ?? 5432}`;

  async function begin(more: readonly string[] = []) {
    const chosen = options.asInstalled ? [] : [...SETTINGS, ...(options.kept ? [] : UNKEPT)];
    const own = [...chosen, ...(options.settings ?? []), ...more];
    const settings = ["listen_addresses=", `port=${options.port ?? 5432}`, ...own].flatMap((each) => [
      "-c",
      each,
    ]);
    // The system ends it with this process, however that ends.
    const words = [...asPostgres().slice(1), join(bin ?? "", "postgres"), "-D", data, "-k", directory];
    const child = Bun.spawn(["setpriv", "--pdeathsig", "QUIT", ...words, ...settings], {
      stdout: "ignore",
      stderr: "ignore",
    });
    child.unref();
    await untilReady(urlOf("postgres"), child);
    return child;
  }

  let child = await begin();
  async function end(gently = false): Promise<void> {
    // As pg_ctl does: `-m fast` in the one case, `-m immediate` in the other.
    child.kill(gently ? "SIGINT" : "SIGQUIT");
    await child.exited;
  }
  return {
    urlOf,
    async restart({ meanwhile = async () => {}, settings = [], gently = false } = {}) {
      await end(gently);
      await meanwhile();
      child = await begin(settings);
    },
    async stop() {
      await end();
      rmSync(directory, { recursive: true, force: true });
    },
    pid: () => child.pid,
    directory,
  };
}

function run(command: string[]): void {
  const { exitCode, stderr } = Bun.spawnSync(command, { stdout: "ignore", stderr: "pipe" });
  if (exitCode !== 0) throw new Error(`${command[0]} failed: ${stderr.toString()}`);
}

/** What says that it is there, and lets nobody in. */
const CLOSED = "not accepting connections";

async function untilReady(url: string, child: Bun.Subprocess): Promise<void> {
  for (;;) {
    const sql = new SQL(url, { max: 1 });
    try {
      await sql`SELECT 1`;
      return;
    } catch (error) {
      if (String(error).includes(CLOSED)) return;
      if (child.exitCode !== null || child.signalCode !== null) throw error;
      await Bun.sleep(50);
    } finally {
      await sql.close({ timeout: 0 });
    }
  }
}

let urls: Server | undefined;

/**
 * Runs a statement, and gives its rows, before anything else happens. A test that looks at what a server has stored
 * says so of both kinds of storage alike.
 */
export function queryNow<Row>(database: string, text: string, values: readonly unknown[]): Row[] {
  if (urls === undefined) throw new Error("no PostgreSQL was started");
  const given = values.map((value, index) => [`v${index}`, String(value)]);
  let next = 0;
  const statement = text.replaceAll("?", () => `:'v${next++}'`);
  const isRead = /^\s*(?:SELECT|WITH)\b/i.test(text);
  const script = isRead ? `SELECT coalesce(json_agg(r), '[]') FROM (${statement}) AS r` : statement;
  const url = new URL(urls.urlOf(database));
  const socket = url.searchParams.get("path");
  const at = socket === null ? [url.href] : ["-h", join(socket, ".."), "-U", "postgres", "-d", database];
  const words = [
    "psql",
    "-XAtq",
    "-v",
    "ON_ERROR_STOP=1",
    ...given.flatMap(([name, value]) => ["-v", `${name}=${value}`]),
  ];
  const { exitCode, stdout, stderr } = Bun.spawnSync([...words, ...at], { stdin: Buffer.from(script) });
  if (exitCode !== 0) throw new Error(stderr.toString());
  return isRead ? JSON.parse(stdout.toString()).map(asStored) : [];
}

/** 1 for true and 0 for false, as SQLite has them. */
const asStored = (row: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, typeof value === "boolean" ? Number(value) : value]),
  );

let databases = 0;
let template: Promise<string> | undefined;

/** A database with the schema of this version, which others are copied from. */
async function makeTemplate({ urlOf }: Server): Promise<string> {
  const name = newName("template");
  await command(`CREATE DATABASE ${name}`);
  const database = openDatabase({ url: urlOf(name), connectionsMax: 1, connectSecondsMax: 10 });
  await upgrade(database, TEST_TIME);
  await database.close();
  return name;
}

const newName = (kind: string) => `docent_${kind}_${process.pid}_${++databases}`;

let beside: Promise<SQL> | undefined;

/** A connection that stays: to make one for each statement would take longer than most statements. */
const connectionBeside = (): Promise<SQL> => {
  beside ??= server().then(({ urlOf }) => new SQL(urlOf("postgres"), { max: 1 }));
  beside.catch(() => {
    beside = undefined;
  });
  return beside;
};

/** Runs a statement beside the databases of tests. */
export async function command(text: string): Promise<void> {
  await (await connectionBeside()).unsafe(text);
}

/** The first version that writes the pages of a copied database to its log unless it is told to copy files. */
const COPIES_BY_PAGES = 150_000;

let copying: Promise<string> | undefined;

/** How a database is copied: by its files, which takes half of the time, what the server keeps beside tables included. */
const howToCopy = (): Promise<string> => {
  copying ??= connectionBeside()
    .then((sql) => sql`SELECT current_setting('server_version_num')::int AS version`)
    .then(([{ version }]) => (version < COPIES_BY_PAGES ? "" : "STRATEGY FILE_COPY"));
  copying.catch(() => {
    copying = undefined;
  });
  return copying;
};

interface NewDatabase {
  isEmpty?: boolean;
  encoding?: string;
  /** The address of one that it is the copy of, and that nobody has open. */
  copyOf?: string | undefined;
}

/** A new database: of Docent's schema, or with nothing in it. It goes with its server. Returns its address. */
export async function newDatabase({
  isEmpty = false,
  encoding = "UTF8",
  copyOf,
}: NewDatabase = {}): Promise<string> {
  urls = await server();
  const { urlOf } = urls;
  const name = newName("test");
  const from = isEmpty
    ? `ENCODING '${encoding}' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0`
    : `TEMPLATE ${copyOf === undefined ? await schemaOnly(urls) : nameIn(copyOf)}`;
  await command(`CREATE DATABASE ${name} ${from} ${await howToCopy()}`);
  return urlOf(name);
}

function schemaOnly(on: Server): Promise<string> {
  template ??= makeTemplate(on);
  template.catch(() => {
    template = undefined;
  });
  return template;
}

const nameIn = (url: string) => new URL(url).pathname.slice(1);
