import { Database } from "bun:sqlite";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { cpSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { AppError } from "../../../src/kernel/errors.ts";
import { installBundleHere, makeBundleHere, recoverHere } from "../../../src/running/app/bundle.ts";
import { checkInstalled, restoreBackup } from "../../../src/running/app/data-directory.ts";
import { moveEverything } from "../../../src/running/app/move.ts";
import { openParts } from "../../../src/running/app.ts";
import { openBundle, readBase } from "../../../src/running/bundle/bundle.ts";
import { NO_OLLAMA, testSurroundings } from "../../helpers/docent.ts";
import { startFakeModelStore } from "../../helpers/fake-model-store.ts";
import { canMount, mounts } from "../../helpers/mounts.ts";
import { isShared } from "../../helpers/shared-database.ts";
import { temporaryDirectory } from "../../helpers/temporary-directory.ts";
import { bytesWithoutPattern, contentOf, never, write, writeModel } from "./bundle-under-test.ts";

let folder: ReturnType<typeof temporaryDirectory>;
const at = (...names: string[]) => join(folder.path, ...names);
/** Two machines are two data directories: `here` makes bundles, and `there` installs them. */
const here = () => testSurroundings(at("here"));
const there = (ollama = NO_OLLAMA, data = at("there/data")) => testSurroundings(data, { ollama });

async function addSite(data: string, domain: string): Promise<void> {
  const parts = await openParts(testSurroundings(data));
  await parts.people.sites.add({ domain });
  await parts.close();
}

/** Rows that stay as they are, on so many pages that some cuts lie among them, whatever is written elsewhere. */
function addRowsThatStay(data: string): void {
  const database = new Database(join(data, "docent.db"));
  const insert = database.query("INSERT INTO segment_rows (bytes) VALUES (?)");
  database.transaction(() => {
    for (let row = 0; row < 500; row++) insert.run(bytesWithoutPattern(1000, `row ${row}`));
  })();
  database.close(true);
}

function sitesOf(data: string): string[] {
  const database = new Database(join(data, "docent.db"), { readonly: true });
  const sites = database.query<{ domain: string }, []>("SELECT domain FROM sites ORDER BY domain").all();
  database.close(true);
  return sites.map(({ domain }) => domain);
}

/** A bundle of the site that is here now. */
async function make(name: string, program: string, since?: string): Promise<string> {
  write(at("program"), program);
  mkdirSync(at("temporary"), { recursive: true });
  const parts = await openParts(here());
  await makeBundleHere(here(), async () => parts, at(name), {
    docent: "0.1.0 (test)",
    binary: { file: at("program"), bytes: program.length, platform: undefined },
    withDatabase: true,
    models: { folder: at("models"), names: ["tiny"] },
    texts: { LICENSE: "as you like", "docs/index.md": "# Docs\n" },
    since: since === undefined ? undefined : await readBase(at(since)),
    privateKey: undefined,
    temporaryFolder: at("temporary"),
    signal: never,
  });
  await parts.close();
  rmSync(at("temporary"), { recursive: true });
  return at(name);
}

interface Ways {
  ollama?: string;
  modelsFolder?: string | undefined;
  binary?: string;
  signal?: AbortSignal;
  data?: string;
  takesOlder?: boolean;
}

async function install(name: string, ways: Ways = {}): Promise<string[]> {
  const steps: string[] = [];
  await installKeeping(name, { ...ways, onStep: (says) => steps.push(says) });
  return steps;
}

async function installKeeping(name: string, ways: Ways & { onStep?: (says: string) => void } = {}) {
  const bundle = await openBundle(at(name));
  await bundle.check(never);
  return installBundleHere(there(ways.ollama, ways.data), bundle, {
    binary: ways.binary ?? at("there/bin/docent"),
    keepsDatabase: false,
    modelsFolder: "modelsFolder" in ways ? ways.modelsFolder : at("there/models"),
    signedBy: undefined,
    takesOlder: ways.takesOlder ?? false,
    signal: ways.signal ?? never,
    onStep: ways.onStep ?? (() => {}),
  });
}

beforeAll(async () => {
  folder = temporaryDirectory();
  writeModel(at("models"), "tiny");
  await addSite(at("here"), "first");
  addRowsThatStay(at("here"));
  await make("one", "program one");
  await addSite(at("here"), "second");
  writeModel(at("models"), "tiny", bytesWithoutPattern(1_100_000, "newer weights"));
  await make("two", "program two", "one");
  await make("three", "program three");
});
afterAll(() => folder[Symbol.dispose]());
beforeEach(() => rmSync(at("there"), { recursive: true, force: true }));

describe.skipIf(isShared)("installing a bundle", () => {
  test("brings an empty machine all of it, and an upgrade what has changed", async () => {
    await install("one");
    expect(sitesOf(at("there/data"))).toEqual(["first"]);
    expect(readFileSync(at("there/bin/docent"), "utf8")).toBe("program one");
    await install("two");
    expect(sitesOf(at("there/data"))).toEqual(["first", "second"]);
    expect(readFileSync(at("there/bin/docent"), "utf8")).toBe("program two");
    expect(readFileSync(at("there/bin/docent.previous"), "utf8")).toBe("program one");
    const { manifest } = await openBundle(at("two"));
    expect(manifest.files.some(({ path, isCarried }) => path.startsWith("database/") && !isCarried)).toBe(
      true,
    );
    for (const { path } of manifest.files.filter(({ path }) => path.startsWith("models/")))
      expect(contentOf(at("there"))).toHaveProperty([path]);
    // The database that was there is kept, as by every restore.
    expect(Object.keys(contentOf(at("there/data/backups")))).toHaveLength(1);
  });

  test("upgrades through Ollama's own API where the model is that of the bundle before", async () => {
    await make("same", "program same", "three");
    const { manifest } = await openBundle(at("same"));
    expect(manifest.files.some(({ path, isCarried }) => path.startsWith("models/") && !isCarried)).toBe(true);
    await using store = startFakeModelStore();
    const ways = { ollama: store.url, modelsFolder: undefined };
    await install("three", ways);
    const models = new Map(store.models);
    await install("same", ways);
    expect(new Map(store.models)).toEqual(models);
    expect(models.get("tiny")).toMatchObject({ template: "{{ .Prompt }}", parameters: { temperature: 0.2 } });
    expect(readFileSync(at("there/bin/docent"), "utf8")).toBe("program same");
  });

  test("is refused where what it builds on is not there, and nothing is touched", async () => {
    await addSite(at("there/data"), "own");
    const before = contentOf(at("there"));
    await expect(install("two")).rejects.toMatchObject({
      code: "conflict",
      message: expect.stringContaining("What this bundle builds on is not here"),
    });
    expect(contentOf(at("there"))).toEqual(before);
  });

  test("is refused where it builds on another than the last one here, and both are named", async () => {
    await make("four", "program four", "three");
    await install("one");
    const [base, here] = await Promise.all([openBundle(at("three")), openBundle(at("one"))]);
    const refused = await install("four").catch((error: AppError) => error.hint);
    expect(refused).toContain(`Install ${base.id.slice(0, 12)} first`);
    expect(refused).toContain(`${here.id.slice(0, 12)}, made ${here.manifest.madeAt}`);
  });

  test("is refused where it is older than the last one here, unless that is meant", async () => {
    await install("one");
    await install("two");
    const before = contentOf(at("there"));
    const [old, last] = await Promise.all([openBundle(at("one")), openBundle(at("two"))]);
    await expect(install("one")).rejects.toMatchObject({
      code: "conflict",
      message: `This bundle is older than the one that was installed here last: it was made ${old.manifest.madeAt}, and that one ${last.manifest.madeAt}.`,
      hint: expect.stringContaining("--older"),
    });
    expect(contentOf(at("there"))).toEqual(before);
    expect(await install("one", { takesOlder: true })).toContainEqual(expect.stringContaining("is older"));
    expect(sitesOf(at("there/data"))).toEqual(["first"]);
  });

  test("says where it was installed before, and where what it replaced is kept", async () => {
    expect(await installKeeping("one")).toEqual({
      recovered: "nothing",
      database: undefined,
      binary: undefined,
    });
    const steps = await install("one");
    expect(steps[0]).toBe("This bundle was installed here last, and is installed again");
    const kept = await installKeeping("two");
    expect(kept.binary).toBe(at("there/bin/docent.previous"));
    expect(sitesOf(at("there/data"))).toEqual(["first", "second"]);
    const database = new Database(kept.database ?? "", { readonly: true });
    expect(database.query("SELECT domain FROM sites").all()).toEqual([{ domain: "first" }]);
    database.close(true);
  });

  test("puts the program where everyone may run it, also in a folder that it makes", async () => {
    const mask = process.umask(0o077);
    try {
      await install("one", { binary: at("there/opt/docent/bin/docent") });
    } finally {
      process.umask(mask);
    }
    for (const path of ["opt", "opt/docent", "opt/docent/bin", "opt/docent/bin/docent"])
      expect([path, statSync(at("there", path)).mode & 0o777]).toEqual([path, 0o755]);
  });

  test("is refused where the last one's database was changed", async () => {
    await install("one");
    const file = at("there/data/bundle/current/database.db");
    writeFileSync(file, Buffer.from(readFileSync(file)).fill(1));
    const before = contentOf(at("there"));
    await expect(install("two")).rejects.toThrow("has changed");
    expect(contentOf(at("there"))).toEqual(before);
  });

  test("pushes models to Ollama, and makes them under their names", async () => {
    await using store = startFakeModelStore();
    await install("one", { ollama: store.url, modelsFolder: undefined });
    expect([...store.models.keys()]).toEqual(["tiny"]);
    expect(store.models.get("tiny")).toMatchObject({
      template: "{{ .Prompt }}",
      parameters: { temperature: 0.2 },
      files: { "model-0.gguf": expect.stringMatching(/^sha256:/) },
    });
    const pushed = store.blobs.size;
    await install("three", { ollama: store.url, modelsFolder: undefined });
    expect([...store.models.keys()]).toEqual(["tiny"]);
    expect(store.blobs.size).toBe(pushed + 1);
  });
});

describe.skipIf(isShared)("an installation that fails leaves everything exactly as it was", () => {
  let before: Record<string, string>;
  beforeEach(async () => {
    await install("one");
    before = contentOf(at("there"));
  });
  const expectAsBefore = () => expect(contentOf(at("there"))).toEqual(before);

  test.each(["POST /api/blobs", "POST /api/create", "POST /api/copy"])(
    "where Ollama refuses %s",
    async (what) => {
      await using store = startFakeModelStore();
      await install("three", { ollama: store.url, modelsFolder: undefined });
      rmSync(at("there"), { recursive: true, force: true });
      await install("one", { ollama: store.url, modelsFolder: undefined });
      before = contentOf(at("there"));
      const models = new Map(store.models);
      if (what === "POST /api/blobs") store.blobs.clear();
      store.refuse(what);
      await expect(install("three", { ollama: store.url, modelsFolder: undefined })).rejects.toThrow(
        "no space left on device",
      );
      expectAsBefore();
      expect(new Map(store.models)).toEqual(models);
    },
  );

  test("where the program cannot be put in its place, after the database was replaced", async () => {
    write(at("there/file"), "");
    before = contentOf(at("there"));
    await expect(install("three", { binary: at("there/file/docent") })).rejects.toThrow();
    expectAsBefore();
    expect(sitesOf(at("there/data"))).toEqual(["first"]);
  });

  test.if(canMount())("where the program's disk is full, which is said with what to do", async () => {
    const disk = at("small");
    mkdirSync(disk, { recursive: true });
    expect(mounts("mount", "-t", "tmpfs", "-o", "size=4k", "tmpfs", disk)).toBe(true);
    try {
      writeFileSync(join(disk, "other"), "x".repeat(100));
      await expect(install("three", { binary: join(disk, "docent") })).rejects.toMatchObject({
        code: "unavailable",
        message: expect.stringContaining("could not be written to the disk: ENOSPC"),
        hint: expect.stringContaining("--to"),
      });
      expectAsBefore();
    } finally {
      mounts("umount", "--lazy", disk);
      rmSync(disk, { recursive: true });
    }
  });

  test("where the person says to stop", async () => {
    const signal = AbortSignal.abort(new DOMException("stop", "AbortError"));
    await expect(install("three", { signal })).rejects.toThrow("stop");
    expectAsBefore();
  });

  test.if(canMount())("where the disk is full", async () => {
    const disk = at("disk");
    mkdirSync(disk, { recursive: true });
    // From room for the data directory as it is and a little more, to enough.
    const files = Object.keys(contentOf(at("there/data")));
    const usedBytes = files.reduce((sum, name) => sum + statSync(join(at("there/data"), name)).size, 0);
    let failures = 0;
    for (let kilobytes = Math.ceil(usedBytes / 1024) + 200; ; kilobytes += 300) {
      expect(mounts("mount", "-t", "tmpfs", "-o", `size=${kilobytes}k`, "tmpfs", disk)).toBe(true);
      try {
        cpSync(at("there/data"), join(disk, "data"), { recursive: true });
        const was = contentOf(join(disk, "data"));
        const failed = await install("three", { data: join(disk, "data") }).then(
          () => "installed",
          (error: unknown) => String(error),
        );
        if (failed === "installed") break;
        failures++;
        // A backup that was not finished is removed when the database is opened next.
        const { backups: _, ...now } = Object.groupBy(
          Object.entries(contentOf(join(disk, "data"))),
          ([name]) => (/^backups.*\.partial$/.test(name) ? "backups" : "files"),
        );
        expect([kilobytes, Object.fromEntries(now.files ?? [])]).toEqual([kilobytes, was]);
        expectAsBefore();
      } finally {
        mounts("umount", "--lazy", disk);
      }
    }
    expect(failures).toBeGreaterThan(5);
  });

  // In the order in which they come; the last is after everything counts.
  test.each([
    ["Putting the database together", "nothing"],
    ["Adding the model", "taken back"],
    ["Replacing the database", "taken back"],
    ["Replacing the program", "taken back"],
    ["done", "finished"],
  ])("where it is killed at: %s", async (step, recovered) => {
    const child = Bun.spawn(
      [process.execPath, join(import.meta.dir, "die.ts"), at("three"), at("there"), step],
      { stdout: "pipe", stderr: "pipe" },
    );
    await child.exited;
    expect([child.signalCode, await new Response(child.stderr).text()]).toEqual(["SIGKILL", ""]);
    if (recovered !== "nothing") {
      expect(() => checkInstalled({ data: at("there/data") })).toThrow("broken off");
      await expect(openParts(there())).rejects.toMatchObject({ code: "conflict" });
      // Settling the installation would put the older database in the place of what these bring.
      const { "docent.db": database } = contentOf(at("there/data"));
      expect(() => restoreBackup(there(), at("here/docent.db"))).toThrow("broken off");
      await expect(
        moveEverything(there(), "postgres://127.0.0.1:1/docent", { signal: never }),
      ).rejects.toThrow("broken off");
      expect(contentOf(at("there/data"))["docent.db"]).toBe(database);
    }
    const options = { modelsFolder: at("there/models"), signal: never };
    expect(await recoverHere(there(), options)).toBe(recovered as "nothing");
    if (recovered === "finished") {
      expect(readFileSync(at("there/bin/docent"), "utf8")).toBe("program three");
      expect(sitesOf(at("there/data"))).toEqual(["first", "second"]);
      return;
    }
    rmSync(at("there/data/bundle/staged"), { recursive: true, force: true });
    expectAsBefore();
    expect(await install("three")).toContain("Replacing the database");
    expect(sitesOf(at("there/data"))).toEqual(["first", "second"]);
  });

  test("where it is killed when a model was pushed to Ollama", async () => {
    await using store = startFakeModelStore();
    const ollama = store.url;
    await install("one", { ollama, modelsFolder: undefined });
    before = contentOf(at("there"));
    const models = new Map(store.models);
    const words = [at("three"), at("there"), "Replacing the program", ollama];
    const child = Bun.spawn([process.execPath, join(import.meta.dir, "die.ts"), ...words]);
    await child.exited;
    expect(child.signalCode).toBe("SIGKILL");
    expect(store.models.size).toBe(2);
    // Whoever names a folder by mistake is told so, and nothing is forgotten.
    await expect(
      recoverHere(there(ollama), { modelsFolder: at("there/models"), signal: never }),
    ).rejects.toMatchObject({
      code: "conflict",
      message: expect.stringContaining("tiny was pushed to Ollama"),
    });
    expect(() => checkInstalled({ data: at("there/data") })).toThrow("broken off");
    expect(await recoverHere(there(ollama), { modelsFolder: undefined, signal: never })).toBe("taken back");
    expectAsBefore();
    expect(new Map(store.models)).toEqual(models);
  });
});
