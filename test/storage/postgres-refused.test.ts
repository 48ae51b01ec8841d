import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { inspect } from "node:util";
import { SQL } from "bun";
import { freePort, startStranger } from "../helpers/free-port.ts";
import { canStartPostgres, type OwnServer, startPostgres } from "../helpers/postgres.ts";
import { createWorkplace } from "../helpers/program.ts";
import { appErrorOf } from "../helpers/rejection.ts";
import { openTestPostgres } from "../helpers/test-postgres.ts";

// What an operator reads where a database cannot be used: each a sentence, and what to do.

const PASSWORD = "zebra-7-lions";
/** Passwords over the network, and every database but one. */
const RULES = `local all all trust
host closed all all reject
host all all all scram-sha-256
`;

let postgres: OwnServer;
let port: number;
beforeAll(async () => {
  if (!canStartPostgres) return;
  port = await freePort();
  const settings = ["listen_addresses=127.0.0.1", "password_encryption=scram-sha-256"];
  postgres = await startPostgres({ port, settings, files: { "pg_hba.conf": RULES } });
  await admin(
    `CREATE ROLE docent LOGIN PASSWORD '${PASSWORD}'`,
    "CREATE DATABASE docent OWNER docent",
    "CREATE DATABASE closed OWNER docent",
    "CREATE DATABASE others",
  );
});
afterAll(() => postgres?.stop());

async function admin(...statements: string[]): Promise<void> {
  const sql = new SQL(postgres.urlOf("postgres"), { max: 1 });
  for (const statement of statements) await sql.unsafe(statement);
  await sql.close();
}

/** The address of a database over the network, but for what is said otherwise. */
function addressOf({ user = "docent", password = PASSWORD, at = `127.0.0.1:${port}`, name = "docent" } = {}) {
  return `postgres://${user}:${password}@${at}/${name}`;
}

/** What is said of an address; nothing of it may have a password in it. */
async function refusalOf(url: string): Promise<[message: string, hint: string | undefined]> {
  const error = await appErrorOf(() => openTestPostgres({ url }));
  expect(inspect(error, { depth: 9 })).not.toContain(new URL(url).password || PASSWORD);
  return [error.message, error.hint];
}

const CANNOT = "The PostgreSQL database cannot be opened:";

describe.if(canStartPostgres)("PostgreSQL lets nobody in", () => {
  test("with a wrong password", async () => {
    expect(await refusalOf(addressOf({ password: "wrong-password" }))).toEqual([
      `${CANNOT} password authentication failed for user "docent"`,
      "PostgreSQL refused the user or password of database_url: check both. In a password, % and @ and : and / are written as %25, %40, %3A and %2F.",
    ]);
  });

  test("who is not known there", async () => {
    expect(await refusalOf(addressOf({ user: "nobody" }))).toEqual([
      `${CANNOT} password authentication failed for user "nobody"`,
      expect.stringContaining("check both"),
    ]);
  });

  test("whom pg_hba.conf turns away", async () => {
    expect(await refusalOf(addressOf({ name: "closed" }))).toEqual([
      expect.stringContaining("pg_hba.conf rejects connection"),
      expect.stringContaining("a line for it in pg_hba.conf"),
    ]);
  });

  test("to a database that is not there", async () => {
    expect(await refusalOf(addressOf({ name: "nowhere" }))).toEqual([
      `${CANNOT} database "nowhere" does not exist`,
      "The database that database_url names does not exist: create it (CREATE DATABASE …).",
    ]);
  });

  test("when its connections are taken; where a few are left, they are enough", async () => {
    await admin("ALTER ROLE docent CONNECTION LIMIT 0");
    expect(await refusalOf(addressOf())).toEqual([
      `${CANNOT} too many connections for role "docent"`,
      "PostgreSQL takes no more connections: raise its max_connections, or the limit of this user or database, or lower database_connections.",
    ]);
    await admin("ALTER ROLE docent CONNECTION LIMIT 2");
    const storage = await openTestPostgres({ url: addressOf() });
    const asked = Array.from({ length: 40 }, () => storage.sites.listSites());
    expect(await Promise.all(asked)).toEqual(asked.map(() => []));
    await storage.close();
    await admin("ALTER ROLE docent CONNECTION LIMIT -1");
  });

  test("to make tables in a database of another user", async () => {
    expect(await refusalOf(addressOf({ name: "others" }))).toEqual([
      `${CANNOT} permission denied for schema public`,
      "The user of database_url may not do this: make it the owner of the database.",
    ]);
  });

  test("to a version that is too old", async () => {
    // The true one is asked under a name that this user finds first.
    await admin(
      "CREATE ROLE old LOGIN SUPERUSER PASSWORD 'old-password'",
      "CREATE DATABASE old OWNER old",
      "ALTER ROLE old SET search_path = public, pg_catalog",
    );
    const sql = new SQL(postgres.urlOf("old"), { max: 1 });
    await sql`CREATE FUNCTION public.current_setting(text) RETURNS text LANGUAGE sql AS
      $$ SELECT CASE $1 WHEN 'server_version_num' THEN '130022' ELSE pg_catalog.current_setting($1) END $$`.simple();
    await sql.close();
    expect(await refusalOf(addressOf({ user: "old", password: "old-password", name: "old" }))).toEqual([
      "This PostgreSQL is version 13; Docent needs 14 or newer.",
      "Upgrade the PostgreSQL server, or name another one in database_url.",
    ]);
  });
});

describe("on the way to PostgreSQL", () => {
  test("a host that has no address is named", async () => {
    expect(await refusalOf(addressOf({ at: "docent-nowhere.invalid" }))).toEqual([
      `${CANNOT} no address is known of the host docent-nowhere.invalid`,
      "Check the host in database_url, and the name server of this machine.",
    ]);
  });

  test("a port where nothing listens is named, and so is a socket", async () => {
    const closed = await freePort();
    expect(await refusalOf(addressOf({ at: `127.0.0.1:${closed}` }))).toEqual([
      `${CANNOT} nothing listens on 127.0.0.1:${closed}`,
      "Check that PostgreSQL runs there, which listen_addresses and port it has, and database_url.",
    ]);
    expect(
      (await refusalOf("postgres://docent:secret@localhost/docent?path=/nowhere/.s.PGSQL.5432"))[0],
    ).toBe(`${CANNOT} nothing listens on the socket /nowhere/.s.PGSQL.5432`);
  });

  test("what is no PostgreSQL, or says nothing, is not waited for without end", async () => {
    const strangers = await Promise.all([
      startStranger((socket) => socket.once("data", () => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n"))),
      startStranger(() => {}),
    ]);
    const refusals = strangers.map(({ port: at }) => refusalOf(addressOf({ at: `127.0.0.1:${at}` })));
    expect(await Promise.all(refusals)).toEqual(
      strangers.map(({ port: at }) => [
        `${CANNOT} something takes connections on 127.0.0.1:${at}, but does not answer as PostgreSQL does`,
        expect.stringContaining("another program may be there"),
      ]),
    );
    for (const stranger of strangers) stranger.close();
  });

  test("a PostgreSQL that is only starting is said to be", async () => {
    const fields = ["SFATAL", "VFATAL", "C57P03", "Mthe database system is starting up", ""];
    const body = Buffer.from(`${fields.join("\0")}\0`);
    const length = Buffer.alloc(4);
    length.writeInt32BE(body.length + 4);
    const starting = Buffer.concat([Buffer.from("E"), length, body]);
    const stranger = await startStranger((socket) => socket.once("data", () => socket.end(starting)));
    expect(await refusalOf(addressOf({ at: `127.0.0.1:${stranger.port}` }))).toEqual([
      `${CANNOT} the database system is starting up`,
      "PostgreSQL is being started or stopped: wait until it accepts connections.",
    ]);
    stranger.close();
  });
});

describe.if(canStartPostgres)("a command that is refused", () => {
  test.each([
    "serve --port 0 --log-level debug",
    "doctor --json",
    "doctor --log-level debug",
    "sites list --json",
    "config --json",
  ])("never says the password: %s", async (words) => {
    const place = createWorkplace({ DOCENT_DATABASE_URL: addressOf({ password: "wrong-password" }) });
    const { code, out, err } = await place.run(...words.split(" "));
    if (!words.startsWith("config")) {
      expect([code, out + err]).toEqual([1, expect.stringContaining("password authentication failed")]);
      expect(out + err).toContain("check both");
    }
    expect(out + err).not.toContain("wrong-password");
    await place.dispose();
  });

  test("reads the password from the environment, or the whole address from a file", async () => {
    const url = `postgres://docent@127.0.0.1:${port}/docent`;
    const place = createWorkplace({ DOCENT_DATABASE_URL: url, PGPASSWORD: PASSWORD });
    expect(await place.run("sites", "list")).toMatchObject({ code: 0 });
    await place.dispose();
    const other = createWorkplace({ DOCENT_DATABASE_URL_FILE: "address" });
    await Bun.write(join(other.folder, "address"), `${addressOf()}\n`);
    expect(await other.run("sites", "list")).toMatchObject({ code: 0 });
    await other.dispose();
  });
});
