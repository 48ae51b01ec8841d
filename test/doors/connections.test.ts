import { afterEach, expect, test } from "bun:test";
import { connect } from "node:net";
import { question, startDocent, type TestDocent } from "../helpers/docent.ts";
import { parseExposition, readingOf } from "../helpers/exposition.ts";
import { type FakeOllama, startFakeOllama } from "../helpers/fake-ollama.ts";
import { isShared } from "../helpers/shared-database.ts";

// What happens on a connection on which a client sends more than it waits for, or says early that it sends no more.

const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each.close();
});

async function start(): Promise<{ docent: TestDocent; ollama: FakeOllama }> {
  const ollama = startFakeOllama({ reply: { text: "Run the installer [1].", firstTokenMs: 60_000 } });
  const docent = await startDocent({ ollama: ollama.url, settings: { metrics: "on" } });
  open.push({ close: () => ollama.stop() }, docent);
  return { docent, ollama };
}

function posted({ url, key }: TestDocent, path: string, body: unknown): string {
  const text = JSON.stringify(body);
  const head = [
    `POST ${path} HTTP/1.1`,
    `host: ${new URL(url).host}`,
    "content-type: application/json",
    `authorization: Bearer ${key}`,
    `content-length: ${Buffer.byteLength(text)}`,
  ];
  return `${head.join("\r\n")}\r\n\r\n${text}`;
}

/** Sends this, and gives the statuses that came until the server ended the connection, or so many had come. */
function exchange({ url }: TestDocent, bytes: string, { replies = Infinity, isLast = false } = {}) {
  const { hostname, port } = new URL(url);
  const { promise, resolve } = Promise.withResolvers<string[]>();
  let text = "";
  const statuses = () => [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status = ""]) => status);
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true }, () => {
    socket.write(bytes);
    if (isLast) socket.end();
  });
  socket.on("data", (data) => {
    text += data;
    if (statuses().length < replies) return;
    resolve(statuses());
    socket.destroy();
  });
  for (const event of ["end", "error", "close"]) socket.on(event, () => resolve(statuses()));
  return promise;
}

async function openStreams({ url }: TestDocent): Promise<number> {
  const families = parseExposition(await (await fetch(`${url}/metrics`)).text());
  return readingOf(families, "docent_streams_open") ?? Number.NaN;
}

// A key that is looked up in another process is not refused at once: the runtime ends the connection before.
test.skipIf(isShared)(
  "requests that are refused at once are each answered, though they came together and their bodies were not read",
  async () => {
    const { docent } = await start();
    const stranger = posted(
      { ...docent, key: "docent_dsc_nobody" },
      "/v1/assistant/acme/message",
      question("Hi"),
    );
    const nowhere = posted(docent, "/v1/nowhere", question("Hi"));
    expect(await exchange(docent, (stranger + nowhere).repeat(20), { replies: 40 })).toEqual(
      Array(20).fill(["401", "404"]).flat(),
    );
  },
);

test("an ask that is followed by another before its reply, or by the end of what is sent, leaves nothing running", async () => {
  const { docent, ollama } = await start();
  const asked = posted(docent, "/v1/assistant/acme/message", question("How do I install Acme on Linux?"));
  // The runtime ends such connections by itself, and no reply was begun: whoever sent it knows that there was none.
  expect(await exchange(docent, asked.repeat(5))).toEqual([]);
  expect(await exchange(docent, asked, { isLast: true })).toEqual([]);
  while ((await openStreams(docent)) > 0) await Bun.sleep(5);
  expect(ollama.chats.length).toBeLessThanOrEqual(2);
  expect((await fetch(`${docent.url}/health/ready`)).status).toBe(200);
});
