import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { createIds, systemRandomBytes } from "../../src/kernel/lib/ids.ts";
import { createSeal } from "../../src/kernel/lib/seal/seal.ts";
import { openVouchers } from "../../src/people/identity/identity.ts";
import { CONNECTOR_KINDS } from "../../src/reading/connectors/connectors.ts";
import { listEgress } from "../../src/running/app/egress.ts";
import { type AdminDoorUnderTest, startAdminDoor } from "../helpers/admin-door.ts";
import { testSurroundings } from "../helpers/docent.ts";
import { fileFor, yamlFor } from "../helpers/lying-provider.ts";
import { memoryOnce } from "../helpers/memory-once.ts";
import { temporaryDirectory } from "../helpers/temporary-directory.ts";

const SOURCES = "/sites/acme/sources";
const SEALED = "off while Docent is sealed (the setting sealed)";

let folder: ReturnType<typeof temporaryDirectory>;
let door: AdminDoorUnderTest;
let settings: Record<string, string>;
let siteId: number;
beforeAll(async () => {
  folder = temporaryDirectory();
  const signIn = join(folder.path, "sign-in.yml");
  writeFileSync(signIn, yamlFor("https://id.example.com"));
  settings = {
    sealed: "on",
    source_roots: `*=${folder.path}`,
    hand_over_hosts: "hooks.example.com",
    mail_server: "smtp://docs%40acme.example:secret@mail.example.com:587",
    sign_in_file: signIn,
  };
  door = await startAdminDoor({ settings });
  siteId = (await door.app.parts.people.sites.get("acme")).id;
});
afterAll(async () => {
  await door.close();
  folder[Symbol.dispose]();
});

/** Notes a source as a server that is not sealed would have. */
const noted = (location: string) =>
  door.app.parts.storage.content.sources.open(
    { siteId, kind: "website", location, version: "", language: "" },
    Date.parse("2026-01-01"),
  );

describe("in a sealed server", () => {
  test.each([
    ["https://docs.example.com", undefined],
    ["https://docs.example.com/llms.txt", undefined],
    ["https://docs.example.com/openapi.json", undefined],
    ["https://git.example.com/docs.git", undefined],
    ...CONNECTOR_KINDS.map((kind) => ["https://wiki.example.com/a/b", kind] as const),
  ])("%s cannot be added, and why is said", async (place, kind) => {
    const refused = await door.expectStatus(403, "POST", SOURCES, { body: { place, kind } });
    expect(JSON.stringify(refused)).toContain(SEALED);
  });

  test("a folder can be added, read and searched", async () => {
    writeFileSync(join(folder.path, "here.md"), "# Gaskets\n\nA gasket is replaced with a spanner.\n");
    const added = await door.expectStatus(201, "POST", SOURCES, { body: { place: folder.path } });
    expect(added).toMatchObject({ kind: "folder", notRead: null });
    const { sources } = door.app.parts;
    const site = await door.app.parts.people.sites.get("acme");
    const source = await sources.ofSites.get(siteId, Number(added["number"]));
    const report = await sources.ofSites.run(site, source, {
      checksAddresses: true,
      signal: new AbortController().signal,
    });
    expect(report.added).toBe(1);
  });

  test("a source that was there before is not read, is never due, and says why", async () => {
    const { ofSites } = door.app.parts.sources;
    const { id } = await noted("https://docs.example.com/handbook");
    await door.app.parts.storage.content.sources.change(id, { everyMs: 60_000, nextRunAt: 1 });
    const shown = await door.expectStatus(200, "GET", `${SOURCES}/${id}`);
    expect(shown).toMatchObject({ notRead: expect.stringContaining(SEALED), lastRun: null });
    const refused = await door.ask("POST", `${SOURCES}/${id}/runs`);
    expect([refused.status, refused.text]).toEqual([403, expect.stringContaining(SEALED)]);
    const due = await door.app.parts.storage.content.sources.due(Date.now(), () => true);
    expect(due.map((each) => each.id)).toContain(id);
    expect((await ofSites.due()).map((each) => each.id)).not.toContain(id);
  });

  test("no conversation can be handed over, and why is said", async () => {
    for (const handOver of ["https://hooks.example.com/x", "support@acme.example"]) {
      const reply = await door.ask("PATCH", "/sites/acme", { body: { settings: { handOver } } });
      expect([reply.status, reply.text]).toEqual([400, expect.stringContaining(SEALED)]);
    }
  });

  test("no notice is sent, a sample says why, and what would be told can be fetched", async () => {
    const { parts } = door.app;
    // It was added before the server was sealed.
    const added = {
      id: "before",
      organizationId: undefined,
      name: "ops",
      channel: "chat",
      address: "https://hooks.example.com/x",
      secret: undefined,
      kinds: ["source-failing"],
      createdAt: 1,
    } as const;
    expect(await parts.storage.people.notices.addDestination(added, 20)).toBe(true);
    const [listed] = z
      .array(z.object({ fault: z.string() }))
      .parse((await door.ask("GET", "/notices", { as: "server" })).body);
    expect(listed?.fault).toContain(SEALED);
    const tried = await door.expectStatus(200, "POST", "/notices/before/try", { as: "server" });
    expect(tried).toEqual({ sent: false, says: expect.stringContaining(SEALED) });
    for (const [channel, address] of [
      ["webhook", "https://hooks.example.com/y"],
      ["mail", "ops@acme.example"],
    ]) {
      const body = { name: "more", channel, address, kinds: ["source-failing"], server: true };
      const refused = await door.ask("POST", "/notices", { as: "server", body });
      expect([refused.status, refused.text]).toEqual([400, expect.stringContaining(SEALED)]);
    }
    await expect(
      parts.notices.add({ ...added, address: "https://hooks.example.com/z" }),
    ).rejects.toMatchObject({ hint: expect.stringContaining("docent notices now") });

    const empty = join(folder.path, "empty");
    mkdirSync(empty);
    const { number } = await door.expectStatus(201, "POST", SOURCES, { body: { place: empty } });
    const site = await parts.people.sites.get("acme");
    const source = await parts.sources.ofSites.get(siteId, Number(number));
    const run = parts.sources.ofSites.run(site, source, { signal: new AbortController().signal });
    await expect(run).rejects.toThrow();
    const now = await door.expectStatus(200, "GET", "/wrong-now");
    expect(now).toMatchObject({
      sealed: true,
      wrong: [{ kind: "source-failing", site: { domain: "acme" }, text: expect.stringContaining("empty") }],
    });
  });

  test("the server says that it is, and which bundle was installed last", async () => {
    const state = () => door.expectStatus(200, "GET", "/server", { as: "serverRead" });
    expect(await state()).toMatchObject({
      sealed: { byKernel: false, says: expect.stringContaining("kernel") },
      bundle: null,
    });
    const current = join(door.data, "bundle/current");
    mkdirSync(current, { recursive: true });
    const madeAt = "2026-01-01T00:00:00.000Z";
    const made = {
      docent: "0.1.0 (test)",
      platform: null,
      since: null,
      files: [],
      database: null,
      models: [],
    };
    writeFileSync(join(current, "manifest.json"), JSON.stringify({ format: 1, madeAt, ...made }));
    const signedBy = "ab".repeat(32);
    expect((await state())["bundle"]).toMatchObject({ madeAt, docent: made.docent, signedBy: null });
    writeFileSync(join(current, "signed-by.txt"), `${signedBy}\n`);
    expect((await state())["bundle"]).toMatchObject({ madeAt, signedBy });
    writeFileSync(join(current, "manifest.json"), "{}");
    expect((await state())["bundle"]).toBeNull();
  });

  test("no provider signs anybody in, and the log says so", async () => {
    const logged = door.logged.filter((line) => line.includes("providers of sign_in_file"));
    expect(logged).toHaveLength(1);
    const surroundings = testSurroundings(door.data);
    const { providers } = await openVouchers({
      file: fileFor("https://id.example.com"),
      seal: createSeal([]),
      secret: "secret",
      certificateAuthorities: [],
      once: memoryOnce(),
      clock: surroundings.clock,
      ids: createIds(surroundings.clock, systemRandomBytes),
      log: surroundings.log,
    });
    expect(providers).toEqual([]);
  });

  test("nothing is moved to a database that the settings do not name", async () => {
    const { moveEverything } = await import("../../src/running/app/move.ts");
    const moved = moveEverything(
      testSurroundings(door.data, { settings }),
      "postgres://user:secret@elsewhere.example/docent",
      { signal: new AbortController().signal },
    );
    await expect(moved).rejects.toMatchObject({
      code: "forbidden",
      message: expect.stringContaining(SEALED),
    });
  });
});

test("what may be dialled is listed with what names it, and whether it is", async () => {
  const { parts } = door.app;
  const { id } = await noted("https://docs.example.com/listed");
  const published = { options: { published: "https://pages.example.com/docs/" } };
  await parts.storage.content.sources.change(id, published);
  await parts.people.sites.set("acme", {
    url: "https://docs.acme.example",
    jwksUrl: "https://keys.acme.example/set",
  });
  const more = {
    embedding_model: "nomic-embed-text",
    database_url: "postgres://user:secret@db.example.com/docent",
  };
  const listed = await listEgress(testSurroundings(door.data, { settings: { ...settings, ...more } }), parts);
  const short = listed.map(({ what, where, refused }) => `${what} ${where} ${refused === undefined}`);
  expect(short).toEqual(
    expect.arrayContaining([
      "Ollama 127.0.0.1:1 true",
      "vectors 127.0.0.1:1 true",
      "database db.example.com:5432 true",
      "webhook hooks.example.com false",
      "mail mail.example.com:587 false",
      "identity provider id.example.com false",
      "source https://docs.example.com/listed false",
      "published pages docs.acme.example false",
      "published pages pages.example.com false",
      "readers' keys keys.acme.example false",
    ]),
  );
  expect(JSON.stringify(listed)).not.toContain("secret@");
  const open = await listEgress(
    testSurroundings(door.data, { settings: { ...settings, sealed: "off" } }),
    parts,
  );
  expect(open.find(({ what }) => what === "webhook")?.refused).toBeUndefined();
});
