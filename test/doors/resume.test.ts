import { afterEach, describe, expect, test } from "bun:test";
import { databaseOf } from "../helpers/database-of.ts";
import {
  type DocentOptions,
  onceLetIn,
  partsOf,
  question,
  startDocent,
  type TestDocent,
} from "../helpers/docent.ts";
import { type FakeOllama, startFakeOllama } from "../helpers/fake-ollama.ts";
import { letReadersSignIn } from "../helpers/signed-in-site.ts";
import { chunksOf, questionV2, textOfChunks } from "../helpers/ui-message.ts";

// Answers that are taken up again while they are written: by a page that was loaded again, or by another one.

const CHAT = "aB3dE6gH9jK2mN5p";
const QUESTION = "How do I install Acme on Linux?";
const ASKED = questionV2(QUESTION, { id: CHAT });
const WHOLE = "Run the installer as root.";
/** Not over before the test is: what happens then is what the test makes happen. */
const GOES_ON = { resume_seconds: "600" };

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
});

/** A model that writes half of its answer, and the rest when it is let. */
async function start(options: DocentOptions = {}) {
  const ollama = startFakeOllama();
  const docent = await startDocent({ ollama: ollama.url, logLevel: "info", ...options });
  open.push(docent, { close: () => ollama.stop() });
  const { promise: rest, resolve: goOn } = Promise.withResolvers<void>();
  ollama.replyWith({
    text: ["Run ", "the ", "installer ", "as ", "root [1]."],
    beforeToken: (index) => (index === 3 ? rest : Promise.resolve()),
  });
  return { docent, ollama, goOn };
}

interface Asking {
  version?: "v1" | "v2";
  chat?: string;
  key?: string;
  headers?: Record<string, string>;
  fp?: string;
  domain?: string;
}

function resume(docent: TestDocent, asking: Asking = {}): Promise<Response> {
  const { version = "v2", chat = CHAT, key = docent.key, headers = {}, fp, domain = "acme" } = asking;
  const path = `${docent.url}/${version}/assistant/${domain}/message`;
  const query = fp === undefined ? "" : `fp=${encodeURIComponent(fp)}`;
  const url = version === "v2" ? `${path}/${chat}/stream?${query}` : `${path}?chatId=${chat}&${query}`;
  return fetch(url, { headers: { authorization: `Bearer ${key}`, ...headers } });
}

/** Asks, reads to the middle of the answer, and gives what ends the reading. */
async function askHalf(
  docent: TestDocent,
  body: unknown = ASKED,
  init: Parameters<TestDocent["post"]>[1] = {},
) {
  const leaving = new AbortController();
  const reply = await docent.post(body, { version: "v2", signal: leaving.signal, ...init });
  const reader = reply.body?.pipeThrough(new TextDecoderStream()).getReader();
  let wire = "";
  while (!/(text-delta|\n0:)[\s\S]*installer/.test(wire)) wire += (await reader?.read())?.value ?? "";
  return {
    reply,
    leave: () => leaving.abort(),
    async readOn() {
      for (let next = await reader?.read(); next && !next.done; next = await reader?.read())
        wire += next.value;
      return wire;
    },
  };
}

const outcomesOf = ({ app }: TestDocent) =>
  databaseOf(app)
    .query<{ outcome: string | null }, []>("SELECT outcome FROM turns ORDER BY created_at, id")
    .all()
    .map(({ outcome }) => outcome);

const textOfReply = async (reply: Response) => textOfChunks(chunksOf(await reply.text()));
const plain = (text: string) => text.replaceAll(/ \[\[1\]\]\([^)]*\)|\s*```suggestions[\s\S]*/g, "").trim();

async function stoppedWithoutGoingOn(docent: TestDocent, ollama: FakeOllama): Promise<void> {
  await ollama.until(() => ollama.chats[0]?.aborted === true);
  await ollama.until(() => outcomesOf(docent)[0] === "stopped");
}

describe("where no answer is being written", () => {
  test.each(["v1", "v2"] as const)("the reply of %s is 204, and nobody keeps it", async (version) => {
    const { docent } = await start({ ollama: "http://127.0.0.1:1" });
    for (const prefix of ["", "/discovery"]) {
      const reply = await resume({ ...docent, url: docent.url + prefix }, { version });
      expect([reply.status, await reply.text()]).toEqual([204, ""]);
      expect(reply.headers.get("cache-control")).toBe("no-store");
    }
    const read = await docent.post(ASKED, { version: "v2" });
    await read.text();
    expect((await resume(docent, { version })).status).toBe(204);
  });

  test("a stranger is refused, and a missing site said to be missing, as everywhere", async () => {
    const { docent } = await start();
    expect((await resume(docent, { key: "docent_dsc_nobody" })).status).toBe(401);
    expect((await resume(docent, { domain: "nowhere" })).status).toBe(404);
    const url = `${docent.url}/v1/assistant/acme/message`;
    const nameless = await fetch(url, { headers: { authorization: `Bearer ${docent.key}` } });
    expect(nameless.status).toBe(204);
  });

  test("pages of other origins may read that, and it counts as no message", async () => {
    const { docent } = await start({ settings: { organization_messages_per_hour: "1" } });
    for (let times = 0; times < 3; times++) {
      const reply = await resume(docent, { headers: { origin: "https://docs.acme.example" } });
      expect([reply.status, reply.headers.get("access-control-allow-origin")]).toEqual([
        204,
        "https://docs.acme.example",
      ]);
    }
  });
});

describe("a running answer", () => {
  test("is read by another page from its start, and goes on for both", async () => {
    const { docent, goOn } = await start();
    const first = await askHalf(docent);
    const second = await resume(docent);
    expect(second.headers.get("x-thread-id")).toBe(first.reply.headers.get("x-thread-id"));
    expect(second.headers.get("x-message-id")).toBe(first.reply.headers.get("x-message-id"));
    goOn();
    const [one, other] = await Promise.all([first.readOn(), second.text()]);
    expect(other).toBe(one);
    expect(plain(textOfChunks(chunksOf(other)))).toBe(WHOLE);
    expect(outcomesOf(docent)).toEqual(["answered"]);
    expect((await resume(docent)).status).toBe(204);
  });

  test("is not taken up by a question for its headers alone, which would never say that it is through", async () => {
    const { docent, ollama } = await start({ settings: { resume_seconds: "0" } });
    const first = await askHalf(docent);
    const url = `${docent.url}/v2/assistant/acme/message/${CHAT}/stream`;
    const headers = { authorization: `Bearer ${docent.key}` };
    expect((await fetch(url, { method: "HEAD", headers })).status).toBe(204);
    first.leave();
    await stoppedWithoutGoingOn(docent, ollama);
  });

  test("of v1 is read so too", async () => {
    const { docent, goOn } = await start();
    const first = await askHalf(docent, question(QUESTION, { id: CHAT }), { version: "v1" });
    const second = await resume(docent, { version: "v1" });
    expect(second.headers.get("x-vercel-ai-data-stream")).toBe("v1");
    goOn();
    const [one, other] = await Promise.all([first.readOn(), second.text()]);
    expect(partsOf(other)).toEqual(partsOf(one));
  });

  test("goes on while one of its readers is left, and stops with the last", async () => {
    const { docent, ollama } = await start({ settings: { resume_seconds: "0" } });
    const first = await askHalf(docent);
    const leaving = new AbortController();
    const second = await fetch(`${docent.url}/v2/assistant/acme/message/${CHAT}/stream`, {
      headers: { authorization: `Bearer ${docent.key}` },
      signal: leaving.signal,
    });
    first.leave();
    // A third one finds it, so the first has not ended it; whether it was noticed by then does not matter.
    const third = await resume(docent);
    expect(third.status).toBe(200);
    await third.body?.cancel();
    leaving.abort();
    await second.text().catch(() => {});
    await stoppedWithoutGoingOn(docent, ollama);
  });

  test("is stopped when its reader leaves, in a chat that never asked for a running one", async () => {
    const { docent, ollama } = await start({ settings: GOES_ON });
    (await askHalf(docent)).leave();
    await stoppedWithoutGoingOn(docent, ollama);
  });

  test("is stopped when its reader leaves, where answers are not to go on", async () => {
    const { docent, ollama } = await start({ settings: { resume_seconds: "0" } });
    await resume(docent);
    (await askHalf(docent)).leave();
    await stoppedWithoutGoingOn(docent, ollama);
  });
});

describe("in a chat that asks for a running answer when its page is loaded", () => {
  test("the answer goes on while the page is loaded again, which reads it from its start", async () => {
    const { docent, ollama, goOn } = await start({ settings: GOES_ON });
    await resume(docent);
    const first = await askHalf(docent);
    first.leave();
    const second = await resume(docent);
    goOn();
    expect(plain(await textOfReply(second))).toBe(WHOLE);
    expect(ollama.chats.map(({ aborted }) => aborted)).toEqual([false]);
    expect(outcomesOf(docent)).toEqual(["answered"]);
  });

  test("an answer that ends while nobody reads it waits for the page, once", async () => {
    const { docent, ollama, goOn } = await start({ settings: GOES_ON });
    await resume(docent);
    const first = await askHalf(docent);
    first.leave();
    await first.readOn().catch(() => {});
    goOn();
    await ollama.until(() => outcomesOf(docent)[0] === "answered");
    expect(plain(await textOfReply(await resume(docent)))).toBe(WHOLE);
    expect((await resume(docent)).status).toBe(204);
  });

  test("the answer stops when nobody has come back", async () => {
    const { docent, ollama } = await start({ settings: { resume_seconds: "1" } });
    await resume(docent);
    (await askHalf(docent)).leave();
    await stoppedWithoutGoingOn(docent, ollama);
    expect((await resume(docent)).status).toBe(204);
  });

  test("the next question stops an answer that nobody reads any more", async () => {
    const { docent, ollama } = await start({ settings: GOES_ON });
    await resume(docent);
    const first = await askHalf(docent);
    first.leave();
    await first.readOn().catch(() => {});
    ollama.replyWith({ text: "Use the setup program [1]." });
    const next = await docent.post(questionV2("How do I install it?", { id: CHAT }), { version: "v2" });
    await next.text();
    await stoppedWithoutGoingOn(docent, ollama);
  });

  test("an answer that goes on keeps its place among those of its address", async () => {
    const { docent, ollama, goOn } = await start({ settings: { ...GOES_ON, address_streams: "1" } });
    await (await resume(docent)).text();
    const first = await askHalf(docent);
    first.leave();
    await first.readOn().catch(() => {});
    expect((await docent.post(questionV2(QUESTION), { version: "v2" })).status).toBe(429);
    goOn();
    await ollama.until(() => outcomesOf(docent)[0] === "answered");
    const reply = await onceLetIn(() => docent.post(questionV2(QUESTION), { version: "v2" }));
    expect(reply.status).toBe(200);
    await reply.text();
  });

  test("a server that stops tells whoever reads it, and waits for nobody", async () => {
    const { docent } = await start({ settings: { ...GOES_ON, shutdown_seconds: "0" } });
    await resume(docent);
    const first = await askHalf(docent);
    const second = await resume(docent);
    first.leave();
    const wire = second.text();
    open.splice(0, 1);
    await docent.close();
    expect(chunksOf(await wire).at(-1)).toMatchObject({ type: "error" });
  });
});

describe("a running answer is nobody else's", () => {
  const isFor = async (docent: TestDocent, asking: Asking) => {
    const reply = await resume(docent, asking);
    await reply.body?.cancel();
    return reply.status === 200;
  };

  test("than its chat's, and its reader's where the app names them", async () => {
    const { docent, goOn } = await start();
    const first = await askHalf(docent, { ...ASKED, fp: "reader-7" });
    expect(await isFor(docent, {})).toBe(true);
    expect(await isFor(docent, { fp: "reader-7" })).toBe(true);
    expect(await isFor(docent, { fp: "reader-8" })).toBe(false);
    expect(await isFor(docent, { fp: "anonymous" })).toBe(false);
    expect(await isFor(docent, { chat: "another" })).toBe(false);
    goOn();
    await first.readOn();
  });

  test("where all chats are called alike, unless the app names its reader", async () => {
    const { docent, goOn } = await start();
    const chat = "docs-assistant-chat";
    const first = await askHalf(docent, { ...ASKED, id: chat, fp: "reader-7" });
    expect(await isFor(docent, { chat })).toBe(false);
    expect(await isFor(docent, { chat, fp: "reader-8" })).toBe(false);
    expect(await isFor(docent, { chat, fp: "reader-7" })).toBe(true);
    goOn();
    await first.readOn();
  });

  test("at another address", async () => {
    const { docent, goOn } = await start({ settings: { trusted_proxies: "127.0.0.1" } });
    const from = (address: string) => ({ headers: { "x-forwarded-for": address } });
    const first = await askHalf(docent, { ...ASKED, fp: "reader-7" }, from("192.0.2.7"));
    expect(await isFor(docent, { fp: "reader-7", ...from("192.0.2.8") })).toBe(false);
    expect(await isFor(docent, { fp: "reader-7", ...from("192.0.2.7") })).toBe(true);
    goOn();
    await first.readOn();
  });

  test("with another key, or on another site", async () => {
    const { docent, goOn } = await start();
    const first = await askHalf(docent);
    const { sites, keys } = docent.app.parts.people;
    const other = await sites.add({ domain: "other", name: "Other" });
    const { key } = await keys.create({ organizationId: other.organizationId, name: "another" });
    expect(await isFor(docent, { key })).toBe(false);
    expect(await isFor(docent, { domain: "other" })).toBe(false);
    expect(await isFor(docent, {})).toBe(true);
    goOn();
    await first.readOn();
  });

  test("where readers sign in: it is theirs, wherever they are, and while they may see the same", async () => {
    const { docent, goOn } = await start({ settings: { trusted_proxies: "127.0.0.1" } });
    const site = await letReadersSignIn(docent);
    const chat = "chat";
    const first = await askHalf(docent, { ...ASKED, id: chat }, { headers: await site.as("ada") });
    expect(await isFor(docent, { chat, headers: await site.as("eve") })).toBe(false);
    expect(await isFor(docent, { chat, headers: await site.as("ada", { groups: ["staff"] }) })).toBe(false);
    expect((await resume(docent, { chat })).status).toBe(401);
    const elsewhere = { ...(await site.as("ada")), "x-forwarded-for": "198.51.100.9" };
    expect(await isFor(docent, { chat, headers: elsewhere })).toBe(true);
    goOn();
    await first.readOn();
  });
});
