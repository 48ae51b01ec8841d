import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { question, startDocent, type TestDocent } from "../helpers/docent.ts";

const DAY_MS = 24 * 3600 * 1000;
const VALID = question("How do I install Acme on Linux?");

let docent: TestDocent;
let now = Date.now();
const keys: Record<string, string> = {};

beforeAll(async () => {
  docent = await startDocent({ clock: () => now, settings: { trusted_proxies: "127.0.0.1" } });
  const { people } = docent.app.parts;
  const { keys: made } = people;
  const acme = await people.sites.get("acme");
  const other = await people.sites.add({ domain: "other", name: "Other", url: "https://other.example/docs" });
  const rivals = await people.sites.addOrganization("Rivals");
  await people.sites.add({ domain: "rival", organization: "Rivals" });
  await people.sites.add({ domain: "picky", settings: { origins: ["https://docs.acme.example"] } });
  const create = async (name: string, more: Partial<Parameters<typeof made.create>[0]> = {}) => {
    const key = await made.create({ organizationId: acme.organizationId, name, ...more });
    keys[name] = key.key;
    return key;
  };
  await create("one site", { siteIds: [acme.id] });
  await create("another site", { siteIds: [other.id] });
  await create("another organization", { organizationId: rivals.id });
  await create("short lived", { expiresDays: 1 });
  await create("office", { addresses: ["10.1.0.0/16", "2001:db8::/32"] });
  const revoked = await create("revoked");
  await made.revoke(revoked.id);
});
afterAll(() => docent.close());

/** A reply as someone sees who wants to tell two of them apart. */
async function visible(reply: Response) {
  const body = (await reply.text()).replace(reply.headers.get("x-request-id") ?? "-", "ID");
  const headers = Object.fromEntries(reply.headers);
  for (const name of ["x-request-id", "date"]) delete headers[name];
  return { status: reply.status, body, headers };
}

describe("a key that is not good is 401", () => {
  const CASES: [string, () => string | null][] = [
    ["none", () => null],
    ["not a key", () => "hello"],
    ["unknown", () => `docent_dsc_${"a".repeat(33)}`],
    ["revoked", () => keys["revoked"] ?? ""],
    ["SQL", () => "docent_dsc_' OR 1=1 --"],
    ["very long", () => `docent_dsc_${"a".repeat(7000)}`],
  ];
  for (const [name, key] of CASES) {
    test(name, async () => {
      const reply = await docent.post(VALID, { key: key() });
      expect(reply.status).toBe(401);
      expect(reply.headers.get("www-authenticate")).toBe("Bearer");
      expect(await reply.json()).toMatchObject({ code: "unauthorized" });
    });
  }
  test("expired, and good until then", async () => {
    const key = keys["short lived"] ?? "";
    const good = await docent.post(VALID, { key });
    await good.text();
    expect(good.status).toBe(200);
    now += DAY_MS;
    expect((await docent.post(VALID, { key })).status).toBe(401);
    now -= DAY_MS;
  });
});

describe("a site that a key may not use looks exactly like one that is not there", () => {
  const CASES: [string, string, string][] = [
    ["a key of one site", "one site", "other"],
    ["a key of another site", "another site", "acme"],
    ["a key of another organization", "another organization", "acme"],
    ["a site of another organization", "one site", "rival"],
    ["the host of another site", "one site", "other.example"],
  ];
  for (const [name, key, domain] of CASES) {
    test(name, async () => {
      const hidden = await visible(await docent.post(VALID, { key: keys[key] ?? "", domain }));
      const missing = await visible(await docent.post(VALID, { key: keys[key] ?? "", domain: "nobody" }));
      expect(hidden).toEqual(missing);
      expect(hidden.status).toBe(404);
    });
  }
  test("a thread of another site looks exactly like one that is not there", async () => {
    const first = await docent.post(VALID);
    const threadId = first.headers.get("x-thread-id");
    await first.text();
    const ask = (id: string | null) =>
      docent.post({ ...VALID, threadId: id }, { key: keys["another site"] ?? "", domain: "other" });
    const hidden = await visible(await ask(threadId));
    const missing = await visible(await ask("0123456789ABCDEFGHJKMNPQRS"));
    expect(hidden.status).toBe(404);
    expect(hidden.body).toBe(missing.body);
  });
});

test("a stranger learns nothing of the body: the key is asked for first", async () => {
  expect((await docent.post("{", { key: null })).status).toBe(401);
  expect((await docent.post(VALID, { key: null, domain: "nobody" })).status).toBe(401);
  expect((await docent.post("{", { domain: "nobody" })).status).toBe(404);
});

test("a key without 'Bearer ' is accepted", async () => {
  const reply = await docent.post(VALID, { key: null, headers: { authorization: docent.key } });
  expect(reply.status).toBe(200);
  await reply.text();
});

test("a site answers to the host of its docs", async () => {
  const reply = await docent.post(VALID, { domain: "docs.acme.example" });
  expect(reply.status).toBe(200);
  await reply.text();
});

test("a key that is tied to addresses works from those alone", async () => {
  const from = (address: string) =>
    docent.post(VALID, { key: keys["office"] ?? "", headers: { "x-forwarded-for": address } });
  for (const address of ["10.1.2.3", "2001:db8::7", "203.0.113.9, 10.1.2.3"]) {
    const reply = await from(address);
    await reply.text();
    expect(reply.status).toBe(200);
  }
  for (const address of ["10.2.0.1", "2001:db9::7", "10.1.2.3, 203.0.113.9"]) {
    const reply = await from(address);
    expect(reply.status).toBe(403);
    expect(await reply.json()).toMatchObject({ code: "forbidden" });
  }
});

test("a forwarded header from someone who is no named proxy counts for nothing, and is warned about once", async () => {
  const plain = await startDocent();
  const { people } = plain.app.parts;
  const { keys: made } = people;
  const { organizationId } = await people.sites.get("acme");
  const { key } = await made.create({ organizationId, name: "office", addresses: ["10.0.0.0/8"] });
  for (let round = 0; round < 2; round++) {
    const reply = await plain.post(VALID, { key, headers: { "x-forwarded-for": "10.1.2.3" } });
    expect(reply.status).toBe(403);
    await reply.text();
  }
  const elsewhere = await fetch(`${plain.url}/discovery/v1/assistant/acme/message`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "x-forwarded-for": "10.1.2.3" },
  });
  expect(elsewhere.status).toBe(403);
  expect(plain.logged.filter((line) => line.includes("trusted_proxies"))).toHaveLength(1);
  await plain.close();
});

describe("CORS", () => {
  const ORIGIN = "https://anywhere.example";
  const preflight = (domain: string, origin = ORIGIN) =>
    fetch(`${docent.url}/v1/assistant/${domain}/message`, {
      method: "OPTIONS",
      headers: {
        origin,
        "access-control-request-method": "POST",
        "access-control-request-headers": "authorization,content-type,user-agent",
      },
    });

  test("a preflight needs no key, echoes the headers it asks for, and allows no cookies", async () => {
    const reply = await preflight("acme");
    expect(reply.status).toBe(204);
    expect(reply.headers.get("access-control-allow-origin")).toBe(ORIGIN);
    expect(reply.headers.get("access-control-allow-methods")).toBe("POST, GET, OPTIONS");
    expect(reply.headers.get("access-control-allow-headers")).toBe("authorization,content-type,user-agent");
    expect(reply.headers.get("access-control-allow-credentials")).toBeNull();
  });

  test("the headers that clients read are exposed, on replies and on errors", async () => {
    for (const key of [docent.key, null]) {
      const reply = await docent.post(VALID, { key, headers: { origin: ORIGIN } });
      await reply.text();
      expect(reply.headers.get("access-control-allow-origin")).toBe(ORIGIN);
      const exposed = reply.headers.get("access-control-expose-headers") ?? "";
      for (const name of [
        "x-thread-id",
        "x-message-id",
        "x-request-id",
        "ratelimit-limit",
        "ratelimit-remaining",
        "ratelimit-reset",
        "retry-after",
      ]) {
        expect(exposed).toContain(name);
      }
      expect(reply.headers.get("access-control-allow-credentials")).toBeNull();
    }
  });

  test("a site that lists origins is open to those alone", async () => {
    expect((await preflight("picky")).headers.get("access-control-allow-origin")).toBeNull();
    const listed = await preflight("picky", "https://docs.acme.example");
    expect(listed.headers.get("access-control-allow-origin")).toBe("https://docs.acme.example");
    const refused = await docent.post(VALID, { domain: "picky", headers: { origin: ORIGIN } });
    expect(refused.status).toBe(403);
    expect(await refused.json()).toMatchObject({ code: "forbidden" });
  });

  test("routes that are not public have none", async () => {
    const reply = await fetch(`${docent.url}/health/live`, { headers: { origin: ORIGIN } });
    expect(reply.headers.get("access-control-allow-origin")).toBeNull();
  });
});

test("a change by the command line takes effect at once", async () => {
  const { openParts } = await import("../../src/running/app.ts");
  const { testSurroundings } = await import("../helpers/docent.ts");
  const beside = await openParts(testSurroundings(docent.data));
  await beside.people.sites.add({ domain: "fresh" });
  const added = await docent.post(VALID, { domain: "fresh" });
  expect(added.status).toBe(200);
  await added.text();
  const key = await beside.people.keys.create({
    organizationId: (await beside.people.sites.get("fresh")).organizationId,
    name: "k",
  });
  const before = await docent.post(VALID, { key: key.key });
  await before.text();
  expect(before.status).toBe(200);
  await beside.people.keys.revoke(key.id);
  expect((await docent.post(VALID, { key: key.key })).status).toBe(401);
  await beside.people.sites.set("fresh", { settings: { origins: ["https://only.example"] } });
  const refused = await docent.post(VALID, { domain: "fresh", headers: { origin: "https://x.example" } });
  expect(refused.status).toBe(403);
  await beside.people.sites.remove("fresh");
  expect((await docent.post(VALID, { domain: "fresh" })).status).toBe(404);
  beside.close();
});

test("neither a key, nor a thread's id, nor a question is logged", async () => {
  const reply = await docent.post(question("What about zebra-crossings?"));
  const threadId = reply.headers.get("x-thread-id") ?? "-";
  await reply.text();
  await docent.post(VALID, { key: "docent_dsc_wrongwrongwrongwrongwrong" });
  const log = docent.logged.join("");
  for (const secret of [docent.key, threadId, "zebra", "wrongwrong"]) expect(log).not.toContain(secret);
});
