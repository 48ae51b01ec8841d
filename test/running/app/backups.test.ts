import { describe, expect, test } from "bun:test";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openParts } from "../../../src/running/app.ts";
import { makeBackups } from "../../../src/running/upkeep/backups.ts";
import { openScheduledBackups } from "../../../src/running/upkeep/open-backups.ts";
import { databaseOf } from "../../helpers/database-of.ts";
import { startDocent, testSurroundings } from "../../helpers/docent.ts";
import { otherWriter } from "../../helpers/other-writer.ts";
import { runInProcess } from "../../helpers/run-in-process.ts";
import { isShared } from "../../helpers/shared-database.ts";
import { temporaryDirectory } from "../../helpers/temporary-directory.ts";
import { testLog } from "../../helpers/test-log.ts";
import { until } from "../../helpers/until.ts";

describe.skipIf(isShared)("a server's own backups", () => {
  test("are made as it starts, kept in the audit log, and shown to its owners", async () => {
    const docent = await startDocent({ settings: { backup_every_hours: "24" } });
    try {
      const folder = join(docent.data, "backups");
      const { backups, people } = docent.app.parts;
      const taken = async () => {
        const period = { from: 0, to: Number.MAX_SAFE_INTEGER };
        const part = await people.audit.list(
          period,
          { kinds: ["backup.taken"] },
          { limit: 5 },
          new AbortController().signal,
        );
        return part.entries;
      };
      await until(async () => (await taken()).length > 0);
      const file = backups.overview()?.good?.file ?? "";
      expect(readdirSync(folder).sort()).toEqual([file.slice(folder.length + 1), "scheduled.json"]);
      expect(await taken()).toMatchObject([{ actor: { kind: "server" }, subject: { name: file } }]);
      expect(docent.logged.join("")).toContain("a scheduled backup was made and checked");

      const key = await people.adminKeys.create({
        name: "watch",
        organizationId: undefined,
        mayWrite: false,
      });
      const reply = await fetch(`${docent.url}/v1/admin/server`, {
        headers: { authorization: `Bearer ${key.text}` },
      });
      expect(await reply.json()).toMatchObject({
        backups: { everyHours: 24, folder, isOverdue: false, newest: { file }, failure: null },
      });
      const environment = { DOCENT_DATA: docent.data, DOCENT_BACKUP_EVERY_HOURS: "24" };
      const { id } = await people.sites.get("acme");
      const { pages } = await docent.app.parts.content.pages.countPages(id);
      const checked = await runInProcess(["backup", "verify", file, "--json"], { environment });
      expect([checked.code, JSON.parse(checked.out)]).toEqual([
        0,
        expect.objectContaining({ sites: 1, pages }),
      ]);
      const doctor = await runInProcess(["doctor", "--json"], { environment });
      expect(JSON.parse(doctor.out)).toContainEqual({
        what: "scheduled backups",
        state: "ok",
        says: expect.stringContaining(file),
      });
      // As a person runs it beside a server that has its schedule from its flags.
      const beside = await runInProcess(["doctor", "--json"], { environment: { DOCENT_DATA: docent.data } });
      expect(JSON.parse(beside.out)).toContainEqual({
        what: "scheduled backups",
        state: "ok",
        says: expect.stringContaining(`a server has made some; the newest was ${file}`),
        hint: expect.stringContaining("DOCENT_BACKUP_EVERY_HOURS"),
      });
    } finally {
      await docent.close();
    }
  });

  test("that fail are logged, and doctor and the server's owners are told why", async () => {
    using place = temporaryDirectory();
    const folder = join(place.path, "in-the-way");
    writeFileSync(folder, "");
    const docent = await startDocent({ settings: { backup_every_hours: "24", backup_folder: folder } });
    try {
      const says = `The folder ${folder} cannot be written.`;
      await until(() => docent.logged.join("").includes(says));
      const key = await docent.app.parts.people.adminKeys.create({
        name: "watch",
        organizationId: undefined,
        mayWrite: false,
      });
      const reply = await fetch(`${docent.url}/v1/admin/server`, {
        headers: { authorization: `Bearer ${key.text}` },
      });
      expect(await reply.json()).toMatchObject({ backups: { newest: null, failure: { says } } });
      const doctor = await runInProcess(["doctor", "--json"], {
        environment: {
          DOCENT_DATA: docent.data,
          DOCENT_BACKUP_EVERY_HOURS: "24",
          DOCENT_BACKUP_FOLDER: folder,
        },
      });
      expect(doctor.code).toBe(1);
      expect(JSON.parse(doctor.out)).toContainEqual({
        what: "scheduled backups",
        state: "fail",
        says: expect.stringContaining(says),
        hint: expect.stringContaining("backup_folder"),
      });
      const beside = await runInProcess(["doctor", "--json"], { environment: { DOCENT_DATA: docent.data } });
      expect(JSON.parse(beside.out)).toContainEqual(
        expect.objectContaining({ state: "warn", says: expect.stringContaining(`since then: ${says}`) }),
      );
    } finally {
      await docent.close();
    }
  });

  test("that are made while nothing can be stored count as made, and are in the audit log afterwards, once", async () => {
    using place = temporaryDirectory();
    const surroundings = testSurroundings(place.path, { settings: { backup_every_hours: "24" } });
    const parts = await openParts(surroundings, { locked: true });
    const writer = otherWriter(place.path, databaseOf({ parts }));
    writer.begin();
    let refused = 0;
    let kept = 0;
    const audit = {
      async record(...given: Parameters<typeof parts.people.audit.record>) {
        await parts.people.audit.record(...given).catch((error) => {
          refused += 1;
          throw error;
        });
        kept += 1;
      },
    };
    const { log, lines } = testLog();
    const upkeep = makeBackups({ backups: parts.backups, people: { audit }, lookMs: 1 }, log);
    await until(() => refused >= 3);
    writer.end();
    await until(() => kept > 0);
    await upkeep.close();
    const period = { from: 0, to: Number.MAX_SAFE_INTEGER };
    const { entries } = await parts.people.audit.list(period, {}, { limit: 5 }, new AbortController().signal);
    const file = parts.backups.overview()?.good?.file;
    expect(entries).toMatchObject([{ kind: "backup.taken", subject: { name: file } }]);
    expect(lines).toMatchObject([
      { event: "a scheduled backup was made and checked", file },
      { level: "warn", event: "a scheduled backup is not in the audit log yet", file },
    ]);
    await parts.close();
  });

  test("a time of day that is none is said at once", async () => {
    const { code, err } = await runInProcess(["sites", "add", "acme", "--json"], {
      environment: { DOCENT_DATA: temporaryDirectory().path, DOCENT_BACKUP_AT: "noon" },
    });
    expect([code, JSON.parse(err).error]).toEqual([
      1,
      expect.stringContaining("backup_at must be a time of day"),
    ]);
  });
});

describe("of PostgreSQL", () => {
  test("none are made, and the operator is told what to use", async () => {
    using place = temporaryDirectory();
    const surroundings = testSurroundings(place.path);
    const config = {
      ...surroundings.config,
      database_url: "postgres://there/docent",
      backup_every_hours: 24,
    };
    const asked: string[] = [];
    const storage = { backUp: async (file: string) => void asked.push(file) };
    const backups = openScheduledBackups({ ...surroundings, config }, storage);
    const { log, lines } = testLog();
    const audit = { record: async () => {} };
    await makeBackups({ backups, people: { audit } }, log).close();
    expect([asked, lines, backups.overview()]).toEqual([[], [], undefined]);
    const { backupFindings } = await import("../../../src/cli/commands/doctor/backups.ts");
    expect(backupFindings({ backups }, config)).toMatchObject([
      { state: "warn", hint: expect.stringContaining("pg_dump") },
    ]);
    expect(backupFindings({ backups }, { ...config, backup_every_hours: 0 })).toEqual([]);
  });
});
