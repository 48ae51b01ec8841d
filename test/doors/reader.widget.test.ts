import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { KeyInput } from "../../src/people/keys/keys.ts";
import { startDocent, type TestDocent } from "../helpers/docent.ts";
import { addSiteWithPages } from "../helpers/public-site.ts";
import { select } from "../helpers/select-html.ts";

const HOUR_MS = 3_600_000;

let docent: TestDocent;
let now = Date.now();
beforeAll(async () => {
  docent = await startDocent({ clock: () => now });
  const { people } = docent.app.parts;
  for (const { id } of await people.keys.list()) await people.keys.revoke(id);
});
afterAll(() => docent.close());

async function addSite(domain: string, { isPublic = true, origins = [] as string[] } = {}) {
  await addSiteWithPages(
    docent,
    domain,
    { "index.md": "# Zebra\n\nA zebra lives in the savanna." },
    { isPublic },
  );
  return docent.app.parts.people.sites.set(domain, { settings: { origins } });
}

/** The tag of the widget in a site's first page. */
async function tagOf(domain: string) {
  const html = await (await fetch(`${docent.url}/sites/${domain}/`)).text();
  const [tag] = await select(html, 'script[src$="/widget.js"]');
  return tag?.attributes;
}

describe("the widget in the reader", () => {
  test("has the key that is for the site alone; none that is bound, over or revoked; none of another site", async () => {
    const { people } = docent.app.parts;
    const { id, organizationId } = await addSite("alpha");
    const other = await addSite("beta");
    const add = (change: Partial<KeyInput>) => people.keys.create({ organizationId, name: "k", ...change });
    await add({ siteIds: [other.id] });
    await add({ siteIds: [id], addresses: ["192.0.2.1"] });
    await add({ siteIds: [id], expiresDays: 0 });
    const { id: revoked } = await add({ siteIds: [id] });
    await people.keys.revoke(revoked);
    expect(await tagOf("alpha")).toBeUndefined();
    const shared = await add({ siteIds: [id, other.id] });
    expect((await tagOf("alpha"))?.["data-key"]).toBe(shared.key);
    const own = await add({ siteIds: [id] });
    expect(await tagOf("alpha")).toMatchObject({ "data-key": own.key, "data-domain": "alpha" });
  });

  test("never has a key that opens a site which is not public", async () => {
    const { people } = docent.app.parts;
    const { id, organizationId } = await addSite("gamma");
    const closed = await addSite("closed", { isPublic: false });
    await people.keys.create({ organizationId, name: "all" });
    await people.keys.create({ organizationId, name: "two", siteIds: [id, closed.id] });
    expect(await tagOf("gamma")).toBeUndefined();
  });
});

describe("a site that lists origins", () => {
  let key: string;
  beforeAll(async () => {
    const { id, organizationId } = await addSite("listed", { origins: ["https://docs.example.com"] });
    key = (await docent.app.parts.people.keys.create({ organizationId, name: "k", siteIds: [id] })).key;
    const far = await addSite("far", { origins: ["https://docs.example.com"] });
    await docent.app.parts.people.keys.create({ organizationId, name: "k", siteIds: [far.id] });
  });

  const body = JSON.stringify({ query: "zebra" });
  const search = (query: string, { origin = "null", domain = "listed", method = "POST" } = {}) =>
    fetch(`${docent.url}/v1/search/${domain}${query}`, {
      method,
      headers: {
        origin,
        ...(method === "POST"
          ? { authorization: `Bearer ${key}`, "content-type": "application/json" }
          : { "access-control-request-method": "POST", "access-control-request-headers": "authorization" }),
      },
      ...(method === "POST" ? { body } : {}),
    });
  const pass = async () => `?${(await tagOf("listed"))?.["data-query"]}`;

  test("is open to its own reader, preflight included", async () => {
    const query = await pass();
    const preflight = await search(query, { method: "OPTIONS" });
    expect(preflight.headers.get("access-control-allow-origin")).toBe("null");
    const reply = await search(query);
    expect(reply.status).toBe(200);
    expect(reply.headers.get("access-control-allow-origin")).toBe("null");
  });

  test("is open to no other sandboxed page, and the pass is no help to a page with an origin", async () => {
    const query = await pass();
    const broken = query.replace(/.$/, (last) => (last === "A" ? "B" : "A"));
    const [until = ""] = query.split(".");
    const later = query.replace(/\d+\./, (written) => `${Number(written) + HOUR_MS}.`);
    for (const [wrong, origin] of [
      ["", "null"],
      ["?pass=", "null"],
      [broken, "null"],
      [until, "null"],
      [later, "null"],
      [query, "https://elsewhere.example"],
    ] as const) {
      expect((await search(wrong, { origin })).status, `${wrong} ${origin}`).toBe(403);
      const preflight = await search(wrong, { origin, method: "OPTIONS" });
      expect(preflight.headers.get("access-control-allow-origin"), wrong).toBeNull();
    }
  });

  test("is not open to the reader of another site", async () => {
    const query = `?${(await tagOf("far"))?.["data-query"]}`;
    expect((await search(query)).status).toBe(403);
  });

  test("is open for a day, and as long as its pages are public", async () => {
    const query = await pass();
    now += 23 * HOUR_MS;
    expect((await search(query)).status).toBe(200);
    now += 3 * HOUR_MS;
    expect((await search(query)).status).toBe(403);
    now -= 26 * HOUR_MS;
    const { people } = docent.app.parts;
    await people.sites.set("listed", { settings: { public: false } });
    expect((await search(query)).status).toBe(403);
    await people.sites.set("listed", { settings: { public: true } });
  });

  test("gives no pass where it is open to every origin", async () => {
    expect((await tagOf("alpha"))?.["data-query"]).toBeUndefined();
  });
});
