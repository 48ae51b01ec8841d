import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { type AdminDoorUnderTest, type KeyName, startAdminDoor } from "../helpers/admin-door.ts";
import { tarBytes, zipBytes } from "../helpers/archive-bytes.ts";
import { startDocent } from "../helpers/docent.ts";
import { uploadsFolder, uploadsIn } from "../helpers/shared-database.ts";
import { temporaryDirectory } from "../helpers/temporary-directory.ts";

const SITE_BYTES_MAX = 30_000;
const UPLOAD_BYTES_MAX = 12_000;

let door: AdminDoorUnderTest;
beforeAll(async () => {
  door = await startAdminDoor({
    settings: { upload_bytes: String(UPLOAD_BYTES_MAX), site_uploads_bytes: String(SITE_BYTES_MAX) },
  });
});
afterAll(() => door.close());

const PAGES = {
  "guide/install.md": "# Install\n\nRun the zebra installer.",
  "index.md": "# Home\n\nWelcome.",
};
const zip = (pages: Record<string, string> = PAGES) =>
  zipBytes(Object.entries(pages).map(([name, text]) => ({ name, text })));
/** Bytes that do not pack well. */
const large = (bytes: number) => zipBytes([{ name: "large.md", text: "#".repeat(bytes), stored: true }]);

async function send(
  path: string,
  body: RequestInit["body"],
  {
    as = "own",
    method = "POST",
    headers = {},
  }: { as?: KeyName; method?: string; headers?: Record<string, string> } = {},
) {
  const reply = await fetch(`${door.url}/v1/admin/sites/${path}`, {
    method,
    body: body ?? null,
    headers: { ...(door.keys[as] === "" ? {} : { authorization: `Bearer ${door.keys[as]}` }), ...headers },
  });
  const text = await reply.text();
  return { status: reply.status, location: reply.headers.get("location"), text, body: JSON.parse(text) };
}

/** Reads a source, and waits until that has ended. */
async function read(site: string, number: unknown, as: KeyName = "own") {
  const accepted = await door.ask("POST", `/sites/${site}/sources/${number}/runs`, { as });
  const path = String(accepted.headers.get("location")).replace("/v1/admin", "");
  for (;;) {
    const run = await door.expectStatus(200, "GET", path, { as });
    if (run["state"] === "ended") return run;
    await Bun.sleep(5);
  }
}

const folder = () => uploadsFolder(door.data);
const halves = () =>
  existsSync(folder())
    ? readdirSync(folder(), { recursive: true }).filter((name) => String(name).endsWith(".partial"))
    : [];
const pathsOf = async (number: unknown) => {
  const found = await door.expectStatus(200, "GET", `/sites/acme/pages?source=${number}`);
  return Object(found["pages"]).map(({ path }: { path: string }) => path);
};

describe("an upload", () => {
  test("is a source under its given name, and its run reads what is in it", async () => {
    const added = await send("acme/uploads?name=handbook.zip&version=2&groups=ops,%20admins", zip());
    expect(added).toMatchObject({
      status: 201,
      body: { kind: "upload", place: "handbook.zip", version: "2", groups: ["ops", "admins"], lastRun: null },
    });
    expect(added.location).toBe(`/v1/admin/sites/acme/sources/${added.body.number}`);
    expect(await read("acme", added.body.number)).toMatchObject({
      outcome: "published",
      counts: { added: 2, skipped: 0 },
    });
    expect(await pathsOf(added.body.number)).toEqual(["", "guide/install"]);
    const ledger = await door.ask("GET", `/sites/acme/sources/${added.body.number}/ledger`);
    expect(ledger.text).toContain("guide/install.md");
    expect(ledger.text + (await door.ask("GET", "/sites/acme/sources")).text).not.toContain(door.data);
  });

  test("of the same name is the same source: what is no longer in it is removed by the next run", async () => {
    const first = await send("acme/uploads?name=again.zip", zip());
    await read("acme", first.body.number);
    const second = await send("acme/uploads?name=again.zip", zip({ "new.md": "# New\n\nOther words." }));
    expect([second.status, second.body.number]).toEqual([200, first.body.number]);
    expect(await pathsOf(first.body.number)).toEqual(["", "guide/install"]);
    expect(await read("acme", first.body.number)).toMatchObject({ counts: { added: 1, removed: 2 } });
    const third = await send(
      `acme/uploads/${first.body.number}?name=other-name.tgz`,
      gzipSync(tarBytes([{ name: "third.md", text: "# Third" }])),
      { method: "PUT" },
    );
    expect(third).toMatchObject({ status: 200, body: { number: first.body.number, place: "again.zip" } });
    expect(await read("acme", first.body.number)).toMatchObject({ counts: { added: 1, removed: 1 } });
    expect(await pathsOf(first.body.number)).toEqual(["third"]);
  });

  test("is the same source however its name's letters are written", async () => {
    const [composed, apart] = ["\u00fcber.zip", "u\u0308ber.zip"].map(encodeURIComponent);
    const first = await send(`acme/uploads?name=${apart}`, zip());
    const second = await send(`acme/uploads?name=${composed}`, zip());
    expect([second.status, second.body.number]).toEqual([200, first.body.number]);
  });

  test("whose names lead out of it gives only what is inside", async () => {
    const outside = join(door.data, "outside.md");
    const { body } = await send(
      "acme/uploads?name=traversal.zip",
      zip({ "a.md": "# A", "../../../outside.md": "# Out", [outside]: "# Out", "b\\..\\..\\c.md": "# C" }),
    );
    await read("acme", body.number);
    expect(existsSync(outside)).toBe(false);
    expect(await pathsOf(body.number)).not.toContain("outside");
    const ledger = await door.ask("GET", `/sites/acme/sources/${body.number}/ledger?decision=skipped`);
    expect(ledger.text).toContain("outside");
  });

  test("is gone with its source, and with its site", async () => {
    const { body } = await send("acme/uploads?name=gone.zip", zip());
    await read("acme", body.number);
    const siteId = String((await door.app.parts.people.sites.get("acme")).id);
    expect(uploadsIn(join(folder(), siteId))).toContain(String(body.number));
    await door.expectStatus(202, "DELETE", `/sites/acme/sources/${body.number}`, {
      body: { confirm: body.number },
    });
    while (uploadsIn(join(folder(), siteId)).includes(String(body.number))) await Bun.sleep(5);
    await door.expectStatus(201, "POST", "/sites", { body: { domain: "short-lived" } });
    const other = await door.app.parts.people.sites.get("short-lived");
    await send("short-lived/uploads?name=a.zip", zip());
    expect(existsSync(join(folder(), String(other.id)))).toBe(true);
    await door.expectStatus(204, "DELETE", "/sites/short-lived", { body: { confirm: "short-lived" } });
    expect(existsSync(join(folder(), String(other.id)))).toBe(false);
  });

  test("cannot be put on a schedule: it changes when it is uploaded again", async () => {
    const { body } = await send("acme/uploads?name=still.zip", zip());
    await door.expectStatus(400, "PATCH", `/sites/acme/sources/${body.number}`, {
      body: { everyMs: 60_000 },
    });
    await door.expectStatus(200, "PATCH", `/sites/acme/sources/${body.number}`, { body: { everyMs: null } });
  });
});

describe("what is refused", () => {
  test.each([
    ["text", "hello, no archive", 415],
    ["another form of archive", "7z\xbc\xaf\x27\x1c rest", 415],
    ["a zip that was cut off", zip().subarray(0, 60), 400],
    ["a zip with nothing in it", zipBytes([]), 400],
    ["nothing", "", 400],
  ])("%s, and nothing stays of it", async (_, body, status) => {
    const before = (await door.ask("GET", "/sites/acme/sources")).text;
    expect((await send("acme/uploads?name=bad.zip", body)).status).toBe(status);
    expect((await door.ask("GET", "/sites/acme/sources")).text).toBe(before);
    expect(halves()).toEqual([]);
  });

  test.each([
    "",
    "?name=",
    "?name=..%2Fa.zip",
    "?name=a%5Cb.zip",
    "?name=a%00b",
    `?name=${"a".repeat(201)}`,
    "?name=a.zip&path=/etc",
  ])("a name that is none: %s", async (query) => {
    expect((await send(`acme/uploads${query}`, zip())).status).toBe(400);
  });

  test("more than an upload may have, announced or not, and more than a site may keep", async () => {
    const announced = await send("acme/uploads?name=large.zip", large(UPLOAD_BYTES_MAX + 1));
    expect([announced.status, announced.body.code]).toEqual([413, "too_large"]);
    const bytes = large(UPLOAD_BYTES_MAX + 1);
    const unannounced = await send(
      "acme/uploads?name=large.zip",
      new ReadableStream({
        start(controller) {
          for (let at = 0; at < bytes.length; at += 1000) controller.enqueue(bytes.subarray(at, at + 1000));
          controller.close();
        },
      }),
    );
    expect(unannounced.status).toBe(413);
    await door.expectStatus(201, "POST", "/sites", { body: { domain: "full" } });
    const statuses = [];
    for (const name of ["a", "b", "c"])
      statuses.push((await send(`full/uploads?name=${name}`, large(11_000))).status);
    expect(statuses).toEqual([201, 201, 413]);
    // What is replaced makes room for what replaces it.
    expect((await send("full/uploads?name=b", large(11_500))).status).toBe(200);
    expect(halves()).toEqual([]);
  });

  test("a file in the place of a source that was not uploaded", async () => {
    const reply = await send("acme/uploads/1", zip(), { method: "PUT" });
    expect([reply.status, reply.body.code]).toEqual([409, "conflict"]);
    expect((await send("acme/uploads/99999", zip(), { method: "PUT" })).status).toBe(404);
  });

  test("a place on this machine that is called as an upload is, by whoever adds a source", async () => {
    for (const kind of [undefined, "upload", "archive"])
      for (const as of ["own", "server"] as const) {
        const reply = await door.ask("POST", "/sites/acme/sources", {
          as,
          body: { place: "handbook.zip", ...(kind ? { kind } : {}) },
        });
        expect([400, 403]).toContain(reply.status);
      }
  });
});

describe("who may upload", () => {
  test.each([
    ["ownRead", 403],
    ["other", 404],
    ["assistant", 401],
    ["none", 401],
  ] as const)("%s may not", async (as, status) => {
    expect((await send("acme/uploads?name=x.zip", zip(), { as })).status).toBe(status);
    expect((await send("acme/uploads/1", zip(), { as, method: "PUT" })).status).toBe(status);
  });

  test("a site reads its own uploads alone, whatever another one's are called", async () => {
    const mine = await send("acme/uploads?name=same.zip", zip({ "mine.md": "# Mine" }));
    const theirs = await send("rival/uploads?name=same.zip", zip({ "theirs.md": "# Theirs" }), {
      as: "other",
    });
    expect(theirs.body.number).not.toBe(mine.body.number);
    await read("acme", mine.body.number);
    await read("rival", theirs.body.number, "other");
    expect(await pathsOf(mine.body.number)).toEqual(["mine"]);
    expect((await send(`acme/uploads/${theirs.body.number}`, zip(), { method: "PUT" })).status).toBe(404);
    expect((await door.ask("GET", "/sites/acme/pages?query=theirs")).body).toMatchObject({ pages: [] });
  });
});

test("an upload that is gone, as after a restore elsewhere, is asked for again", async () => {
  const { body } = await send("acme/uploads?name=lost.zip", zip());
  const { id: siteId } = await door.app.parts.people.sites.get("acme");
  await door.app.parts.sources.uploads.remove({ id: body.number, siteId });
  const reply = await door.ask("POST", `/sites/acme/sources/${body.number}/runs`);
  expect([reply.status, reply.text]).toEqual([409, expect.stringContaining("Upload it again.")]);
});

test("a server that starts takes away halves, and uploads whose source is gone", async () => {
  using directory = temporaryDirectory();
  const first = await startDocent({ data: directory.path });
  const site = await first.app.parts.people.sites.get("acme");
  await first.close();
  const at = (...names: string[]) => join(uploadsFolder(directory.path), ...names);
  mkdirSync(at(String(site.id)), { recursive: true });
  mkdirSync(at("777"));
  for (const name of ["1", "4.partial", "999", "note.txt"]) writeFileSync(at(String(site.id), name), "x");
  writeFileSync(at("777", "1"), "x");
  const second = await startDocent({ data: directory.path });
  await second.close();
  expect(readdirSync(at(String(site.id))).toSorted()).toEqual(["1", "note.txt"]);
  expect(readdirSync(at("777"))).toEqual([]);
});
