import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { textOf } from "../helpers/docent.ts";
import { canStartPostgres, type OwnServer, postgresProgram, startPostgres } from "../helpers/postgres.ts";
import { openPlace, within } from "../helpers/shared-place.ts";

setDefaultTimeout(300_000);

let postgres: OwnServer;
beforeAll(async () => {
  if (canStartPostgres) postgres = await startPostgres();
});
afterAll(() => postgres?.stop());

/** What a release may do while servers of the one before are running: it only adds. */
const NEWER = `
  INSERT INTO docent_migrations (name, applied_at) VALUES ('9999_more', 0);
  CREATE TABLE more (id int PRIMARY KEY);
  DO $$ DECLARE each record; BEGIN
    FOR each IN SELECT tablename FROM pg_tables WHERE schemaname = 'public' LOOP
      EXECUTE format('ALTER TABLE %I ADD COLUMN added_later text', each.tablename);
    END LOOP;
  END $$`;

describe.if(canStartPostgres)("servers over one PostgreSQL", () => {
  test("go on while a newer one has added to the schema; they do not start again on it, and say why", async () => {
    await within(postgres.urlOf("postgres"), "CREATE DATABASE rolling");
    const { place, ask } = await openPlace(postgres.urlOf("rolling"));
    const server = await place.serve();
    expect((await ask(server.url))[0]).toBe(200);
    await within(postgres.urlOf("rolling"), NEWER);
    for (const text of ["What is said of the zebra?", "And what more is said of the zebra?"])
      expect(await ask(server.url, text)).toEqual([200, expect.stringContaining("zebra")]);
    expect(server.err()).not.toContain('"level":"error"');
    const refusal = [
      "The database rolling was used by a newer Docent (it has 9999_more).",
      "Use that version or a later one, or restore a backup that was made before the upgrade.",
    ];
    for (const words of [["serve", "--port", "0"], ["sites", "list"], ["doctor"]]) {
      const { code, out, err } = await place.run(...words);
      expect([words, code, out + err]).toEqual([words, 1, expect.stringContaining(refusal[0] ?? "")]);
      expect(out + err).toContain(refusal[1] ?? "");
    }
    await place.dispose();
  });

  test("are restored from what pg_dump wrote while one was running: the same sites, answers and conversations", async () => {
    await within(postgres.urlOf("postgres"), "CREATE DATABASE kept", "CREATE DATABASE restored");
    const { place, ask } = await openPlace(postgres.urlOf("kept"));
    const server = await place.serve();
    const question = "What is said of the zebra?";
    const before = await ask(server.url, question);
    const dump = join(place.folder, "docent.dump");
    const at = ["-h", postgres.directory, "-U", "postgres"];
    const run = (name: string, ...words: string[]) => {
      const { exitCode, stderr } = Bun.spawnSync([postgresProgram(name), ...at, ...words], {
        stderr: "pipe",
      });
      expect([exitCode, stderr.toString()]).toEqual([0, ""]);
    };
    run("pg_dump", "-Fc", "-d", "kept", "-f", dump);
    run("pg_restore", "--no-owner", "--exit-on-error", "-d", "restored", dump);

    const say = (name: string, ...words: string[]) => {
      place.setVariable("DOCENT_DATABASE_URL", postgres.urlOf(name));
      return place.run(...words);
    };
    for (const words of [
      ["sites", "list", "--json"],
      ["search", "acme", "zebra", "--json"],
      ["export", "acme"],
      ["sources", "list", "acme", "--json"],
    ])
      expect(await say("restored", ...words)).toEqual(await say("kept", ...words));
    place.setVariable("DOCENT_DATABASE_URL", postgres.urlOf("restored"));
    const again = await place.serve("--data", "other");
    const after = await ask(again.url, question);
    // Links to the built-in reader name the server that was asked.
    const shown = ([status, reply]: typeof after, url: string) => [status, textOf(reply).replaceAll(url, "")];
    expect(shown(after, again.url)).toEqual(shown(before, server.url));
    await place.dispose();
  });
});
