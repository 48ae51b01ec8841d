import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { SQL } from "bun";
import { withEnvironment } from "../../src/storage/postgres/address.ts";
import { freePort } from "../helpers/free-port.ts";
import { expiredAuthority, ownAuthority } from "../helpers/own-authority.ts";
import { canStartPostgres, type OwnServer, startPostgres } from "../helpers/postgres.ts";
import { createWorkplace } from "../helpers/program.ts";
import { appErrorOf } from "../helpers/rejection.ts";
import { type TemporaryDirectory, temporaryDirectory } from "../helpers/temporary-directory.ts";
import { openTestPostgres } from "../helpers/test-postgres.ts";

// A PostgreSQL with certificates of authorities of our own: whom Docent trusts, and what it says of the others.

const isPossible = canStartPostgres && Bun.which("openssl") !== null;
const RULES = "local all all trust\nhostssl all all all trust\n";
type Authority = Awaited<ReturnType<typeof ownAuthority>>;

let folder: TemporaryDirectory;
let postgres: OwnServer;
let port: number;
let good: Authority;
beforeAll(async () => {
  if (!isPossible) return;
  folder = temporaryDirectory();
  port = await freePort();
  good = await ownAuthority("localhost");
  postgres = await startPostgres({
    port,
    settings: ["listen_addresses=127.0.0.1"],
    files: { "pg_hba.conf": RULES, "server.crt": good.tls.cert, "server.key": good.tls.key },
  });
  const sql = new SQL(postgres.urlOf("postgres"), { max: 1 });
  await sql`CREATE DATABASE docent`;
  await sql.close();
});
afterAll(async () => {
  await postgres?.stop();
  folder?.[Symbol.dispose]();
});

/** Starts PostgreSQL again with another certificate. */
async function show({ tls }: Authority): Promise<void> {
  writeFileSync(join(postgres.directory, "data/server.crt"), tls.cert);
  writeFileSync(join(postgres.directory, "data/server.key"), tls.key);
  await postgres.restart({ settings: ["ssl=on"] });
}

function fileOf({ authority }: Authority, name: string): string {
  const file = join(folder.path, name);
  writeFileSync(file, authority);
  return file;
}

const addressOf = (query: string, host = "localhost") =>
  `postgres://postgres@${host}:${port}/docent${query === "" ? "" : `?${query}`}`;

async function refusalOf(query: string): Promise<[message: string, hint: string | undefined]> {
  const { message, hint } = await appErrorOf(() => openTestPostgres({ url: addressOf(query) }));
  return [message.replace("The PostgreSQL database cannot be opened: ", ""), hint];
}

const opens = async (url: string) => {
  const storage = await openTestPostgres({ url });
  await storage.close();
  return true;
};

describe.if(isPossible)("the certificate of PostgreSQL", () => {
  test("is checked against the authority that is named, in the address or by PGSSLROOTCERT", async () => {
    await show(good);
    const file = fileOf(good, "good.pem");
    expect(await opens(addressOf(`sslmode=verify-full&sslrootcert=${file}`))).toBe(true);
    expect(await opens(addressOf(`sslmode=verify-ca&sslrootcert=${file}`))).toBe(true);
    const environment = { PGSSLMODE: "verify-full", PGSSLROOTCERT: file };
    expect(await opens(withEnvironment(addressOf(""), environment))).toBe(true);
    // What the address says counts.
    expect(withEnvironment(addressOf("sslmode=require"), { PGSSLMODE: "disable" })).toContain(
      "sslmode=require",
    );
  });

  test.each(["verify-full", "verify-ca"])("of another authority is refused by %s", async (mode) => {
    await show(good);
    const untrusted: [string, string] = [
      "unable to verify the first certificate",
      "The certificate of PostgreSQL is signed by nobody whom Docent trusts: name the file of your own authority with &sslrootcert=<file> in database_url, or the right one.",
    ];
    const other = fileOf(await ownAuthority("localhost"), "other.pem");
    expect(await refusalOf(`sslmode=${mode}`)).toEqual(untrusted);
    expect(await refusalOf(`sslmode=${mode}&sslrootcert=${other}`)).toEqual(untrusted);
  });

  test("for another host is refused by verify-full", async () => {
    const elsewhere = await ownAuthority("db.elsewhere.example");
    await show(elsewhere);
    const file = fileOf(elsewhere, "elsewhere.pem");
    expect(await refusalOf(`sslmode=verify-full&sslrootcert=${file}`)).toEqual([
      "Hostname/IP does not match certificate's altnames",
      "The certificate of PostgreSQL is for another name: name the host in database_url as the certificate does, or have one made for this host.",
    ]);
  });

  test("that has expired is refused", async () => {
    const expired = await expiredAuthority("localhost");
    await show(expired);
    const file = fileOf(expired, "expired.pem");
    expect(await refusalOf(`sslmode=verify-full&sslrootcert=${file}`)).toEqual([
      "certificate has expired",
      "The certificate of PostgreSQL has expired: have a new one made, and reload PostgreSQL.",
    ]);
    expect(await opens(addressOf("sslmode=require"))).toBe(true);
  });

  test("is not asked for by prefer and require, and doctor and the log of a server warn of them", async () => {
    await show(good);
    for (const mode of ["prefer", "require"]) {
      // This machine, by an address that does not say so.
      const place = createWorkplace({ DOCENT_DATABASE_URL: addressOf(`sslmode=${mode}`, "0.0.0.0") });
      const { out } = await place.run("doctor");
      expect(out).toContain("trusts whoever answers as 0.0.0.0");
      expect(out).toContain("Write sslmode=verify-full");
      const { err } = await place.serve();
      expect(err()).toContain("trusts whoever answers as 0.0.0.0");
      await place.dispose();
    }
  });

  test("that PostgreSQL does not have is missed, and a connection without one is refused where it has to have one", async () => {
    await show(good);
    expect(await refusalOf("")).toEqual([
      expect.stringContaining("no encryption"),
      expect.stringContaining("Lines of hostssl need an sslmode"),
    ]);
    await postgres.restart({ settings: ["ssl=off"] });
    expect(await refusalOf("sslmode=require")).toEqual([
      "Server does not support SSL",
      "This PostgreSQL does not encrypt connections: give it a certificate, and set ssl = on there.",
    ]);
  });
});

test("an authority's file that cannot be read, or has no certificate, is named before anything is asked", async () => {
  using place = temporaryDirectory();
  const file = join(place.path, "authority.pem");
  const url = `postgres://docent@localhost/docent?sslmode=verify-full&sslrootcert=${file}`;
  expect((await appErrorOf(() => openTestPostgres({ url }))).message).toBe(
    `The file ${file}, which sslrootcert names, cannot be read.`,
  );
  writeFileSync(file, "not a certificate");
  expect((await appErrorOf(() => openTestPostgres({ url }))).message).toBe(
    `The file ${file}, which sslrootcert names, has no certificate in it.`,
  );
});
