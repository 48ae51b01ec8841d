import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { openDatabase } from "../../src/storage/postgres/database/database.ts";
import { createLeases } from "../../src/storage/postgres/leases.ts";
import { hasPgbouncer, startPgbouncer } from "../helpers/pgbouncer.ts";
import { canStartPostgres, type OwnServer, startPostgres } from "../helpers/postgres.ts";
import { appErrorOf } from "../helpers/rejection.ts";
import { openPlace, within } from "../helpers/shared-place.ts";
import { openTestPostgres } from "../helpers/test-postgres.ts";

setDefaultTimeout(300_000);

if (!hasPgbouncer)
  process.stderr.write("\n  PgBouncer is not here: what docs/scaling.md says of it is NOT TESTED\n");

describe.if(canStartPostgres && hasPgbouncer)("behind PgBouncer", () => {
  let postgres: OwnServer;
  beforeAll(async () => {
    postgres = await startPostgres();
  });
  afterAll(() => postgres.stop());

  test("with session pooling, everything works: serving, reading docs, asking, moving", async () => {
    await within(postgres.urlOf("postgres"), "CREATE DATABASE sessions");
    const pooler = await startPgbouncer(postgres, "session", ["default_pool_size = 30"]);
    const { place, ask } = await openPlace(pooler.urlOf("sessions"));
    const server = await place.serve();
    expect(await ask(server.url)).toEqual([200, expect.stringContaining("zebra")]);
    expect(await place.run("ask", "acme", "What is said of the zebra?")).toMatchObject({
      code: 0,
      out: expect.stringContaining("zebra"),
    });
    expect(await place.run("ingest", "acme", "docs")).toMatchObject({
      code: 0,
      out: expect.stringContaining("Nothing has changed"),
    });
    expect(await place.run("doctor")).toMatchObject({
      code: 0,
      out: expect.stringContaining("servers on it: 1"),
    });
    server.child.kill("SIGTERM");
    await server.child.exited;
    expect(await place.run("move", "--to", "moved")).toMatchObject({ code: 0 });
    await place.dispose();
    await pooler.stop();
  });

  test.each(["transaction", "statement"] as const)(
    "with %s pooling, servers and commands are refused, and say what to set",
    async (mode) => {
      await within(postgres.urlOf("postgres"), `CREATE DATABASE pooled_by_${mode}`);
      const { place } = await openPlace(postgres.urlOf(`pooled_by_${mode}`));
      const pooler = await startPgbouncer(postgres, mode);
      place.setVariable("DOCENT_DATABASE_URL", pooler.urlOf(`pooled_by_${mode}`));
      for (const words of ["serve --port 0", "sites list", "ingest acme docs", "move --to moved", "doctor"]) {
        const { code, out, err } = await place.run(...words.split(" "));
        expect([words, code, out + err]).toEqual([
          words,
          1,
          expect.stringMatching(
            /A pooler stands before PostgreSQL that lends a connection for one transaction only\.\s+→ Docent needs connections that last: set pool_mode = session in PgBouncer, or name PostgreSQL itself in database_url\./,
          ),
        ]);
      }
      await place.dispose();
      await pooler.stop();
    },
  );

  test("a server whose connections the pool cannot give is never ready, and says what to set", async () => {
    await within(postgres.urlOf("postgres"), "CREATE DATABASE scarce");
    const { place } = await openPlace(postgres.urlOf("scarce"));
    const wanted = 6;
    const [scarce, enough] = await Promise.all(
      [wanted - 1, wanted].map((size) =>
        startPgbouncer(postgres, "session", [`default_pool_size = ${size}`]),
      ),
    );
    if (scarce === undefined || enough === undefined) throw new Error("there are two");
    place.setVariable("DOCENT_DATABASE_URL", scarce.urlOf("scarce"));
    const refused = await place.run("serve", "--port", "0");
    expect([refused.code, refused.out, refused.err]).toEqual([
      1,
      "",
      expect.stringMatching(
        /^docent: Only 5 of the 6 connections to PostgreSQL that this server needs were answered\.\n.*default_pool_size of PgBouncer needs 6 for each such server.*lower database_connections\.\n$/,
      ),
    ]);
    place.setVariable("DOCENT_DATABASE_URL", enough.urlOf("scarce"));
    const server = await place.serve();
    expect((await fetch(`${server.url}/health/ready`)).status).toBe(200);
    await place.dispose();
    await Promise.all([scarce.stop(), enough.stop()]);
  });

  test("a lease whose connection is lent to others is lost", async () => {
    const pooler = await startPgbouncer(postgres, "transaction");
    const database = openDatabase({
      url: pooler.urlOf("postgres"),
      connectionsMax: 2,
      connectSecondsMax: 5,
    });
    const lease = await createLeases(database).take("source", [1]);
    if ("heldBy" in lease) throw new Error("nobody else has it");
    const lost = new Promise((resolve) => lease.lost.addEventListener("abort", resolve));
    // Another client holds what the lease was taken with.
    const other = openDatabase({ url: pooler.urlOf("postgres"), connectionsMax: 2, connectSecondsMax: 5 });
    const held = other.inOneWrite(async () => lost);
    await lost;
    await held.catch(() => {});
    await Promise.all([lease.release(), database.close(), other.close()]);
    await pooler.stop();
  });

  test("a database that is not there is said, with what to do", async () => {
    const pooler = await startPgbouncer(postgres, "session");
    const open = () => appErrorOf(() => openTestPostgres({ url: pooler.urlOf("nowhere") }));
    let nowhere = await open();
    // A busy pooler knows it only when it has been refused itself.
    while (nowhere.message.includes("Connection timeout")) nowhere = await open();
    expect([nowhere.message, nowhere.hint]).toEqual([
      expect.stringContaining('database "nowhere" does not exist'),
      expect.stringContaining("What stands before PostgreSQL, such as PgBouncer, refused the connection"),
    ]);
    await pooler.stop();
  });
});
