import { describe, expect, test } from "bun:test";
import { createServer, type Server } from "node:net";
import { join } from "node:path";
import { FetchFault } from "../../../src/kernel/lib/guarded-fetch/fetch-fault.ts";
import {
  createGuardedFetch,
  type GuardedFetchOptions,
} from "../../../src/kernel/lib/guarded-fetch/guarded-fetch.ts";
import { UNSEALED } from "../../../src/kernel/lib/seal/seal.ts";
import { startFakeSite } from "../../helpers/fake-site.ts";

const LOOPBACK = ["127.0.0.1"];
const never = new AbortController().signal;

async function faultOf(work: Promise<unknown>): Promise<FetchFault> {
  const result = await work.catch((error: unknown) => error);
  if (result instanceof FetchFault) return result;
  throw new Error(`a FetchFault was expected, not ${String(result)}`);
}

/** A guarded fetch whose names all stand for the loopback address. */
function guarded(hosts: string[], options: Partial<GuardedFetchOptions> = {}) {
  const asked: string[] = [];
  const get = createGuardedFetch({
    seal: UNSEALED,
    hosts,
    privateHosts: LOOPBACK,
    resolve: async (host) => {
      asked.push(host);
      return ["127.0.0.1"];
    },
    ...options,
  });
  return {
    get,
    asked,
    text: async (url: string) => new TextDecoder().decode((await get(url, { signal: never })).body),
  };
}

/** A server that writes what it likes. */
async function rawServer(
  answer: (write: (text: string) => void, end: () => void) => void,
  at = { host: "127.0.0.1", port: 0 },
) {
  const server: Server = createServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", () =>
      answer(
        (text) => socket.write(text),
        () => socket.destroy(),
      ),
    );
  });
  await new Promise<void>((resolve) => server.listen(at.port, at.host, resolve));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}/`,
    host: `127.0.0.1:${port}`,
    [Symbol.dispose]: () => server.close(),
  };
}

describe("only what is named is reached", () => {
  test("a host that the source does not name is not even looked up", async () => {
    const { get, asked } = guarded(["docs.test"]);
    const fault = await faultOf(get("http://other.test/", { signal: never }));
    expect(fault.kind).toBe("outside");
    expect(fault.message).toBe("it is on other.test, which is another host: add that address as a source");
    expect(asked).toEqual([]);
  });

  test("a host is the same with a dot at its end, in the source and in the configuration", async () => {
    await using site = startFakeSite({ "/": "hello" });
    const port = new URL(site.url).port;
    for (const [named, address] of [
      ["docs.test.", "docs.test"],
      ["docs.test", "docs.test."],
      ["docs.test.", "docs.test."],
    ] as const) {
      const { text } = guarded([`${named}:${port}`], {
        privateHosts: ["DOCS.test."],
        credentials: { origin: `http://${named}:${port}`, headers: { authorization: "Bearer t" } },
      });
      expect(await text(`http://${address}:${port}/`)).toBe("hello");
      expect(site.requests.at(-1)?.headers.get("authorization")).toBe("Bearer t");
    }
  });

  test("a named host is not named on every port", async () => {
    const { get } = guarded(["docs.test", "other.test:8080"]);
    expect((await faultOf(get("http://docs.test:6379/", { signal: never }))).kind).toBe("outside");
    expect((await faultOf(get("http://other.test/", { signal: never }))).kind).toBe("outside");
  });

  test.each([
    "file:///etc/passwd",
    "ftp://docs.test/",
    "data:text/plain,x",
    "gopher://docs.test/",
    "not an address",
  ])("%s is refused", async (url) => {
    expect((await faultOf(guarded(["docs.test"]).get(url, { signal: never }))).kind).toBe("refused");
  });

  test("an address that carries a password is refused, and the password is not repeated", async () => {
    const fault = await faultOf(
      guarded(["docs.test"]).get("http://me:hunter2@docs.test/", { signal: never }),
    );
    expect(fault.kind).toBe("refused");
    expect(fault.message).not.toContain("hunter2");
  });

  test.each([
    "http://127.0.0.1/",
    "http://2130706433/",
    "http://0x7f.1/",
    "http://0177.0.0.1/",
    "http://127.1/",
    "http://127.0.0.1./",
    "http://[::1]/",
    "http://[::ffff:127.0.0.1]/",
    "http://169.254.169.254/latest/meta-data/",
    "http://[fe80::1]/",
    "http://0.0.0.0/",
    "http://10.1.2.3/",
    "http://[64:ff9b::10.0.0.1]/",
    "http://[2002:7f00:1::]/",
  ])(
    "%s is refused although the source names it, because the server's configuration does not",
    async (url) => {
      const get = createGuardedFetch({ seal: UNSEALED, hosts: [new URL(url).host], privateHosts: [] });
      const fault = await faultOf(get(url, { signal: never }));
      expect(fault.kind).toBe("refused");
      expect(fault.message).toContain("name the address in private_hosts");
    },
  );

  test("a name for a private address is refused, and the message says what to do, and not where it leads", async () => {
    const { get } = guarded(["docs.test"], { privateHosts: [] });
    const fault = await faultOf(get("http://docs.test/", { signal: never }));
    expect(fault.kind).toBe("refused");
    expect(fault.message).toBe(
      "docs.test is at an address that is not public: name the host or its address in private_hosts to allow it",
    );
    // The log may say it.
    expect(fault.cause).toEqual(new Error("docs.test is at 127.0.0.1, a private address"));
  });

  test("one private address among public ones is enough", async () => {
    const { get } = guarded(["docs.test"], {
      privateHosts: [],
      resolve: async () => ["93.184.215.14", "10.0.0.1"],
    });
    expect((await faultOf(get("http://docs.test/", { signal: never }))).kind).toBe("refused");
  });

  test.each([["docs.test"], ["127.0.0.1"], ["127.0.0.0/8"]])(
    "private_hosts with %s allows it",
    async (entry) => {
      await using site = startFakeSite({ "/": "hello" });
      const port = new URL(site.url).port;
      const { text } = guarded([`docs.test:${port}`], { privateHosts: [entry] });
      expect(await text(`http://docs.test:${port}/`)).toBe("hello");
      expect(site.requests[0]?.headers.get("host")).toBe(`docs.test:${port}`);
    },
  );

  test("a name in private_hosts does not open the addresses where clouds keep credentials", async () => {
    const { get } = guarded(["docs.test"], {
      privateHosts: ["docs.test"],
      resolve: async () => ["169.254.169.254"],
    });
    expect((await faultOf(get("http://docs.test/", { signal: never }))).kind).toBe("refused");
  });

  test("a name that is turned to another address after it was checked is not followed there", async () => {
    await using site = startFakeSite({ "/": "the checked one" });
    const port = new URL(site.url).port;
    const answers = [["127.0.0.1"], ["127.0.0.2"], ["169.254.169.254"]];
    let lookups = 0;
    const { text, get } = guarded([`docs.test:${port}`], {
      privateHosts: ["127.0.0.1"],
      resolve: async () => answers[lookups++] ?? [],
    });
    expect(await text(`http://docs.test:${port}/`)).toBe("the checked one");
    expect(lookups).toBe(1);
    expect(String((await faultOf(get(`http://docs.test:${port}/`, { signal: never }))).cause)).toContain(
      "127.0.0.2",
    );
    expect(String((await faultOf(get(`http://docs.test:${port}/`, { signal: never }))).cause)).toContain(
      "169.254.169.254",
    );
    expect(site.requests).toHaveLength(1);
  });

  test("the proxy of the environment is not used", async () => {
    await using site = startFakeSite({ "/": "direct" });
    await using proxy = startFakeSite({});
    const module = join(import.meta.dir, "../../../src/kernel/lib/guarded-fetch/guarded-fetch.ts");
    const script = `
      const { createGuardedFetch } = await import(${JSON.stringify(module)});
      const seal = { refusal: () => undefined };
      const get = createGuardedFetch({ seal, hosts: [${JSON.stringify(site.host)}], privateHosts: ["127.0.0.1"] });
      const { body } = await get(${JSON.stringify(site.url)}, { signal: new AbortController().signal });
      process.stdout.write(body);`;
    const environment = {
      ...process.env,
      HTTP_PROXY: proxy.url,
      http_proxy: proxy.url,
      NO_PROXY: "",
      no_proxy: "",
    };
    const child = Bun.spawn([process.execPath, "-e", script], { env: environment, stdout: "pipe" });
    expect(await new Response(child.stdout).text()).toBe("direct");
    expect(proxy.requests).toEqual([]);
  });
});

describe("a redirect", () => {
  test.each([301, 302, 303, 307, 308])("of status %d is followed", async (status) => {
    await using site = startFakeSite({ "/a": { status, headers: { location: "/b" } }, "/b": "here" });
    const response = await guarded([site.host]).get(`${site.url}/a`, { signal: never });
    expect([response.status, response.url]).toEqual([200, `${site.url}/b`]);
  });

  test("is followed on the same host, and the reply says where it ended", async () => {
    await using site = startFakeSite({
      "/a": { status: 301, headers: { location: "/b" } },
      "/b": { status: 302, headers: { location: "c?x=1" } },
      "/c": "here",
    });
    const response = await guarded([site.host]).get(`${site.url}/a`, { signal: never });
    expect(response.url).toBe(`${site.url}/c?x=1`);
    expect(new TextDecoder().decode(response.body)).toBe("here");
  });

  test.each([
    ["http://169.254.169.254/latest/meta-data/", "outside"],
    ["http://other.test/", "outside"],
    ["http://named.test/", "refused"],
    ["file:///etc/passwd", "refused"],
    ["//other.test/", "outside"],
  ] as const)("to %s is refused before any connection", async (location, kind) => {
    await using site = startFakeSite({ "/": { status: 302, headers: { location } } });
    const asked: string[] = [];
    const get = createGuardedFetch({
      seal: UNSEALED,
      hosts: [site.host, "named.test"],
      privateHosts: LOOPBACK,
      resolve: async (host) => {
        asked.push(host);
        return ["169.254.169.254"];
      },
    });
    expect((await faultOf(get(site.url, { signal: never }))).kind).toBe(kind);
    expect(asked).toEqual(location.includes("named") ? ["named.test"] : []);
  });

  test("that never ends, ends", async () => {
    await using site = startFakeSite({ "/": { status: 302, headers: { location: "/" } } });
    const get = guarded([site.host], { redirectsMax: 3 }).get;
    expect((await faultOf(get(site.url, { signal: never }))).message).toBe("it redirects more than 3 times");
    expect(site.requests).toHaveLength(4);
  });

  test("is handed over where the caller asks for that", async () => {
    await using site = startFakeSite({
      "/": { status: 302, headers: { location: "http://169.254.169.254/" } },
    });
    const response = await guarded([site.host]).get(site.url, { signal: never, redirect: "manual" });
    expect(response.status).toBe(302);
  });
});

describe("credentials", () => {
  const secret = { authorization: "Bearer hunter2", cookie: "session=hunter2" };

  test("go to the origin that they are for, and not along with a redirect to another one", async () => {
    await using elsewhere = startFakeSite({ "/": "there" });
    await using site = startFakeSite({
      "/away": { status: 307, headers: { location: elsewhere.url } },
      "/": "here",
    });
    const hosts = [site.host, elsewhere.host];
    const own = { credentials: { origin: site.url, headers: { ...secret, "x-api-key": "hunter2" } } };
    for (const { get, headers } of [
      { get: guarded(hosts, own).get, headers: {} },
      { get: guarded(hosts).get, headers: secret },
    ]) {
      await get(`${site.url}/`, { signal: never, headers });
      await get(`${site.url}/away`, { signal: never, headers });
    }
    expect(site.requests.map(({ headers }) => headers.get("authorization"))).toEqual(
      Array(4).fill("Bearer hunter2"),
    );
    expect(elsewhere.requests).toHaveLength(2);
    for (const { headers } of elsewhere.requests)
      expect(JSON.stringify([...headers])).not.toContain("hunter2");
  });

  test("are not sent to a host that is merely allowed", async () => {
    await using elsewhere = startFakeSite({ "/": "there" });
    const { text } = guarded([elsewhere.host], {
      credentials: { origin: "https://docs.test", headers: secret },
    });
    await text(elsewhere.url);
    expect(elsewhere.requests[0]?.headers.get("authorization")).toBeNull();
  });
});

describe("every reply has a bound", () => {
  test("a body of 50 MB is not read to its end", async () => {
    let sent = 0;
    await using site = startFakeSite({
      "/": () => ({
        body: new ReadableStream({
          pull(controller) {
            sent += 1_000_000;
            if (sent > 50_000_000) controller.close();
            else controller.enqueue(new Uint8Array(1_000_000));
          },
        }),
      }),
    });
    const fault = await faultOf(
      guarded([site.host], { bytesMax: 2_000_000 }).get(site.url, { signal: never }),
    );
    expect(fault.kind).toBe("too_large");
    expect(fault.message).toBe("it is larger than 2000000 bytes");
    expect(sent).toBeLessThan(40_000_000);
  });

  test("a body that announces its size is not begun", async () => {
    await using site = startFakeSite({ "/": { body: new Uint8Array(5000) } });
    expect((await faultOf(guarded([site.host]).get(site.url, { signal: never, bytesMax: 4999 }))).kind).toBe(
      "too_large",
    );
    expect((await guarded([site.host]).get(site.url, { signal: never, bytesMax: 5000 })).body).toHaveLength(
      5000,
    );
  });

  test("a small body that unpacks to a large one is stopped", async () => {
    const bomb = Bun.gzipSync(new Uint8Array(20_000_000));
    await using site = startFakeSite({ "/": { headers: { "content-encoding": "gzip" }, body: bomb } });
    const fault = await faultOf(
      guarded([site.host], { bytesMax: 1_000_000 }).get(site.url, { signal: never }),
    );
    expect(fault.message).toBe("it is larger than 1000000 bytes when unpacked");
  });

  test("what is packed comes unpacked, and what is packed badly is a fault", async () => {
    const { brotliCompressSync, deflateSync } = await import("node:zlib");
    const packed = (encoding: string, body: BodyInit) => ({
      headers: { "content-encoding": encoding },
      body,
    });
    await using site = startFakeSite({
      "/gzip": packed("gzip", Bun.gzipSync(Buffer.from("hello"))),
      "/br": packed("br", brotliCompressSync("hello")),
      "/deflate": packed("deflate", deflateSync("hello")),
      "/identity": packed("identity", "hello"),
      "/bad": packed("gzip", "hello"),
      "/other": packed("zstd", "hello"),
    });
    const { get, text } = guarded([site.host]);
    for (const name of ["gzip", "br", "deflate", "identity"])
      expect(await text(`${site.url}/${name}`)).toBe("hello");
    for (const name of ["bad", "other"])
      expect((await faultOf(get(`${site.url}/${name}`, { signal: never }))).kind).toBe("protocol");
  });

  test("headers that never end are refused", async () => {
    let isOpen = true;
    using server = await rawServer((write, _end) => {
      write("HTTP/1.1 200 OK\r\n");
      for (let line = 0; line < 20_000 && isOpen; line++) write(`x-${line}: ${"y".repeat(1000)}\r\n`);
    });
    expect((await faultOf(guarded([server.host]).get(server.url, { signal: never }))).kind).toBe("protocol");
    isOpen = false;
  });

  test("a server that says nothing is left", async () => {
    using server = await rawServer(() => {});
    const fault = await faultOf(guarded([server.host], { idleMs: 50 }).get(server.url, { signal: never }));
    expect([fault.kind, fault.message]).toEqual(["timeout", "nothing came for 0.05 seconds"]);
  });

  test("a server that goes silent in the middle of a body is left", async () => {
    using server = await rawServer((write) => write("HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhello"));
    const fault = await faultOf(guarded([server.host], { idleMs: 50 }).get(server.url, { signal: never }));
    expect(fault.kind).toBe("timeout");
  });

  test("a server that trickles for ever is left", async () => {
    let timer: ReturnType<typeof setInterval> | undefined;
    using server = await rawServer((write) => {
      write("HTTP/1.1 200 OK\r\ncontent-length: 1000000\r\n\r\n");
      timer = setInterval(() => write("x"), 5);
    });
    const fault = await faultOf(guarded([server.host], { totalMs: 100 }).get(server.url, { signal: never }));
    clearInterval(timer);
    expect([fault.kind, fault.message]).toEqual(["timeout", "it was not complete after 0.1 seconds"]);
  });

  test("a name server that does not answer is left", async () => {
    const { get } = guarded(["docs.test"], { idleMs: 50, resolve: () => new Promise(() => {}) });
    expect((await faultOf(get("http://docs.test/", { signal: never }))).kind).toBe("timeout");
  });

  test("a connection that breaks in the middle is a fault, not a short page", async () => {
    for (const head of [
      "content-length: 100\r\n\r\nhello",
      "transfer-encoding: chunked\r\n\r\n5\r\nhello\r\n",
    ]) {
      using server = await rawServer((write, end) => {
        write(`HTTP/1.1 200 OK\r\n${head}`);
        setTimeout(end, 20);
      });
      expect((await faultOf(guarded([server.host]).get(server.url, { signal: never }))).kind).toBe(
        "unreachable",
      );
    }
  });

  test("an abort ends it with its own reason", async () => {
    using server = await rawServer(() => {});
    const controller = new AbortController();
    const result = guarded([server.host])
      .get(server.url, { signal: controller.signal })
      .catch((error: unknown) => error);
    controller.abort("the reason");
    expect(await result).toBe("the reason");
  });

  test("an abort between the head and the body leaves no failure that nobody looks at: that would end the process", async () => {
    await using site = startFakeSite({ "/": "A page" });
    const controller = new AbortController();
    const wantsBody = () => {
      controller.abort(new Error("nobody waits"));
      return true;
    };
    const got = guarded([site.host]).get(`${site.url}/`, { signal: controller.signal, wantsBody });
    await expect(got).rejects.toThrow("nobody waits");
    // The runner fails a test that leaves one.
    await Bun.sleep(1);
  });

  test("a body that nobody wants is not read", async () => {
    await using site = startFakeSite({
      "/": { headers: { "content-type": "application/zip" }, body: new Uint8Array(9) },
    });
    const response = await guarded([site.host]).get(site.url, { signal: never, wantsBody: () => false });
    expect([response.status, response.body.length]).toEqual([200, 0]);
  });
});

describe("what cannot be reached", () => {
  test("is said with the host's name", async () => {
    const site = startFakeSite({});
    await site.stop();
    const fault = await faultOf(guarded([site.host]).get(site.url, { signal: never }));
    expect([fault.kind, fault.message]).toEqual(["unreachable", `${site.host} cannot be reached`]);
  });

  test("is tried at the host's other addresses", async () => {
    await using site = startFakeSite({ "/": "hello" });
    const port = new URL(site.url).port;
    const { text } = guarded([`docs.test:${port}`], {
      privateHosts: ["docs.test"],
      resolve: async () => ["::1", "127.0.0.3", "127.0.0.1"],
    });
    expect(await text(`http://docs.test:${port}/`)).toBe("hello");
  });

  test("is not tried at another address once somebody has answered who does not speak HTTP", async () => {
    await using site = startFakeSite({ "/": "hello" });
    const port = Number(new URL(site.url).port);
    using _raw = await rawServer((write) => write("SSH-2.0-OpenSSH\r\n\r\n"), {
      host: "127.0.0.2",
      port,
    });
    const { get } = guarded([`docs.test:${port}`], {
      privateHosts: ["docs.test"],
      resolve: async () => ["127.0.0.2", "127.0.0.1"],
    });
    const fault = await faultOf(get(`http://docs.test:${port}/`, { signal: never }));
    expect([fault.kind, site.requests]).toEqual(["protocol", []]);
  });

  test.each([
    ["fails", async () => Promise.reject(new Error("NXDOMAIN"))],
    ["finds nothing", async () => []],
  ])("because its name's lookup %s", async (_, resolve) => {
    const fault = await faultOf(
      guarded(["docs.test"], { resolve }).get("http://docs.test/", { signal: never }),
    );
    expect([fault.kind, fault.message]).toEqual(["unreachable", "docs.test does not resolve to an address"]);
  });
});
