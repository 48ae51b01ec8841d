import { describe, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { checkAddress, transportWarning, withEnvironment } from "../../src/storage/postgres/address.ts";
import { openDatabase } from "../../src/storage/postgres/database/database.ts";
import { createLeases } from "../../src/storage/postgres/leases.ts";
import { MIGRATIONS } from "../../src/storage/postgres/migrate.ts";
import { hasPostgres, newDatabase, queryNow } from "../helpers/postgres.ts";
import { appErrorOf } from "../helpers/rejection.ts";
import { addSite } from "../helpers/site-data.ts";
import { openTestPostgres } from "../helpers/test-postgres.ts";
import { addTurn } from "../helpers/turn-data.ts";

const nameOf = (url: string) => new URL(url).pathname.slice(1);
const connected = (url: string) => openDatabase({ url, connectionsMax: 2, connectSecondsMax: 5 });

describe("an address of PostgreSQL", () => {
  test.each([
    "mysql://host/docent",
    "postgres://host",
    "host/docent",
    "not an address",
    "postgres://docent:100%sure@host/docent",
    "postgres://docent:p#ss@host/docent",
    "postgres://docent@one:5432,other:5432/docent",
  ])("%s is refused, without being repeated", (address) => {
    expect(() => checkAddress(address)).toThrow("database_url is not the address of a PostgreSQL database");
  });

  test.each([
    "host=other.internal",
    "Host=other.internal",
    "port=1",
    "socket=/run/other",
    "PATH=/run/other",
    "path=",
  ])("that names its place a second time is refused, for the driver would go there: %s", (parameter) => {
    expect(() => checkAddress(`postgres://db.internal/docent?${parameter}`)).toThrow("names a place");
    expect(() => checkAddress("postgres:///docent?path=/run/postgresql")).not.toThrow();
  });

  test("goes where it says, and never where PGHOST and PGPORT do", () => {
    const environment = { PGHOST: "other.internal", PGPORT: "1" };
    expect(withEnvironment("postgres:///docent", environment)).toBe("postgres://localhost:5432/docent");
    expect(withEnvironment("postgres://db.internal/docent", environment)).toBe(
      "postgres://db.internal:5432/docent",
    );
    expect(withEnvironment("postgres://[::1]:5433/docent?path=/run", environment)).toBe(
      "postgres://[::1]:5433/docent?path=/run",
    );
  });

  test("with an sslmode that there is not is refused", () => {
    expect(() => checkAddress("postgres://host/docent?sslmode=verify")).toThrow("none that there is");
  });

  test.each([
    ["postgres://db.internal/docent", "not encrypted"],
    ["postgres://db.internal/docent?sslmode=require", "trusts whoever answers"],
    ["postgres://db.internal/docent?sslmode=prefer", "trusts whoever answers"],
    ["postgres://db.internal/docent?sslmode=prefer", "only where the other side offers it"],
    ["postgres://db.internal/docent?sslmode=verify-ca", "trusts whoever answers"],
    ["postgres://db.internal/docent?sslmode=verify-ca&sslrootcert=ca.pem", undefined],
    ["postgres://db.internal/docent?sslmode=require&sslrootcert=ca.pem", undefined],
    ["postgres://db.internal/docent?sslmode=verify-full", undefined],
    ["postgres://localhost/docent", undefined],
    ["postgres://127.0.0.1:5433/docent", undefined],
  ])("on the way to %s: %s", (address, says) => {
    const warning = transportWarning(address);
    if (says === undefined) expect(warning).toBeUndefined();
    else
      expect(warning).toEqual({
        says: expect.stringContaining(says),
        hint: expect.stringContaining("verify-full"),
      });
  });
});

test("every file of migrations/postgres/ is in the list, as it is", async () => {
  const folder = join(import.meta.dir, "../../migrations/postgres");
  expect(MIGRATIONS.map(({ name }) => `${name}.sql`)).toEqual(readdirSync(folder).sort());
  for (const { name, sql } of MIGRATIONS)
    expect(await Bun.file(join(folder, `${name}.sql`)).text()).toBe(sql);
});

describe.if(hasPostgres)("a database", () => {
  test("that is empty gets its schema once, however many servers come at the same time", async () => {
    const url = await newDatabase({ isEmpty: true });
    const servers = await Promise.all(
      Array.from({ length: 6 }, () => openTestPostgres({ url, isServer: true })),
    );
    expect((await servers[0]?.describe())?.servers).toBe(6);
    expect(queryNow(nameOf(url), "SELECT name FROM docent_migrations", [])).toHaveLength(MIGRATIONS.length);
    for (const each of servers) await each.close();
  });

  test("of another program is refused, and left as it is", async () => {
    const url = await newDatabase({ isEmpty: true });
    queryNow(nameOf(url), "CREATE TABLE orders (id int)", []);
    const error = await appErrorOf(() => openTestPostgres({ url }));
    expect(error).toMatchObject({
      code: "conflict",
      message: expect.stringContaining("another program: orders"),
    });
    expect(queryNow(nameOf(url), "SELECT tablename FROM pg_tables WHERE schemaname = 'public'", [])).toEqual([
      { tablename: "orders" },
    ]);
  });

  test("of a newer Docent is refused", async () => {
    const url = await newDatabase();
    queryNow(nameOf(url), "INSERT INTO docent_migrations VALUES ('9999_more', 0)", []);
    expect(await appErrorOf(() => openTestPostgres({ url }))).toMatchObject({
      code: "conflict",
      message: expect.stringContaining("9999_more"),
    });
  });

  test("that is set to read only is read by commands, and refused by a server", async () => {
    const url = await newDatabase();
    const name = nameOf(url);
    queryNow(name, `ALTER DATABASE ${name} SET default_transaction_read_only = on`, []);
    const storage = await openTestPostgres({ url });
    expect([storage.isReadOnly, await storage.sites.listSites()]).toEqual([true, []]);
    const write = storage.sites.addOrganization({ id: "o", name: "o", createdAt: 0 });
    expect(await appErrorOf(() => write)).toMatchObject({
      code: "unavailable",
      hint: expect.stringContaining("primary"),
    });
    expect(await appErrorOf(() => openTestPostgres({ url, isServer: true }))).toMatchObject({
      code: "unavailable",
    });
    await storage.close();
  });

  test("that is not there is said, with what to do", async () => {
    const url = (await newDatabase()).replace(/docent_test_\w+/, "docent_nowhere");
    expect(await appErrorOf(() => openTestPostgres({ url }))).toMatchObject({
      code: "unavailable",
      hint: expect.stringContaining("CREATE DATABASE"),
    });
  });

  test("of another encoding is refused", async () => {
    const url = await newDatabase({ isEmpty: true, encoding: "SQL_ASCII" });
    expect(await appErrorOf(() => openTestPostgres({ url }))).toMatchObject({
      message: expect.stringContaining("SQL_ASCII"),
      hint: expect.stringContaining("ENCODING 'UTF8'"),
    });
  });
});

test("statements name their columns, so that those of a running server do not fail when a newer one adds some", async () => {
  const folder = join(import.meta.dir, "../../src/storage/postgres");
  const asking = /SELECT (?:\w+\.)?\*\s+FROM (?!\(|unnest)|RETURNING (?:\w+\.)?\*|SELECT \w+\.\*/;
  const whole: string[] = [];
  for (const name of readdirSync(folder, { recursive: true })
    .map(String)
    .filter((each) => each.endsWith(".ts"))) {
    // What stands in a part of a statement is not what it answers.
    const text = (await Bun.file(join(folder, name)).text()).replaceAll(/\(\s*SELECT (?:\w+\.)?\*/g, "");
    if (asking.test(text)) whole.push(name);
  }
  expect(whole).toEqual([]);
});

test.if(hasPostgres)("a site is read as before where a newer release has added columns", async () => {
  using storage = await openTestPostgres();
  await addSite(storage.sites, "docs");
  const seen = async () => [await storage.sites.listSites(), await storage.sites.findSite("docs")];
  const before = await seen();
  queryNow(nameOf(storage.url), "ALTER TABLE sites ADD COLUMN added_later text DEFAULT 'x'", []);
  expect(await seen()).toEqual(before);
});

describe.if(hasPostgres)("a lease", () => {
  test("is one server's at a time, and free once it is released", async () => {
    const url = await newDatabase();
    const [one, other] = [connected(url), connected(url)];
    const held = await createLeases(one).take("source", [1, 2]);
    expect(await createLeases(other).take("source", [3, 2])).toEqual({ heldBy: "another", id: 2 });
    expect(await createLeases(other).take("source", [3])).toHaveProperty("lost");
    expect(await createLeases(other).take("index", [2])).toHaveProperty("lost");
    if ("heldBy" in held) throw new Error("nobody else has it");
    await held.release();
    expect(held.lost.aborted).toBe(true);
    const again = createLeases(other);
    while ("heldBy" in (await again.take("source", [1, 2]))) await Bun.sleep(5);
    await Promise.all([one.close(), other.close()]);
  });

  test("is lost with its connection, and what is still written to the run is refused", async () => {
    const url = await newDatabase();
    using storage = await openTestPostgres({ url });
    const site = await addSite(storage.sites, "docs");
    const spec = { siteId: site.id, kind: "folder", location: "/docs", version: "", language: "" } as const;
    const source = await storage.sources.open(spec, 0);
    const lease = await storage.ingest.lock(source);
    const { runId } = await storage.ingest.openRun(source, 0);
    const lost = new Promise((resolve) => lease.lost.addEventListener("abort", resolve));
    queryNow(
      nameOf(url),
      `SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory'
       AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
      [],
    );
    await lost;
    using other = await openTestPostgres({ url });
    await (await other.ingest.lock(source)).release();
    expect(await other.ingest.openRun(source, 0)).toEqual({ runId, resumed: true });
    expect(await appErrorOf(() => storage.ingest.drop(source, runId, ["a"]))).toMatchObject({
      code: "conflict",
    });
    await other.ingest.drop(source, runId, ["a"]);
  });
});

test.if(hasPostgres)(
  "a source that is due is read by one server, that has it, and by another once that one is gone",
  async () => {
    const url = await newDatabase();
    using one = await openTestPostgres({ url, isServer: true });
    using other = await openTestPostgres({ url, isServer: true });
    const site = await addSite(one.sites, "docs");
    const spec = { siteId: site.id, kind: "folder", version: "", language: "" } as const;
    for (const location of ["/a", "/b"]) {
      const { id } = await one.sources.open({ ...spec, location }, 0);
      await one.sources.change(id, { everyMs: 60_000, nextRunAt: 1000 });
    }
    const due = async (storage: typeof one, at: number, has: string[]) =>
      (await storage.sources.due(at, ({ location }) => has.includes(location))).map(
        ({ location }) => location,
      );
    expect(await due(one, 2000, ["/a"])).toEqual(["/a"]);
    expect(await due(other, 2000, ["/a"])).toEqual([]);
    expect(await due(other, 2000, ["/a", "/b"])).toEqual(["/b"]);
    expect(await due(one, 2000, ["/a", "/b"])).toEqual(["/a"]);
    queryNow(nameOf(url), "UPDATE sources SET claimed_until = now() - interval '1 second'", []);
    // Nobody has them: they are given away all the same, so that somebody says so.
    expect(await due(other, 2000, [])).toEqual([]);
    expect(await due(other, 1_000_000, [])).toEqual(["/a", "/b"]);
  },
);

test.if(hasPostgres)("turns of a server that has left are ended, and no others", async () => {
  const url = await newDatabase();
  using gone = await openTestPostgres({ url, isServer: true });
  using alive = await openTestPostgres({ url, isServer: true });
  const site = await addSite(gone.sites, "docs");
  await addTurn(gone.threads, { siteId: site.id, id: "gone", asked: { caller: "web" }, end: null });
  await addTurn(alive.threads, { siteId: site.id, id: "alive", asked: { caller: "web" }, end: null });
  expect(await alive.threads.failUnfinished(5)).toBe(0);
  queryNow(
    nameOf(url),
    "DELETE FROM servers WHERE id = (SELECT server_id FROM turns WHERE id LIKE '%gone%')",
    [],
  );
  expect(await alive.threads.failUnfinished(5)).toBe(1);
  expect(queryNow(nameOf(url), "SELECT outcome FROM turns ORDER BY id DESC", [])).toEqual([
    { outcome: "failed" },
    { outcome: null },
  ]);
});
