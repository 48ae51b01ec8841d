import { describe, expect, test } from "bun:test";
import { FetchFault } from "../../../src/kernel/lib/guarded-fetch/fetch-fault.ts";
import { createGuardedFetch } from "../../../src/kernel/lib/guarded-fetch/guarded-fetch.ts";
import { sealByKernel } from "../../../src/kernel/lib/seal/landlock.ts";
import { proveSeal } from "../../../src/kernel/lib/seal/prove.ts";
import { createSeal, type Seal, UNSEALED } from "../../../src/kernel/lib/seal/seal.ts";
import { createOllamaClient } from "../../../src/models/ollama/client/client.ts";
import { createMail, createWebhooks } from "../../../src/running/delivery/delivery.ts";
import { LETTER } from "../../contract/delivery.ts";

const never = new AbortController().signal;
const OLLAMA = { purpose: "ollama", setting: "ollama_host", host: "127.0.0.1", port: 11434 } as const;
const DATABASE = { purpose: "database", setting: "database_url", host: "db.internal", port: 5432 } as const;

/** Something that takes connections, and counts them. */
function startListener() {
  let requests = 0;
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch() {
      requests++;
      return Response.json({ version: "0.1.2" });
    },
  });
  const port = server.port ?? 0;
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    requests: () => requests,
    [Symbol.dispose]: () => void server.stop(true),
  };
}

describe("a seal", () => {
  test("admits Ollama and the database, each for its own purpose and at its own port", () => {
    const seal = createSeal([OLLAMA, DATABASE]);
    expect(seal.refusal("ollama", "http://127.0.0.1:11434/api/tags")).toBeUndefined();
    expect(seal.refusal("database", "postgres://user:word@db.internal/docent")).toBeUndefined();
    for (const [purpose, url] of [
      ["other", "http://127.0.0.1:11434/"],
      ["ollama", "http://127.0.0.1:11435/"],
      ["ollama", "http://127.0.0.2:11434/"],
      ["ollama", "http://db.internal:5432/"],
      ["database", "postgres://db.internal:5433/docent"],
      ["other", "https://docs.example.com/"],
    ] as const)
      expect(seal.refusal(purpose, url)).toContain("the setting sealed");
  });

  test("is asked before a name is looked up: that goes to a server too", async () => {
    const looked: string[] = [];
    const get = createGuardedFetch({
      seal: createSeal([OLLAMA]),
      hosts: ["docs.example.com"],
      privateHosts: [],
      resolve: async (host) => {
        looked.push(host);
        return ["127.0.0.1"];
      },
    });
    const error = await get("http://docs.example.com/", { signal: never }).catch((fault: unknown) => fault);
    expect(error).toBeInstanceOf(FetchFault);
    expect(String(error)).toContain("a connection to docs.example.com is off while Docent is sealed");
    expect(looked).toEqual([]);
  });

  test("keeps a client of Ollama at the addresses of the settings", async () => {
    using listener = startListener();
    const clientWith = (seal: Seal) =>
      createOllamaClient({
        baseUrl: listener.url,
        seal,
        connectMs: 5000,
        firstByteMs: 5000,
        idleMs: 5000,
        attempts: 1,
      });
    await expect(clientWith(createSeal([OLLAMA])).version()).rejects.toMatchObject({ code: "unavailable" });
    expect(listener.requests()).toBe(0);
    const named = createSeal([{ ...OLLAMA, port: listener.port }]);
    expect(await clientWith(named).version()).toBe("0.1.2");
    expect(listener.requests()).toBe(1);
  });

  test("turns webhooks and mail off, and says so", async () => {
    using listener = startListener();
    const seal = createSeal([{ ...OLLAMA, port: listener.port }]);
    const webhooks = createWebhooks({
      seal,
      hosts: [`127.0.0.1:${listener.port}`],
      certificateAuthorities: [],
      timeoutMs: 2000,
    });
    expect(webhooks.fault(listener.url)).toContain("is a webhook, and these are off while Docent is sealed");
    await expect(webhooks.deliver(LETTER, listener.url)).rejects.toThrow("sealed");
    const mail = createMail({
      seal,
      server: `smtp://docs%40acme.example@127.0.0.1:${listener.port}`,
      from: "",
      certificateAuthorities: [],
      timeoutMs: 2000,
    });
    expect(mail.fault("support@acme.example")).toContain("mail is off while Docent is sealed");
    await expect(mail.deliver(LETTER, "support@acme.example")).rejects.toThrow("sealed");
    expect(listener.requests()).toBe(0);
  });
});

describe("the proof of a seal", () => {
  test("tells a process that is held back from one that is not", async () => {
    expect(await proveSeal(UNSEALED)).toEqual({ guardRefused: false, kernelRefused: false, arrived: 2 });
    // This process is not held by the kernel: what passes the guard arrives.
    expect(await proveSeal(createSeal([]))).toEqual({ guardRefused: true, kernelRefused: false, arrived: 1 });
  });

  test("only Linux holds a process back, and it is said where nothing does", () => {
    expect(sealByKernel([1], "darwin")).toEqual({
      isHeld: false,
      says: "the kernel does not hold connections back: only Linux can",
    });
  });
});
