import { describe, expect, test } from "bun:test";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";
import { AppError } from "../../../src/kernel/errors.ts";
import { DAY_MS, HOUR_MS } from "../../../src/kernel/lib/clock.ts";
import { createBackups } from "../../../src/running/backups/backups.ts";
import { examineBackup } from "../../../src/storage/open-storage.ts";
import { fakeClock, TEST_TIME } from "../../helpers/fake-clock.ts";
import { appErrorOf } from "../../helpers/rejection.ts";
import { ORGANIZATION } from "../../helpers/site-data.ts";
import { openTestStorage } from "../../helpers/test-storage.ts";

const SETTINGS = { backup_every_hours: 24, backup_at: "", backup_keep: 2, backup_keep_days: 0 };
const NEVER = new AbortController().signal;

/** Backups of a real database, whose copies can be made to fail. */
async function opened(settings: Partial<typeof SETTINGS> = {}) {
  const storage = await openTestStorage();
  await storage.sites.addOrganization(ORGANIZATION);
  const { clock, advance } = fakeClock();
  const folder = join(storage.directory, "elsewhere");
  const stateFile = join(storage.directory, "backups", "scheduled.json");
  const faults: { write?: (file: string) => void; spoil?: (file: string) => void } = {};
  const open = () =>
    createBackups({
      settings: { ...SETTINGS, ...settings },
      folder,
      stateFile,
      async write(file) {
        faults.write?.(file);
        await storage.backUp(file);
        faults.spoil?.(file);
      },
      verify: async (file) => void examineBackup(file),
      clock,
    });
  return {
    storage,
    folder,
    stateFile,
    open,
    backups: open(),
    advance,
    faults,
    names: () => (existsSync(folder) ? readdirSync(folder).sort() : []),
    [Symbol.dispose]: () => storage[Symbol.dispose](),
  };
}

describe("scheduled backups", () => {
  test("one is made when it is due, is sound, and is known after a restart", async () => {
    using it = await opened();
    const made = await it.backups.makeIfDue(NEVER);
    expect(it.names()).toEqual(["scheduled-2026-01-02T03-04-05.000Z.db"]);
    expect(examineBackup(made?.file ?? "")).toMatchObject({ organizations: 1, isOlder: false });
    expect(await it.backups.makeIfDue(NEVER)).toBeUndefined();
    const after = it.open();
    expect(after.overview()).toMatchObject({
      good: { file: made?.file, at: TEST_TIME, bytes: made?.bytes },
      failure: undefined,
      nextAt: TEST_TIME + DAY_MS,
      isOverdue: false,
    });
    expect(await after.makeIfDue(NEVER)).toBeUndefined();
    it.advance(DAY_MS);
    expect(await after.makeIfDue(NEVER)).toBeDefined();
  });

  test("none is made where the folder has gone: its disk may not be mounted", async () => {
    using it = await opened();
    await it.backups.makeIfDue(NEVER);
    rmSync(it.folder, { recursive: true });
    it.advance(DAY_MS);
    const error = await appErrorOf(() => it.backups.makeIfDue(NEVER));
    expect(error.message).toBe(`The folder ${it.folder} is not there any more.`);
    expect(it.backups.overview()?.failure).toMatchObject({ says: error.message });
    expect(existsSync(it.folder)).toBe(false);
    mkdirSync(it.folder);
    it.advance(HOUR_MS);
    expect(await it.backups.makeIfDue(NEVER)).toBeDefined();
  });

  test("the oldest go when the new one is good", async () => {
    using it = await opened();
    for (let day = 0; day < 4; day++) {
      await it.backups.makeIfDue(NEVER);
      it.advance(DAY_MS);
    }
    expect(it.names()).toEqual([
      "scheduled-2026-01-04T03-04-05.000Z.db",
      "scheduled-2026-01-05T03-04-05.000Z.db",
    ]);
  });

  const FAULTS: [what: string, faults: Awaited<ReturnType<typeof opened>>["faults"], says: string][] = [
    [
      "cannot be written",
      {
        write() {
          throw new AppError("unavailable", "The disk is full.", { hint: "Make room." });
        },
      },
      "The disk is full.",
    ],
    [
      "is damaged on the disk",
      { spoil: (file) => truncateSync(file, 20_000) },
      "is not a sound Docent backup",
    ],
    ["is something else", { spoil: (file) => writeFileSync(file, "words") }, "is not a sound Docent backup"],
  ];
  for (const [what, faults, says] of FAULTS) {
    test(`one that ${what} does not count, removes none, and is tried again within the hour`, async () => {
      using it = await opened({ backup_keep: 1 });
      const good = await it.backups.makeIfDue(NEVER);
      it.advance(3 * DAY_MS);
      Object.assign(it.faults, faults);
      const error = await appErrorOf(() => it.backups.makeIfDue(NEVER));
      expect(error.message).toContain(says);
      expect(it.names()).toEqual([basename(good?.file ?? "")]);
      const overview = it.open().overview();
      expect(overview).toMatchObject({ good: { file: good?.file }, isOverdue: true });
      expect(overview?.failure?.says).toContain(says);
      expect(overview?.nextAt).toBe(TEST_TIME + 3 * DAY_MS + HOUR_MS);
      expect(await it.backups.makeIfDue(NEVER)).toBeUndefined();

      it.faults.write = it.faults.spoil = () => {};
      it.advance(HOUR_MS);
      expect(await it.backups.makeIfDue(NEVER)).toBeDefined();
      expect(it.backups.overview()).toMatchObject({ failure: undefined, isOverdue: false });
      expect(it.names()).toHaveLength(1);
    });
  }

  test("a folder that cannot be made is said, and a server that never had a backup is overdue in time", async () => {
    using it = await opened();
    writeFileSync(it.folder, "a file is in its place");
    const error = await appErrorOf(() => it.backups.makeIfDue(NEVER));
    expect([error.message, error.hint]).toEqual([
      `The folder ${it.folder} cannot be written.`,
      expect.stringContaining("backup_folder"),
    ]);
    expect(it.backups.overview()?.isOverdue).toBe(false);
    it.advance(3 * DAY_MS);
    await appErrorOf(() => it.backups.makeIfDue(NEVER));
    expect(it.backups.overview()?.isOverdue).toBe(true);
  });

  test("what a killed server left of one is removed by the next, and nothing else is", async () => {
    using it = await opened();
    mkdirSync(it.folder);
    const left = "scheduled-2026-01-01T00-00-00.000Z.db.unverified";
    for (const name of [
      left,
      `${left}.partial`,
      `${left}.partial-journal`,
      "mine.db.partial",
      "before-upgrade-1.db",
    ])
      writeFileSync(join(it.folder, name), "");
    await it.backups.makeIfDue(NEVER);
    expect(it.names()).toEqual([
      "before-upgrade-1.db",
      "mine.db.partial",
      "scheduled-2026-01-02T03-04-05.000Z.db",
    ]);
  });

  test("one that the end of the server cuts off is no failure", async () => {
    using it = await opened();
    const stop = new AbortController();
    it.faults.write = () => {
      stop.abort(new DOMException("The server stops", "AbortError"));
      throw new Error("ended");
    };
    expect(it.backups.makeIfDue(stop.signal)).rejects.toThrow("The server stops");
    expect(it.backups.overview()?.failure).toBeUndefined();
    expect(it.names()).toEqual([]);
  });

  test("a note of them that cannot be read is written anew", async () => {
    using it = await opened();
    mkdirSync(join(it.storage.directory, "backups"));
    for (const kept of ["", "{", '{"good": 3}', '{"good": {"file": "x"}, "failure": []}']) {
      writeFileSync(it.stateFile, kept);
      expect(it.backups.overview()).toMatchObject({ good: undefined, failure: undefined });
    }
    await it.backups.makeIfDue(NEVER);
    expect(JSON.parse(readFileSync(it.stateFile, "utf8"))).toMatchObject({ good: { at: TEST_TIME } });
  });

  test("none are made where the interval is 0", async () => {
    using it = await opened({ backup_every_hours: 0 });
    expect(it.backups.overview()).toBeUndefined();
    expect(await it.backups.makeIfDue(NEVER)).toBeUndefined();
    expect(it.names()).toEqual([]);
  });
});
