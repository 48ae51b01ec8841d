import { expect, setDefaultTimeout, test } from "bun:test";
import { canStartPostgres, startPostgres } from "../helpers/postgres.ts";
import { openAddress, openPlace, within } from "../helpers/shared-place.ts";
import { until } from "../helpers/until.ts";

setDefaultTimeout(300_000);

// A real streaming standby, made by pg_basebackup.

test.if(canStartPostgres)(
  "a standby is read by commands and refused by servers; promoted, it is where running servers go on",
  async () => {
    const primary = await startPostgres({ kept: true });
    await within(primary.urlOf("postgres"), "CREATE DATABASE docent");
    const address = await openAddress(primary);
    const { place, ask } = await openPlace(address.urlOf("docent"));
    const standby = await startPostgres({ replicaOf: primary, kept: true });
    const server = await place.serve();
    expect(await ask(server.url)).toEqual([200, expect.stringContaining("zebra")]);

    address.lead(standby);
    expect((await place.run("sites", "list", "--json")).out).toContain('"acme"');
    expect((await place.run("search", "acme", "zebra")).out).toContain("zebra");
    const [refused, written, checked] = [
      await place.run("serve", "--port", "0"),
      await place.run("sites", "add", "other"),
      await place.run("doctor"),
    ];
    expect([refused.code, refused.err]).toEqual([
      1,
      "docent: The PostgreSQL database cannot be written: it is a replica, or set to read only.\n  → Name the primary in database_url.\n",
    ]);
    expect([written.code, written.err]).toEqual([1, expect.stringContaining("Name the primary")]);
    expect([checked.code, checked.out]).toEqual([
      0,
      expect.stringContaining("it is a replica, or set to read only"),
    ]);

    await standby.restart({ settings: ["hot_standby=off"] });
    const closed = await place.run("sites", "list");
    expect([closed.code, closed.err]).toEqual([
      1,
      expect.stringContaining("wait until it accepts connections"),
    ]);
    await standby.restart();

    await primary.stop();
    // Readers are answered from the replica, which keeps nothing.
    expect(await ask(server.url)).toEqual([200, expect.stringContaining("zebra")]);
    expect(server.err()).toContain("answers are not stored");
    await within(standby.urlOf("postgres"), "SELECT pg_promote()");
    await until(async () => {
      expect((await ask(server.url))[0]).toBe(200);
      return !("unstored" in (await (await fetch(`${server.url}/health/ready`)).json()));
    });
    expect(await place.run("sites", "add", "other")).toMatchObject({ code: 0 });
    expect(server.child.exitCode).toBeNull();
    await place.dispose();
    address.close();
    await standby.stop();
  },
);
