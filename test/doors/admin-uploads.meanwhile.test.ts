import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type AdminDoorUnderTest, startAdminDoor } from "../helpers/admin-door.ts";
import { zipBytes } from "../helpers/archive-bytes.ts";
import { uploadsFolder, uploadsIn } from "../helpers/shared-database.ts";

const SITE_BYTES_MAX = 20_000;

let door: AdminDoorUnderTest;
beforeAll(async () => {
  door = await startAdminDoor({
    settings: { upload_bytes: "12000", site_uploads_bytes: String(SITE_BYTES_MAX) },
  });
});
afterAll(() => door.close());

const zip = (text = "# A") => zipBytes([{ name: "a.md", text, stored: true }]);
const filesOf = (siteId: number) => uploadsIn(join(uploadsFolder(door.data), String(siteId)));

/** Sends the beginning, waits until it is written down, and gives what sends the rest. */
async function begin(site: string, name: string, bytes: Buffer<ArrayBuffer>, key = door.keys.own) {
  const { id } = await door.app.parts.people.sites.get(site);
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const before = filesOf(id).length;
  const replied = fetch(`${door.url}/v1/admin/sites/${site}/uploads?name=${name}`, {
    method: "POST",
    body: readable,
    headers: { authorization: `Bearer ${key}` },
  });
  const writer = writable.getWriter();
  await writer.write(bytes.subarray(0, 20));
  while (filesOf(id).length === before) await Bun.sleep(5);
  return {
    id,
    async end() {
      await writer.write(bytes.subarray(20));
      await writer.close();
      const reply = await replied;
      return { status: reply.status, body: Object(await reply.json()) };
    },
  };
}

const add = async (domain: string) =>
  door.expectStatus(201, "POST", "/sites", { body: { domain }, as: "own" });

describe("while an upload arrives", () => {
  test("whoever sends it may lose the right to: nothing of it stays", async () => {
    await add("lost");
    const { organizationId } = await door.app.parts.people.sites.get("lost");
    const { key, text } = await door.app.parts.people.adminKeys.create({
      name: "short",
      organizationId,
      mayWrite: true,
    });
    const { id, end } = await begin("lost", "a.zip", zip(), text);
    await door.app.parts.people.adminKeys.revoke(key.id);
    expect((await end()).status).toBe(401);
    expect(filesOf(id)).toEqual([]);
    expect((await door.ask("GET", "/sites/lost/sources")).body).toEqual([]);
  });

  test("its site may be removed: it is answered for as one that is not there", async () => {
    await add("brief");
    const { id, end } = await begin("brief", "a.zip", zip());
    await door.expectStatus(204, "DELETE", "/sites/brief", { body: { confirm: "brief" } });
    expect(await end()).toMatchObject({ status: 404, body: { error: "Not found" } });
    expect(filesOf(id)).toEqual([]);
  });

  test("another one of its name may come, and be read: nothing is put in the place of what is read", async () => {
    await add("twice");
    const late = await begin("twice", "a.zip", zip("# Late"));
    const first = await (await begin("twice", "a.zip", zip("# First"))).end();
    const number = Number(first.body["number"]);
    const source = await door.app.parts.sources.ofSites.get(late.id, number);
    await door.app.parts.sources.ingest.whileIdle(source, async () => {
      expect((await late.end()).status).toBe(409);
    });
    expect(filesOf(late.id)).toEqual([String(number)]);
    const kept = readFileSync((await door.app.parts.sources.uploads.fileOf(source)) ?? "");
    expect(kept.equals(zip("# First"))).toBe(true);
  });

  test("others may take the room that there was: a site never keeps more than it may", async () => {
    await add("narrow");
    const late = await begin("narrow", "late.zip", zip("#".repeat(9000)));
    const large = await (await begin("narrow", "large.zip", zip("#".repeat(9000)))).end();
    const other = await (await begin("narrow", "other.zip", zip("#".repeat(9000)))).end();
    expect([large.status, other.status, (await late.end()).status]).toEqual([201, 201, 413]);
    expect(filesOf(late.id)).toHaveLength(2);
  });

  test("others of its organization may be too many, on any of its sites: another organization's are taken", async () => {
    for (const domain of ["busy-1", "busy-2"]) await add(domain);
    const before = await (await begin("busy-1", "a.zip", zip())).end();
    const slow = [];
    for (const name of ["b.zip", "c.zip"])
      for (const site of ["busy-1", "busy-2"]) slow.push(await begin(site, name, zip()));
    const send = async (method: string, path: string, key: string) => {
      const headers = { authorization: `Bearer ${key}` };
      return (await fetch(`${door.url}/v1/admin/sites/${path}`, { method, headers, body: zip() })).status;
    };
    expect([
      await send("POST", "busy-2/uploads?name=d.zip", door.keys.own),
      await send("PUT", `busy-1/uploads/${before.body["number"]}`, door.keys.own),
      await send("POST", "busy-2/uploads?name=d.zip", door.keys.server),
      await send("POST", "rival/uploads?name=a.zip", door.keys.other),
    ]).toEqual([503, 503, 503, 201]);
    for (const { end } of slow) expect((await end()).status).toBe(201);
    expect(await send("POST", "busy-2/uploads?name=d.zip", door.keys.own)).toBe(201);
  });
});
