import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openParts } from "../../src/running/app.ts";
import { TABLES } from "../../src/storage/move/tables.ts";
import { openTables } from "../../src/storage/open-storage.ts";
import { zipBytes } from "../helpers/archive-bytes.ts";
import { testSurroundings } from "../helpers/docent.ts";
import { prepareEverything } from "../helpers/every-command.ts";
import { TEST_TIME } from "../helpers/fake-clock.ts";
import { hasPostgres, newDatabase, queryNow } from "../helpers/postgres.ts";
import { runInProcess } from "../helpers/run-in-process.ts";
import { isShared } from "../helpers/shared-database.ts";
import { temporaryDirectory } from "../helpers/temporary-directory.ts";
import { quietLog } from "../helpers/test-log.ts";

const nameOf = (url: string) => new URL(url).pathname.slice(1);

/** What people see of everything, through the commands that show it. */
async function seen(environment: Record<string, string>): Promise<unknown[]> {
  const all: unknown[] = [];
  for (const words of [
    ["sites", "list"],
    ["orgs", "list"],
    ["keys", "list"],
    ["admin-keys", "list"],
    ["members", "list"],
    ["audit", "--kind", "site.added"],
    ["sources", "list", "acme"],
    ["sources", "ledger", "acme", "1"],
    ["generations", "list", "acme"],
    ["answers", "list", "acme"],
    ["gaps", "list", "acme"],
    ["export", "acme", "--format", "jsonl"],
    ["search", "acme", "install on Linux"],
    ["search", "acme", "retention of what was asked"],
  ]) {
    const { code, out, err } = await runInProcess([...words, "--json"], { environment });
    if (code !== 0) throw new Error(`${words.join(" ")}: ${err}`);
    all.push([words.join(" "), out]);
  }
  return all;
}

/** How many rows each table has, wherever they are. */
async function rowsOf(place: { directory: string } | { url: string }): Promise<Record<string, number>> {
  const options = {
    synchronous: "normal",
    backups: 1,
    locked: true,
    now: TEST_TIME,
    log: quietLog(),
  } as const;
  const shared =
    "url" in place ? { url: place.url, environment: {}, connectionsMax: 2, newId: () => "x" } : undefined;
  const tables = await openTables({
    ...options,
    shared,
    directory: "directory" in place ? place.directory : "",
  });
  const counted: Record<string, number> = {};
  for (const name of TABLES) {
    let count = 0;
    for await (const some of tables.read({ name, columns: await tables.columns(name) })) count += some.length;
    counted[name] = count;
  }
  await tables.close();
  return counted;
}

/** Sends an archive of two megabytes. Returns the number of its source. */
async function upload(data: string): Promise<number> {
  const parts = await openParts(testSurroundings(data));
  const { id: siteId, organizationId } = await parts.people.sites.get("acme");
  const pages = [
    { name: "guide.md", text: "# Guide\n\nThe zebra crank turns." },
    { name: "padding.bin", text: "padding ".repeat(250_000), stored: true },
  ];
  const { id } = await parts.sources.uploadedSources.take(
    { siteId, organizationId, version: "sent", language: "" },
    {
      name: "sent.zip",
      content: (async function* () {
        yield zipBytes(pages);
      })(),
      announcedBytes: undefined,
    },
  );
  await parts.close();
  return id;
}

/** Moves in a process of its own, which is killed when it has said this. Returns the signal that ended it. */
async function killedAt(said: string, environment: Record<string, string>, to: string) {
  const program = join(import.meta.dir, "../helpers/move-killed.ts");
  const child = Bun.spawn([process.execPath, program, to, said, JSON.stringify(environment)], {
    env: { PATH: process.env["PATH"] ?? "" },
    stdin: "ignore",
    stdout: "ignore",
    stderr: "inherit",
  });
  await child.exited;
  return child.signalCode;
}

describe.if(hasPostgres && !isShared)("docent move", () => {
  test("brings archives that were sent, so that their sources can be read again", async () => {
    using directory = temporaryDirectory();
    const data = join(directory.path, "data");
    const environment = { DOCENT_DATA: data };
    await runInProcess(["sites", "add", "acme"], { environment });
    const number = String(await upload(data));
    const url = await newDatabase({ isEmpty: true });
    expect((await runInProcess(["move", "--to", url], { environment })).code).toBe(0);
    const shared = { DOCENT_DATA: join(directory.path, "shared"), DOCENT_DATABASE_URL: url };
    const back = { DOCENT_DATA: join(directory.path, "back") };
    expect((await runInProcess(["move", "--to", back.DOCENT_DATA], { environment: shared })).code).toBe(0);
    for (const place of [environment, shared, back]) {
      const read = await runInProcess(["sources", "run", "acme", number], { environment: place });
      expect([read.code, read.out]).toEqual([0, expect.stringContaining("1 added")]);
    }
  });

  test("brings everything to PostgreSQL and back, and leaves what is there as it is", async () => {
    using directory = temporaryDirectory();
    const folder = directory.path;
    const data = join(folder, "data");
    const own = { DOCENT_DATA: data, DOCENT_CONNECT_SECONDS: "1", DOCENT_PRELOAD: "off" };
    await prepareEverything(folder, own);
    await runInProcess(["gaps", "list", "acme"], { environment: own });
    const before = await seen(own);

    const url = await newDatabase({ isEmpty: true });
    const there = await runInProcess(["move", "--to", url], { environment: own });
    expect([there.code, there.err]).toEqual([0, ""]);
    expect(there.out).toMatch(/Moved \d+ rows, and compared them/);
    const shared = { ...own, DOCENT_DATA: join(folder, "shared"), DOCENT_DATABASE_URL: url };
    // Before anything is shown: exporting leaves an entry in the audit log.
    expect(await rowsOf({ url })).toEqual(await rowsOf({ directory: data }));
    expect(await seen(shared)).toEqual(before);
    // What is added there has an id of its own.
    expect((await runInProcess(["sites", "add", "fresh"], { environment: shared })).code).toBe(0);
    expect((await runInProcess(["ask", "acme", "What is new?"], { environment: shared })).code).toBe(0);
    // A gap is made of a question when gaps are listed.
    await runInProcess(["gaps", "list", "acme"], { environment: shared });
    expect(await seen(own)).toEqual(before);

    const back = join(folder, "back");
    const home = await runInProcess(["move", "--to", back], { environment: shared });
    expect([home.code, home.err]).toEqual([0, ""]);
    expect(await seen({ ...own, DOCENT_DATA: back })).toEqual(await seen(shared));
  });

  test("brings a whole keyword index, whatever version made what is there, and back what another place lost", async () => {
    using directory = temporaryDirectory();
    const own = { DOCENT_DATA: join(directory.path, "data"), DOCENT_CONNECT_SECONDS: "1" };
    await prepareEverything(directory.path, own);
    const file = join(own.DOCENT_DATA, "docent.db");
    const indexed =
      "SELECT site_id, sum(passages) AS passages, min(revision) AS revision FROM segments GROUP BY site_id";
    const inFile = (path: string) => new Database(path).query<Record<string, unknown>, []>(indexed).all();
    const whole = inFile(file);
    expect(whole.length).toBeGreaterThan(0);
    for (const change of ["UPDATE segments SET revision = '1.1'", "DELETE FROM segments"]) {
      const database = new Database(file);
      database.run(change);
      database.run("DELETE FROM meta WHERE name = 'keyword_index'");
      database.close();
      const url = await newDatabase({ isEmpty: true });
      expect((await runInProcess(["move", "--to", url], { environment: own })).code).toBe(0);
      expect(queryNow<Record<string, unknown>>(nameOf(url), indexed, [])).toMatchObject(
        whole.map((row) => expect.objectContaining(row)),
      );

      queryNow(nameOf(url), "DELETE FROM segments", []);
      const shared = { ...own, DOCENT_DATA: join(directory.path, "shared"), DOCENT_DATABASE_URL: url };
      const back = join(directory.path, `back-${nameOf(url)}`);
      expect((await runInProcess(["move", "--to", back], { environment: shared })).code).toBe(0);
      await runInProcess(["sites", "list"], { environment: { ...own, DOCENT_DATA: back } });
      expect(inFile(join(back, "docent.db"))).toEqual(whole);
    }
  });

  test("forgets no table but what servers make anew, or say of themselves", async () => {
    using directory = temporaryDirectory();
    const environment = { DOCENT_DATA: join(directory.path, "data") };
    await runInProcess(["sites", "add", "acme"], { environment });
    const database = new Database(join(environment.DOCENT_DATA, "docent.db"), { readonly: true });
    const tables = database.query<{ name: string }, []>(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'",
    );
    const isLeft = ({ name }: { name: string }) => !TABLES.some((moved) => moved === name);
    const left = tables.all().filter(isLeft);
    database.close();
    expect(left.map(({ name }) => name).sort()).toEqual(["cached_answers", "migrations"]);
    const there = queryNow<{ name: string }>(
      nameOf(await newDatabase()),
      "SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace",
      [],
    );
    expect(
      there
        .filter(isLeft)
        .map(({ name }) => name)
        .sort(),
    ).toEqual([
      "cached_answers",
      "changes",
      "docent_migrations",
      "model_tickets",
      "run_jobs",
      "servers",
      "stream_places",
    ]);
  });

  test("goes to no place that is in use, and to none of the same kind", async () => {
    using directory = temporaryDirectory();
    const environment = { DOCENT_DATA: join(directory.path, "data") };
    await runInProcess(["sites", "add", "acme"], { environment });
    const url = await newDatabase();
    queryNow(
      nameOf(url),
      "INSERT INTO organizations (id, name, created_at) VALUES ('o', 'theirs', 0), ('p', 'others', 0)",
      [],
    );
    const refused = await runInProcess(["move", "--to", url], { environment });
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining("is in use")]);
    const same = await runInProcess(["move", "--to", join(directory.path, "other")], { environment });
    expect([same.code, same.err]).toEqual([1, expect.stringContaining("of that kind already")]);
    expect(existsSync(join(directory.path, "other"))).toBe(false);
    const odd = await runInProcess(["move", "--to", "mysql://host/x"], { environment });
    expect(odd.err).toContain("postgres://user:password@host/docent");
  });

  test("goes where a server was started once, and not where one is started meanwhile", async () => {
    using directory = temporaryDirectory();
    const environment = { DOCENT_DATA: join(directory.path, "data"), DOCENT_CONNECT_SECONDS: "1" };
    await runInProcess(["sites", "add", "acme"], { environment });
    const number = String(await upload(environment.DOCENT_DATA));
    expect((await runInProcess(["sources", "run", "acme", number], { environment })).code).toBe(0);
    const url = await newDatabase({ isEmpty: true });
    const shared = { DOCENT_DATA: join(directory.path, "shared"), DOCENT_DATABASE_URL: url };
    const started = await runInProcess(["serve", "--port", "0"], {
      environment: shared,
      until: /Listening on/,
    });
    expect(started.err).toContain("sign-in#link=");
    const comes = "INSERT INTO servers (id) VALUES ('another')";
    const refused = await runInProcess(["move", "--to", url], {
      environment,
      until: /passages: \d+/,
      onUntil: () => queryNow(nameOf(url), comes, []),
    });
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining("A server is on the database")]);
    expect(queryNow(nameOf(url), "SELECT id FROM sites", [])).toEqual([]);
    queryNow(nameOf(url), "DELETE FROM servers", []);
    expect((await runInProcess(["move", "--to", url], { environment })).code).toBe(0);
    expect(await rowsOf({ url })).toEqual(await rowsOf({ directory: environment.DOCENT_DATA }));
  });

  test("to a directory that was killed leaves nothing that the next one would take for its own", async () => {
    using directory = temporaryDirectory();
    const environment = { DOCENT_DATA: join(directory.path, "data") };
    await runInProcess(["sites", "add", "acme"], { environment });
    await upload(environment.DOCENT_DATA);
    const shared = {
      DOCENT_DATA: join(directory.path, "shared"),
      DOCENT_DATABASE_URL: await newDatabase({ isEmpty: true }),
    };
    expect((await runInProcess(["move", "--to", shared.DOCENT_DATABASE_URL], { environment })).code).toBe(0);
    const back = join(directory.path, "back");
    mkdirSync(join(back, "uploads/1"), { recursive: true });
    writeFileSync(join(back, "uploads/1/1"), "the half of an archive");
    expect((await runInProcess(["move", "--to", back], { environment: shared })).code).toBe(0);
  });

  test("that is killed at any table leaves nothing there and everything here, and is whole when it is started again", async () => {
    using directory = temporaryDirectory();
    const environment = { DOCENT_DATA: join(directory.path, "data"), DOCENT_CONNECT_SECONDS: "5" };
    await prepareEverything(directory.path, environment);
    const rows = await rowsOf({ directory: environment.DOCENT_DATA });
    const url = await newDatabase();
    const back = { ...environment, DOCENT_DATA: join(directory.path, "back") };
    const filled = TABLES.filter((name) => (rows[name] ?? 0) > 0);
    const tables = [filled[0], filled[Math.floor(filled.length / 2)], filled.at(-1)];
    for (const [from, to] of [
      [environment, url],
      [
        { ...environment, DOCENT_DATA: join(directory.path, "shared"), DOCENT_DATABASE_URL: url },
        back.DOCENT_DATA,
      ],
    ] as const) {
      for (const table of tables) expect(await killedAt(`${table}: `, from, to)).toBe("SIGKILL");
      if (to === url) expect(queryNow(nameOf(url), "SELECT id FROM sites", [])).toEqual([]);
      expect((await runInProcess(["move", "--to", to], { environment: from })).code).toBe(0);
    }
    expect(await rowsOf({ directory: environment.DOCENT_DATA })).toEqual(rows);
    expect(await rowsOf({ url })).toEqual(rows);
    expect(await rowsOf({ directory: back.DOCENT_DATA })).toEqual(rows);
  });

  test("that is stopped leaves nothing, and is whole when it is started again", async () => {
    using directory = temporaryDirectory();
    const environment = { DOCENT_DATA: join(directory.path, "data"), DOCENT_CONNECT_SECONDS: "1" };
    await prepareEverything(directory.path, environment);
    const url = await newDatabase();
    await runInProcess(["move", "--to", url], { environment, until: /passages: \d+/ });
    expect(queryNow(nameOf(url), "SELECT id FROM pages", [])).toEqual([]);
    expect(queryNow(nameOf(url), "SELECT id FROM sites", [])).toEqual([]);
    expect((await runInProcess(["move", "--to", url], { environment })).code).toBe(0);
    expect(await rowsOf({ url })).toEqual(await rowsOf({ directory: environment.DOCENT_DATA }));
  });
});
