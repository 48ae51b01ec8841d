import { afterEach, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { databaseOf } from "../helpers/database-of.ts";
import { type DocentOptions, question, startDocent, type TestDocent } from "../helpers/docent.ts";
import { startFakeOllama } from "../helpers/fake-ollama.ts";

const ASKED = question("How do I install Acme on Linux?");
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
});

async function start(options: DocentOptions) {
  const docent = await startDocent(options);
  open.push(docent);
  return docent;
}

interface Asking {
  fp?: string;
  key?: string;
  /** A page's, where a browser asks. */
  origin?: string;
  body?: unknown;
}

async function ask(docent: TestDocent, address?: string, { fp, key, origin, body: sent }: Asking = {}) {
  const reply = await docent.post(sent ?? { ...ASKED, ...(fp === undefined ? {} : { fp }) }, {
    ...(key === undefined ? {} : { key }),
    headers: {
      ...(address === undefined ? {} : { "x-forwarded-for": address }),
      ...(origin === undefined ? {} : { origin }),
    },
  });
  const body = await reply.text();
  const header = (name: string) => Number(reply.headers.get(name));
  return {
    status: reply.status,
    body,
    limit: header("ratelimit-limit"),
    remaining: header("ratelimit-remaining"),
    reset: header("ratelimit-reset"),
    retryAfter: header("retry-after"),
  };
}

describe("limits", () => {
  test("let the last message through, and refuse the one after it with when to come back", async () => {
    let now = Date.now();
    const docent = await start({ clock: () => now, settings: { organization_messages_per_hour: "3" } });
    for (const remaining of [2, 1, 0])
      expect(await ask(docent)).toMatchObject({ status: 200, limit: 3, remaining });
    const refused = await ask(docent);
    expect(refused).toMatchObject({ status: 429, limit: 3, remaining: 0 });
    expect(JSON.parse(refused.body)).toMatchObject({ code: "rate_limited" });
    expect(refused.retryAfter).toBe(refused.reset);
    expect(refused.retryAfter).toBeGreaterThan(3600 - 60);
    now += refused.retryAfter * 1000 - 1000;
    expect((await ask(docent)).status).toBe(429);
    now += 1000;
    expect((await ask(docent)).status).toBe(200);
  });

  test("are not forgotten by a restart", async () => {
    const data = mkdtempSync(join(tmpdir(), "docent-limits-"));
    const now = Date.now();
    const options = {
      data,
      clock: () => now,
      settings: { organization_messages_per_hour: "2", address_messages_per_day: "100" },
    };
    const first = await startDocent(options);
    await ask(first);
    await first.close();
    const second = await startDocent(options);
    expect((await ask(second)).status).toBe(200);
    expect((await ask(second)).status).toBe(429);
    await second.close();
    rmSync(data, { recursive: true });
  });

  test("of an address count IPv6 by its /64, and do not touch another address", async () => {
    const now = Date.now();
    const docent = await start({
      clock: () => now,
      settings: { address_messages_per_day: "2", trusted_proxies: "127.0.0.0/8" },
    });
    expect((await ask(docent, "2001:db8:1:2::1")).status).toBe(200);
    expect((await ask(docent, "2001:db8:1:2:ffff::9")).status).toBe(200);
    expect((await ask(docent, "2001:db8:1:2:abcd::5")).status).toBe(429);
    expect((await ask(docent, "2001:db8:1:3::1")).status).toBe(200);
    expect((await ask(docent, "192.0.2.1")).status).toBe(200);
  });

  test("of an address slide over a day", async () => {
    let now = Date.now();
    const docent = await start({ clock: () => now, settings: { address_messages_per_day: "2" } });
    await ask(docent);
    now += DAY_MS / 2;
    await ask(docent);
    expect((await ask(docent)).status).toBe(429);
    now += DAY_MS / 2 + HOUR_MS;
    expect((await ask(docent)).status).toBe(200);
    expect((await ask(docent)).status).toBe(429);
  });

  test("of one organization leave another alone", async () => {
    const docent = await start({ settings: { organization_messages_per_hour: "1" } });
    const { people } = docent.app.parts;
    const rivals = await people.sites.addOrganization("Rivals");
    await people.sites.add({ domain: "rival", organization: "Rivals" });
    const { key } = await people.keys.create({ organizationId: rivals.id, name: "k" });
    expect((await ask(docent)).status).toBe(200);
    expect((await ask(docent)).status).toBe(429);
    const reply = await docent.post(ASKED, { key, domain: "rival" });
    await reply.text();
    expect(reply.status).toBe(200);
  });

  test("a burst from one address does not spend its organization's hour", async () => {
    const now = Date.now();
    const docent = await start({ clock: () => now, settings: { address_messages_per_minute: "3" } });
    const asPage = (fp: string) => ask(docent, undefined, { fp, origin: "https://docs.acme.example" });
    for (let round = 0; round < 3; round++) expect((await asPage(`reader-${round}`)).status).toBe(200);
    const refused = await asPage("reader-3");
    expect(refused).toMatchObject({ status: 429, limit: 3 });
    expect(refused.retryAfter).toBeLessThanOrEqual(61);
  });

  describe("where a server asks for its readers, all from one address", () => {
    const settings = { address_messages_per_minute: "1", reader_messages_per_minute: "2" };
    const startAt = async (more: Record<string, string> = {}) => {
      const now = Date.now();
      return start({ clock: () => now, settings: { ...settings, ...more } });
    };
    /** Asks as two readers, and tells how often each of them was answered. */
    async function answered(docent: TestDocent, how: Asking = {}, address?: string) {
      const times: Record<string, number> = { ada: 0, eve: 0 };
      for (let round = 0; round < 3; round++)
        for (const fp of ["ada", "eve"])
          if ((await ask(docent, address, { ...how, fp })).status === 200) times[fp] = (times[fp] ?? 0) + 1;
      return times;
    }

    test("count for each of them, and a burst of one holds up nobody else", async () => {
      expect(await answered(await startAt())).toEqual({ ada: 2, eve: 2 });
    });

    test("count for each of them too where it passes a browser's headers on, with a key of its own", async () => {
      const docent = await startAt();
      const { sites, keys } = docent.app.parts.people;
      const { organizationId } = await sites.get("acme");
      const { key } = await keys.create({ organizationId, name: "backend", addresses: ["127.0.0.1"] });
      const origin = "https://docs.acme.example";
      expect(await answered(docent, { key, origin })).toEqual({ ada: 2, eve: 2 });
      expect((await ask(docent, undefined, { origin, fp: "eve" })).status).toBe(200);
      expect((await ask(docent, undefined, { origin, fp: "joe" })).status).toBe(429);
    });

    test("count for each of them behind a named proxy that does not say for which address", async () => {
      const docent = await startAt({ trusted_proxies: "127.0.0.1" });
      const origin = "https://docs.acme.example";
      expect(await answered(docent, { origin })).toEqual({ ada: 2, eve: 2 });
      // Of those for which it does, each is an address.
      expect(await answered(docent, { origin }, "192.0.2.7")).toEqual({ ada: 1, eve: 0 });
    });

    test("those of its address in a day and of the organization count as ever, before the body is read and after", async () => {
      const docent = await startAt({ address_messages_per_day: "3" });
      const wrong = { body: { fp: "ada" } };
      expect((await ask(docent, undefined, wrong)).status).toBe(400);
      expect((await ask(docent, undefined, { fp: "ada" })).status).toBe(200);
      expect(await ask(docent, undefined, { fp: "ada" })).toMatchObject({ status: 200, remaining: 0 });
      expect((await ask(docent, undefined, { fp: "eve" })).status).toBe(429);
      expect((await ask(docent, undefined, wrong)).status).toBe(429);
    });

    test("what is refused to one of them is counted to nobody", async () => {
      const docent = await startAt({ address_messages_per_day: "5" });
      for (let round = 0; round < 10; round++) await ask(docent, undefined, { fp: "ada" });
      for (const fp of ["b", "c", "d"]) expect((await ask(docent, undefined, { fp })).status).toBe(200);
      expect((await ask(docent, undefined, { fp: "e" })).status).toBe(429);
    });

    test("the contract's ten thousand in an hour are answered", async () => {
      const { SETTINGS } = await import("../../src/kernel/config/settings.ts");
      const { reader_messages_per_minute: each, organization_messages_per_hour: all } = SETTINGS;
      expect(each.default * 60).toBeGreaterThan(all.default);
      // And no page in a browser can use them up.
      expect(SETTINGS.address_messages_per_minute.default * 60).toBeLessThan(all.default);
    });
  });

  test("a message that is refused is counted against none of them", async () => {
    const now = Date.now();
    const docent = await start({
      clock: () => now,
      settings: {
        address_messages_per_day: "1",
        organization_messages_per_hour: "2",
        trusted_proxies: "127.0.0.1",
      },
    });
    expect((await ask(docent, "192.0.2.1")).status).toBe(200);
    for (let round = 0; round < 5; round++) expect((await ask(docent, "192.0.2.1")).status).toBe(429);
    expect((await ask(docent, "192.0.2.2")).status).toBe(200);
    expect((await ask(docent, "192.0.2.3")).status).toBe(429);
  });

  test("one address reads only so many answers at the same time, and has its places back when it is done", async () => {
    const ollama = startFakeOllama({ reply: { text: "slow [1]", firstTokenMs: 60_000 } });
    open.push({ close: () => ollama.stop() });
    const docent = await start({ ollama: ollama.url, settings: { address_streams: "2" } });
    const abort = new AbortController();
    const reading = [0, 1].map(() =>
      docent.post(ASKED, { signal: abort.signal }).then((reply) => reply.text()),
    );
    for (const each of reading) each.catch(() => {});
    await ollama.until(() => ollama.chats.length === 1);
    const turns = () => databaseOf(docent.app).query("SELECT 1 FROM turns").all().length;
    await ollama.until(() => turns() === 2);
    const refused = await ask(docent);
    expect(refused).toMatchObject({ status: 429, retryAfter: 1 });
    abort.abort();
    await Promise.allSettled(reading);
    ollama.replyWith({ text: "Yes [1]." });
    for (let round = 0; round < 4; round++) {
      let reply = await ask(docent);
      while (reply.status === 429) reply = await ask(docent);
      // The two that were read before and these: those that found no place are not counted.
      expect(reply).toMatchObject({ status: 200, remaining: reply.limit - 3 - round });
    }
  });
});
