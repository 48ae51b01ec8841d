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

async function ask(docent: TestDocent, address?: string) {
  const reply = await docent.post(
    ASKED,
    address === undefined ? {} : { headers: { "x-forwarded-for": address } },
  );
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
    for (let round = 0; round < 3; round++) expect((await ask(docent)).status).toBe(200);
    const refused = await ask(docent);
    expect(refused).toMatchObject({ status: 429, limit: 3 });
    expect(refused.retryAfter).toBeLessThanOrEqual(61);
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
