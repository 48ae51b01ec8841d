import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { cpSync, mkdirSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sourceJson } from "../../src/sites/ingest/json.ts";
import { type AdminDoorUnderTest, type KeyName, startAdminDoor } from "../helpers/admin-door.ts";
import { FIXTURE_DOCS } from "../helpers/docent.ts";
import { temporaryDirectory } from "../helpers/temporary-directory.ts";

const SOURCES = "/sites/acme/sources";

let folder: ReturnType<typeof temporaryDirectory>;
let door: AdminDoorUnderTest;
beforeAll(async () => {
  folder = temporaryDirectory();
  const at = (...names: string[]) => join(folder.path, ...names);
  mkdirSync(at("root", "team"), { recursive: true });
  for (const name of ["rootless", "rivals", "nobodys"]) mkdirSync(at(name));
  cpSync(FIXTURE_DOCS, at("root", "docs"), { recursive: true });
  cpSync(FIXTURE_DOCS, at("outside"), { recursive: true });
  writeFileSync(at("outside", "llms.txt"), "# Secret\n");
  symlinkSync(at("outside"), at("root", "way-out"));
  symlinkSync(at("root", "docs"), at("root", "way-in"));
  door = await startAdminDoor({
    settings: {
      source_roots: `default=${at("root")},default=${at("not-there")},other=${at("rivals")},${at("nobodys")}`,
      source_variables:
        "DOCS_TOKEN@docs.acme.example,GIT_TOKEN@git.acme.example:8443,GIT_SSH_TOKEN@git.acme.example",
    },
  });
});
afterAll(async () => {
  await door.close();
  folder[Symbol.dispose]();
});

const add = (status: number, body: object, as: KeyName = "own") =>
  door.expectStatus(status, "POST", SOURCES, { body, as });

/** Polls a run until it has ended. */
async function ended(location: string | null): Promise<Record<string, unknown>> {
  const path = String(location).replace("/v1/admin", "");
  for (;;) {
    const run = await door.expectStatus(200, "GET", path);
    if (run["state"] === "ended") return run;
    await Bun.sleep(5);
  }
}

async function run(number: unknown, body?: object): Promise<Record<string, unknown>> {
  const accepted = await door.ask("POST", `${SOURCES}/${number}/runs`, { body });
  expect(accepted.status).toBe(202);
  return ended(accepted.headers.get("location"));
}

describe("sources", () => {
  test("one is noted with its schedule, as the CLI shows it; once more, only its schedule changes", async () => {
    const body = { place: "https://docs.acme.example/guide", version: "2", everyMs: 3_600_000 };
    const added = await add(201, body);
    expect(added).toMatchObject({
      kind: "website",
      place: body.place,
      version: "2",
      language: "",
      authorization: null,
      everyMs: 3_600_000,
      nextRunAt: expect.any(String),
      lastRun: null,
    });
    const again = await add(200, { place: body.place, version: "2", everyMs: null });
    expect(again).toMatchObject({ number: added["number"], everyMs: null });
    const { parts } = door.app;
    const { ofSites } = parts.sources;
    const shown = (await ofSites.list((await parts.people.sites.get("acme")).id)).map((source) =>
      sourceJson(source, ofSites.whyNotRead),
    );
    expect((await door.ask("GET", SOURCES)).body).toEqual(JSON.parse(JSON.stringify(shown)));
  });

  test("a source is for the groups that are named, until they are named anew; none is everyone", async () => {
    const place = "https://docs.acme.example/for-some";
    const { number } = await add(201, { place, groups: ["ops", "admins"] });
    const change = (status: number, groups: unknown) =>
      door.expectStatus(status, "PATCH", `${SOURCES}/${number}`, { body: { groups } });
    expect(await add(200, { place, everyMs: 3_600_000 })).toMatchObject({ groups: ["ops", "admins"] });
    expect(await change(200, ["ops"])).toMatchObject({ groups: ["ops"], everyMs: 3_600_000 });
    for (const wrong of ["ops", [""], ["x".repeat(201)], Array.from({ length: 51 }, () => "x")])
      await change(400, wrong);
    expect(await change(200, [])).toMatchObject({ groups: [] });
  });

  test("what kinds of servers can be read is told to whoever may add one", async () => {
    const { servers } = await door.expectStatus(200, "GET", "/source-rules");
    expect(servers).toContainEqual({ kind: "mediawiki", name: "MediaWiki" });
  });

  test.each([
    [{ place: "https://docs.acme.example/llms.txt" }, "llms-txt"],
    [{ place: "https://wiki.acme.example/", kind: "mediawiki" }, "mediawiki"],
    [{ place: "https://api.acme.example/openapi.json" }, "openapi"],
    [{ place: "https://git.acme.example/docs.git", branch: "main", subfolder: "docs" }, "git"],
    [{ place: "https://git.acme.example/docs", kind: "git" }, "git"],
  ])("what is fetched may be named by any key that may write: %j", async (body, kind) => {
    expect(await add(201, body)).toMatchObject({ kind });
  });

  test.each([
    { place: "ftp://docs.acme.example" },
    { place: "file:///etc" },
    { place: "https://user:secret@docs.acme.example" },
    { place: "https://docs.acme.example", kind: "demo" },
    { place: "https://docs.acme.example/a.zip", kind: "archive" },
    { place: "https://docs.acme.example", kind: "folder" },
    { place: "ext::sh -c id", kind: "git" },
    { place: "https://docs.acme.example", branch: "main" },
    { place: "https://docs.acme.example", everyMs: 1000 },
    { place: "https://docs.acme.example", everyMs: 1e12 },
    { place: "https://docs.acme.example", authorization: "A=B" },
    { place: "https://docs.acme.example", siteId: 2 },
    { place: "https://docs.acme.example\n/x" },
    { place: "https://git.acme.example/docs.git", branch: "--upload-pack=x" },
    { place: "https://git.acme.example/docs.git", branch: "a..b" },
    { place: "https://git.acme.example/docs.git#a b" },
    { place: "https://git.acme.example/docs.git", subfolder: "../docs" },
    { place: "https://git.acme.example/docs.git", subfolder: "/docs" },
    { place: "https://git.acme.example/docs.git", subfolder: "docs\\en" },
    { place: "https://git.acme.example/docs.git#main:../.." },
    { place: "https://docs.acme.example/v", version: "2.0\n" },
    { place: "https://docs.acme.example/v", language: "\u0000" },
    { place: "https://docs.acme.example/v", version: "a\u2028b" },
    { place: "ssh://git@git.acme.example/v.git", authorization: "GIT_SSH_TOKEN" },
    { place: "" },
    {},
  ])("%j is refused, and nothing is noted", async (body) => {
    const before = (await door.ask("GET", SOURCES)).text;
    const reply = await door.ask("POST", SOURCES, { body, as: "server" });
    expect([400, 403]).toContain(reply.status);
    expect((await door.ask("GET", SOURCES)).text).toBe(before);
  });

  test("a source of another site is not there", async () => {
    await door.expectStatus(404, "GET", "/sites/rival/sources/1", { as: "server" });
    await door.expectStatus(404, "POST", "/sites/rival/sources/1/runs", { as: "server" });
    await door.expectStatus(404, "GET", "/sites/acme/sources/x");
    await door.expectStatus(404, "GET", "/sites/acme/sources/99999999999999999999");
  });
});

describe("places on this machine", () => {
  const inside = (...names: string[]) => join(folder.path, "root", ...names);

  test("a folder below a root is read, also by a way that leads there", async () => {
    const added = await add(201, { place: inside("way-in") });
    expect(added).toMatchObject({ kind: "folder", place: inside("docs") });
    expect(await run(added["number"])).toMatchObject({
      state: "ended",
      task: "read",
      outcome: "published",
      counts: { added: 4 },
      generation: 2,
      message: null,
    });
  });

  test("what lies elsewhere is refused for every key, whether it is there or not", async () => {
    const places = [
      "/etc",
      "/etc/passwd",
      "/nowhere/at/all",
      "/",
      "docs",
      ".",
      "~",
      "C:\\docs",
      "\\\\host\\share",
      join(folder.path, "outside"),
      join(folder.path, "rootless"),
      join(folder.path, "root2"),
      inside("..", "outside"),
      inside("way-out"),
      inside("way-out", "llms.txt"),
      inside("missing"),
      inside("way-out", "missing"),
      `${inside("docs")}/../../outside`,
      door.data,
    ];
    for (const place of places) {
      for (const kind of [undefined, "folder", "git", "openapi", "llms-txt", "archive"]) {
        for (const as of ["own", "server"] as const) {
          const reply = await door.ask("POST", SOURCES, { body: { place, ...(kind && { kind }) }, as });
          expect([place, kind, reply.status]).toEqual([place, kind, 403]);
          expect(reply.text).toContain("source_roots");
        }
      }
    }
  });

  test("a folder of another organization is refused, as one that is nobody's: for its own alone it is there", async () => {
    const theirs = { place: join(folder.path, "rivals") };
    for (const as of ["own", "server"] as const) {
      await add(403, theirs, as);
      await add(403, { place: join(folder.path, "nobodys") }, as);
    }
    const body = { ...theirs, kind: "folder" };
    expect(await door.expectStatus(201, "POST", "/sites/rival/sources", { body, as: "other" })).toMatchObject(
      {
        place: theirs.place,
      },
    );
    await door.expectStatus(403, "POST", "/sites/rival/sources", {
      body: { place: inside("docs") },
      as: "other",
    });
  });

  test("each organization is told its own folders", async () => {
    const folders = async (query: string, as: KeyName) =>
      (await door.expectStatus(200, "GET", `/source-rules${query}`, { as }))["folders"];
    const own = [join(folder.path, "root"), join(folder.path, "not-there")];
    const theirs = [join(folder.path, "rivals")];
    for (const query of ["", "?site=acme"]) expect(await folders(query, "own")).toEqual(own);
    expect(await folders("", "other")).toEqual(theirs);
    expect(await folders("", "server")).toEqual([...own, ...theirs]);
    expect(await folders("?site=rival", "server")).toEqual(theirs);
    await door.expectStatus(404, "GET", "/source-rules?site=rival");
    await door.expectStatus(404, "GET", "/source-rules?site=nowhere");
  });

  test("what is nobody's is said in the log when the server starts", () => {
    // The organization `other` came later.
    expect(door.logged.filter((line) => line.includes("belongs to no organization"))).toEqual([
      expect.stringContaining(`other=${join(folder.path, "rivals")}`),
    ]);
  });

  test("an address is no way to a file, whatever it is called", async () => {
    for (const place of ["git@host:/etc", "a@b:../../etc/passwd"])
      for (const kind of ["folder", "openapi", "archive", "llms-txt"])
        await add(403, { place, kind }, "server");
    await add(403, { place: "http:/etc/passwd", kind: "openapi" }, "server");
    await add(403, { place: `${inside("docs")}#x:../../outside`, kind: "git" }, "server");
  });

  test("a root that is replaced by a way out after it was added is not read any more", async () => {
    const added = await add(201, { place: inside("team") });
    renameSync(inside("team"), inside("team-before"));
    symlinkSync(join(folder.path, "outside"), inside("team"));
    const { message } = await door.expectStatus(403, "POST", `${SOURCES}/${added["number"]}/runs`);
    expect(String(message)).toContain("source_roots");
    const { people, sources } = door.app.parts;
    const site = await people.sites.get("acme");
    const source = await sources.ofSites.get(site.id, Number(added["number"]));
    const signal = new AbortController().signal;
    await expect(sources.ofSites.run(site, source, { signal })).rejects.toMatchObject({ code: "forbidden" });
  });

  test("a folder that the operator named is run by a key that may write, and stays the operator's", async () => {
    expect(await run(1)).toMatchObject({ outcome: "unchanged" });
    await add(403, { place: FIXTURE_DOCS, everyMs: 60_000 });
  });
});

describe("credentials", () => {
  const website = { place: "https://docs.acme.example/closed", authorization: "DOCS_TOKEN" };

  test("a key of an organization may name none, and not use the server's over ssh", async () => {
    await add(403, website);
    await add(403, { place: "ssh://git@git.acme.example/docs" });
    await add(403, { place: "git@git.acme.example:docs.git" });
  });

  test("a key of the server may name those that are allowed, for their host alone", async () => {
    expect(await add(201, website, "server")).toMatchObject({ authorization: "DOCS_TOKEN" });
    await add(201, { place: "ssh://git@git.acme.example/docs" }, "server");
    const git = { authorization: "GIT_TOKEN", kind: "git" };
    await add(201, { ...git, place: "https://git.acme.example:8443/closed" }, "server");
    for (const other of [
      { ...website, place: "https://evil.example/" },
      { ...website, place: "https://docs.acme.example.evil.example/" },
      { ...website, place: "https://docs.acme.example:8443/" },
      { ...website, authorization: "PATH" },
      { ...git, place: "https://git.acme.example/closed" },
      { place: join(folder.path, "root", "docs"), authorization: "DOCS_TOKEN" },
    ])
      await add(403, other, "server");
  });

  test("what a source signs in with is not changed by naming it once more", async () => {
    await add(201, { place: "https://docs.acme.example/plain" });
    await add(409, { place: "https://docs.acme.example/plain", authorization: "DOCS_TOKEN" }, "server");
    expect(await add(200, { place: website.place })).toMatchObject({ authorization: "DOCS_TOKEN" });
  });

  test("a run whose credential is not there is refused at once", async () => {
    const { number } = await add(200, website, "server");
    const { message } = await door.expectStatus(400, "POST", `${SOURCES}/${number}/runs`);
    expect(message).toBe("The environment variable DOCS_TOKEN is not set.");
  });
});

describe("runs", () => {
  test("one answers at once with where to look, and is on the list of the ledger afterwards", async () => {
    const accepted = await door.ask("POST", `${SOURCES}/1/runs`, { body: { force: true } });
    expect([accepted.status, accepted.body]).toMatchObject([202, { source: 1, outcome: null }]);
    const end = await ended(accepted.headers.get("location"));
    expect(end).toMatchObject({ state: "ended", outcome: "unchanged", finishedAt: expect.any(String) });
    const [latest] = JSON.parse((await door.ask("GET", `${SOURCES}/1/runs`)).text);
    expect(latest).toMatchObject({ outcome: "unchanged", counts: end["counts"] });
  });

  test("a source that is being read is not read twice, whoever reads it", async () => {
    const { people, sources, storage } = door.app.parts;
    const lease = await storage.content.ingest.lock(
      await sources.ofSites.get((await people.sites.get("acme")).id, 1),
    );
    try {
      await door.expectStatus(409, "POST", `${SOURCES}/1/runs`);
      await door.expectStatus(409, "DELETE", `${SOURCES}/1`, { body: { confirm: 1 } });
      await door.expectStatus(409, "POST", "/sites/acme/generations/rollback", { body: { number: 1 } });
    } finally {
      await lease.release();
    }
  });

  test("a private address is refused, and the run says so", async () => {
    using server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response("secret") });
    const { number } = await add(201, { place: `http://127.0.0.1:${server.port}/` });
    const end = await run(number);
    expect(end).toMatchObject({ outcome: "failed" });
    expect(JSON.stringify(end)).not.toContain("secret");
  });

  test("a run is seen at its own source and site alone", async () => {
    const accepted = await door.ask("POST", `${SOURCES}/1/runs`);
    const path = String(accepted.headers.get("location")).replace("/v1/admin", "");
    await ended(accepted.headers.get("location"));
    await door.expectStatus(404, "GET", path.replace("sources/1/", "sources/2/"));
    await door.expectStatus(404, "GET", path.replace("acme", "rival"), { as: "other" });
    await door.expectStatus(404, "GET", `${SOURCES}/1/runs/none`);
  });

  test("a source is removed when its number is repeated, and its pages with it", async () => {
    const { number } = await add(201, { place: join(folder.path, "root", "docs"), version: "old" });
    await run(number);
    await door.expectStatus(400, "DELETE", `${SOURCES}/${number}`, { body: { confirm: 1 } });
    await door.expectStatus(400, "DELETE", `${SOURCES}/${number}`);
    const accepted = await door.ask("DELETE", `${SOURCES}/${number}`, { body: { confirm: number } });
    expect([accepted.status, accepted.body]).toMatchObject([202, { task: "remove" }]);
    expect(await ended(accepted.headers.get("location"))).toMatchObject({ outcome: "removed" });
    await door.expectStatus(404, "GET", `${SOURCES}/${number}`);
  });
});

describe("the ledger", () => {
  test("comes in parts that together are the whole", async () => {
    const { entries: all } = await door.expectStatus(200, "GET", `${SOURCES}/1/ledger`);
    const parts: unknown[] = [];
    let cursor: unknown = "";
    while (cursor !== null) {
      const at = cursor === "" ? "" : `&cursor=${cursor}`;
      const part = await door.expectStatus(200, "GET", `${SOURCES}/1/ledger?limit=1${at}`);
      expect(part["hasMore"]).toBe(part["nextCursor"] !== null);
      parts.push(...(Array.isArray(part["entries"]) ? part["entries"] : []));
      cursor = part["nextCursor"];
    }
    expect(parts.length).toBeGreaterThan(3);
    expect(parts).toEqual(Array.isArray(all) ? all : []);
  });

  test("shows those decisions alone that are asked for", async () => {
    const count = async (query: string) => {
      const { entries } = await door.expectStatus(200, "GET", `${SOURCES}/1/ledger?${query}`);
      return Array.isArray(entries) ? entries.length : -1;
    };
    expect(await count("decision=unchanged&decision=kept")).toBe(await count(""));
    expect(await count("decision=removed")).toBe(0);
  });

  test.each(["limit=0", "limit=1001", "limit=x", "decision=best", "cursor=%00", "page=2", "limit=1&limit=2"])(
    "%s is refused",
    async (query) => {
      await door.expectStatus(400, "GET", `${SOURCES}/1/ledger?${query}`);
    },
  );
});

test("a server that stops ends a run that is under way", async () => {
  const { promise: asked, resolve } = Promise.withResolvers<void>();
  using server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch() {
      resolve();
      return new Promise<Response>(() => {});
    },
  });
  const stopping = await startAdminDoor({ docs: null, settings: { private_hosts: "127.0.0.1" } });
  const { number } = await stopping.expectStatus(201, "POST", SOURCES, {
    body: { place: `http://127.0.0.1:${server.port}/` },
  });
  await stopping.expectStatus(202, "POST", `${SOURCES}/${number}/runs`);
  await asked;
  await stopping.expectStatus(409, "POST", `${SOURCES}/${number}/runs`);
  await stopping.close();
});

describe("the docs of a generator", () => {
  test("are shown before they are read, take answers to what is open, and are then read so", async () => {
    const site = join(folder.path, "root", "generated");
    mkdirSync(join(site, "docs"), { recursive: true });
    writeFileSync(
      join(site, "docusaurus.config.js"),
      "module.exports = { presets: [['classic', { docs: { routeBasePath: process.env.BASE } }]] };",
    );
    writeFileSync(join(site, "docs", "here we are.md"), "# Here");
    const { number } = await add(201, { place: site });
    const of = () => door.expectStatus(200, "GET", `${SOURCES}/${number}`);
    const { generation } = await door.expectStatus(200, "GET", "/sites/acme");
    expect(await run(number, { preview: true })).toMatchObject({ outcome: "previewed", generation: null });
    expect(await of()).toMatchObject({
      answers: {},
      lastRun: {
        outcome: "previewed",
        generator: "Docusaurus",
        addresses: null,
        docs: {
          pages: 1,
          menu: [{ label: "Here", below: [], more: 0 }],
          samples: [{ path: "docs/here we are", href: "/docs/here%20we%20are" }],
          unknowns: [{ name: "routeBasePath", guess: "docs" }],
        },
      },
    });
    expect(await door.expectStatus(200, "GET", "/sites/acme")).toMatchObject({ generation });

    const change = (status: number, answers: object) =>
      door.expectStatus(status, "PATCH", `${SOURCES}/${number}`, { body: { answers } });
    await change(400, { routeBasePath: "x".repeat(501) });
    await change(400, { routeBasePath: 1 });
    await change(400, Object.fromEntries(Array.from({ length: 51 }, (_, index) => [`n${index}`, "x"])));
    expect(await change(200, { routeBasePath: "/guide", other: "x" })).toMatchObject({ everyMs: null });
    expect(await change(200, { other: "" })).toMatchObject({ answers: { routeBasePath: "/guide" } });
    expect(await add(200, { place: site, everyMs: 3_600_000 })).toMatchObject({
      answers: { routeBasePath: "/guide" },
    });
    expect(await run(number, { checkAddresses: true })).toMatchObject({ outcome: "published" });
    expect(await of()).toMatchObject({
      lastRun: {
        docs: { samples: [{ path: "guide/here we are" }], unknowns: [] },
        addresses: { asked: 0, note: expect.any(String) },
      },
    });
  });
});

test("where a source's pages are published is set and taken back, and nothing is asked there before it is read", async () => {
  const asked: string[] = [];
  const published = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch(request) {
      asked.push(new URL(request.url).pathname);
      return new Response("gone", { status: 404 });
    },
  });
  const site = join(folder.path, "root", "published");
  mkdirSync(site, { recursive: true });
  writeFileSync(join(site, "here.md"), "# Here");
  const address = `http://127.0.0.1:${published.port}/`;
  const { number } = await add(201, { place: site, published: address });
  const change = (status: number, body: object) =>
    door.expectStatus(status, "PATCH", `${SOURCES}/${number}`, { body });
  expect(await change(200, { everyMs: null })).toMatchObject({ published: address });
  for (const wrong of ["", "docs", "https://a:b@docs.example.com/", "x".repeat(1001), 1])
    await change(400, { published: wrong });
  expect(await change(200, { published: null })).toMatchObject({ published: null });
  expect(await add(200, { place: site, published: address })).toMatchObject({ published: address });
  expect(asked).toEqual([]);
  await run(number);
  // The server may ask no host of this network, unless its operator named it.
  expect(await door.expectStatus(200, "GET", `${SOURCES}/${number}`)).toMatchObject({
    lastRun: { counts: { publishedPages: 1, publishedFound: 0 } },
  });
  await published.stop(true);
});
