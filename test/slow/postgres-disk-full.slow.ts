import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { canMount, mounts } from "../helpers/mounts.ts";
import { canStartPostgres, type OwnServer, startPostgres } from "../helpers/postgres.ts";
import { openPlace, within, writePages } from "../helpers/shared-place.ts";
import { until } from "../helpers/until.ts";

setDefaultTimeout(300_000);

// Skipped elsewhere, by name.
describe.if(canStartPostgres && canMount())(
  "a PostgreSQL whose disk is full (needs root on Linux, to mount one)",
  () => {
    let disk: string;
    let postgres: OwnServer;
    beforeAll(async () => {
      disk = mkdtempSync(join(tmpdir(), "docent-disk-"));
      expect(mounts("mount", "-t", "tmpfs", "-o", "size=300m,mode=755", "tmpfs", disk)).toBe(true);
      chmodSync(disk, 0o755);
      const directory = join(disk, "server");
      mkdirSync(directory);
      postgres = await startPostgres({ kept: true, directory });
    });
    afterAll(async () => {
      await postgres?.stop();
      mounts("umount", "--lazy", disk);
      rmSync(disk, { recursive: true, force: true });
    });

    const fill = () =>
      Bun.spawnSync(["dd", "if=/dev/zero", `of=${join(disk, "ballast")}`, "bs=64k"], { stderr: "ignore" });
    const empty = () => rmSync(join(disk, "ballast"), { force: true });

    test("is said to be, by the server's log and every command; readers are answered, and with space again all goes on", async () => {
      await within(postgres.urlOf("postgres"), "CREATE DATABASE docent");
      const { place, ask } = await openPlace(postgres.urlOf("docent"));
      const server = await place.serve();
      expect((await ask(server.url))[0]).toBe(200);

      fill();
      writePages(place, 400, "lion");
      const ingested = await place.run("ingest", "acme", "docs");
      expect(ingested.code).toBe(1);
      expect(ingested.err).toMatch(/free some space there/);
      expect(ingested.err).not.toMatch(/^\s+at /m);
      // What needs no room may still be written; sooner or later there is none.
      const readiness = async () => (await fetch(`${server.url}/health/ready`)).json();
      await until(async () => {
        expect((await ask(server.url))[0]).toBe(200);
        return server.err().includes("answers are not stored");
      });
      expect(await readiness()).toEqual({ status: "ok", unstored: true });
      expect(server.err()).toContain("free some space there");
      expect(JSON.parse((await place.run("sites", "list", "--json")).out)).toMatchObject([{ pages: 3 }]);

      empty();
      await until(async () => {
        expect((await ask(server.url))[0]).toBe(200);
        return (await readiness()).unstored === undefined;
      });
      const again = await place.run("ingest", "acme", "docs");
      expect([again.code, again.err]).toEqual([0, expect.anything()]);
      expect(server.child.exitCode).toBeNull();
      await place.dispose();
    });
  },
);
