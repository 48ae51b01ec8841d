import { afterEach, describe, expect, test } from "bun:test";
import { createGuardedFetch } from "../../src/kernel/lib/guarded-fetch/guarded-fetch.ts";
import { UNSEALED } from "../../src/kernel/lib/seal/seal.ts";
import { question, startDocent, type TestDocent } from "../helpers/docent.ts";
import { addSiteWithPages } from "../helpers/public-site.ts";

// Real sockets of IPv6, where the machine has any.

const isThere = hasIpv6();
const ASKED = question("How do I install Acme on Linux?");
const LIST = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" });

const open: TestDocent[] = [];
afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
});

async function start(settings: Record<string, string>): Promise<TestDocent> {
  const docent = await startDocent({ settings });
  open.push(docent);
  return docent;
}

function hasIpv6(): boolean {
  try {
    Bun.serve({ hostname: "::1", port: 0, fetch: () => new Response() }).stop(true);
    return true;
  } catch {
    return false;
  }
}

async function statusOf(url: string, headers: Record<string, string> = {}, body?: string): Promise<number> {
  const reply = await fetch(url, {
    method: body === undefined ? "GET" : "POST",
    headers: { ...headers, ...(body === undefined ? {} : { "content-type": "application/json" }) },
    ...(body === undefined ? {} : { body }),
  });
  await reply.text();
  return reply.status;
}

describe.skipIf(!isThere)("a server on ::1 (skipped where the machine has no IPv6)", () => {
  test.each(["::1", "[::1]", "0:0:0:0:0:0:0:1"])("that is told %s is reached as it says", async (host) => {
    const docent = await start({ host });
    expect(docent.url).toMatch(/^http:\/\/\[::1\]:\d+$/);
    expect(await statusOf(`${docent.url}/health/ready`)).toBe(200);
  });

  test("gives links and a script that lead back to it", async () => {
    const docent = await start({ host: "::1" });
    await addSiteWithPages(docent, "open", { "index.md": "# Start\n\nOpen to all." });
    const listed = await (await fetch(`${docent.url}/sites/open/llms.txt`)).text();
    const [, link = ""] = /\]\((http:[^)]*)\)/.exec(listed) ?? [];
    expect(link).toStartWith(`${docent.url}/`);
    expect(await statusOf(link)).toBe(200);
    expect(await statusOf(`${docent.url}/widget.js`)).toBe(200);
  });

  test("takes its own pages for its own, and those of another address for another's", async () => {
    const docent = await start({ host: "::1" });
    const key = { authorization: `Bearer ${docent.key}` };
    const mcp = `${docent.url}/mcp/acme`;
    expect(await statusOf(mcp, { ...key, origin: docent.url }, LIST)).toBe(200);
    expect(await statusOf(mcp, { ...key, origin: "http://[::2]:4747" }, LIST)).toBe(403);
    expect(await statusOf(mcp, { ...key, host: "[2001:db8::1]" }, LIST)).toBe(403);
    expect(await statusOf(`${docent.url}/`)).toBe(200);
  });

  test("lets the pages of an IPv6 address ask where the site lists it", async () => {
    const docent = await start({ host: "::1" });
    await docent.app.parts.people.sites.set("acme", { settings: { origins: ["http://[::1]:3000"] } });
    const from = (origin: string) => docent.post(ASKED, { headers: { origin } });
    const listed = await from("http://[::1]:3000");
    expect([listed.status, listed.headers.get("access-control-allow-origin")]).toEqual([
      200,
      "http://[::1]:3000",
    ]);
    expect((await from("http://[::1]:3001")).status).toBe(403);
  });

  test("counts a reader behind a proxy by the /64, however the proxy writes it", async () => {
    const docent = await start({
      host: "::1",
      trusted_proxies: "::1",
      reader_messages_per_minute: "3",
    });
    const statuses: number[] = [];
    const ask = async (address: string) => {
      const reply = await docent.post(ASKED, { headers: { "x-forwarded-for": address } });
      await reply.text();
      statuses.push(reply.status);
    };
    for (const address of ["[2001:db8:1:2::1]:443", "2001:DB8:1:2:ffff::9", "[2001:db8:1:2::1%eth0]"])
      await ask(address);
    await ask("2001:db8:1:2:3::");
    await ask("2001:db8:1:3::1");
    expect(statuses).toEqual([200, 200, 200, 429, 200]);
    statuses.length = 0;
    for (const address of ["192.0.2.7", "::ffff:192.0.2.7", "::ffff:c000:207", "[::ffff:192.0.2.7]:1"])
      await ask(address);
    await ask("::ffff:192.0.2.8");
    expect(statuses).toEqual([200, 200, 200, 429, 200]);
  });
});

describe.skipIf(!isThere)("a server on :: (skipped where the machine has no IPv6)", () => {
  test("is reached over both, and knows an IPv4 proxy by its own address", async () => {
    const docent = await start({
      host: "::",
      trusted_proxies: "127.0.0.1",
      reader_messages_per_minute: "1",
    });
    const { port } = new URL(docent.url);
    for (const host of ["127.0.0.1", "[::1]", "localhost"])
      expect(await statusOf(`http://${host}:${port}/mcp/acme`, bearer(docent), LIST)).toBe(200);
    const ask = (host: string, address: string) =>
      statusOf(
        `http://${host}:${port}/v1/assistant/acme/message`,
        { ...bearer(docent), "x-forwarded-for": address },
        JSON.stringify(ASKED),
      );
    expect(await ask("127.0.0.1", "2001:db8::1")).toBe(200);
    expect(await ask("127.0.0.1", "2001:db8:0:1::1")).toBe(200);
    // Over IPv6 the proxy is a stranger: what it says is not believed, and it counts itself.
    expect(await ask("[::1]", "2001:db8:0:2::1")).toBe(200);
    expect(await ask("[::1]", "2001:db8:0:3::1")).toBe(429);
  });
});

const bearer = ({ key }: TestDocent) => ({ authorization: `Bearer ${key}` });

describe.skipIf(!isThere)("a source on an IPv6 address (skipped where the machine has no IPv6)", () => {
  test("is fetched where the operator named the address, and no other way", async () => {
    const server = Bun.serve({ hostname: "::1", port: 0, fetch: () => new Response("here") });
    const url = `http://[::1]:${server.port}/`;
    const bytes = async (privateHosts: string[], address = url) => {
      const get = createGuardedFetch({ seal: UNSEALED, hosts: [new URL(address).host], privateHosts });
      const { body } = await get(address, { signal: new AbortController().signal });
      return new TextDecoder().decode(body);
    };
    try {
      for (const named of ["::1", "0:0:0:0:0:0:0:1", "::/64"]) expect(await bytes([named])).toBe("here");
      for (const others of [[], ["::2"], ["127.0.0.1"], ["localhost"], ["fd00::/8"]])
        await expect(bytes(others)).rejects.toThrow("private");
      const spelled = `http://[0:0:0:0:0:0:0:1]:${server.port}/`;
      expect(await bytes(["::1"], spelled)).toBe("here");
    } finally {
      await server.stop(true);
    }
  });
});
