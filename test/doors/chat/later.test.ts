import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { sendLater } from "../../../src/doors/chat/later.ts";
import { type ChatUnderTest, startChat, startFakeChat } from "./chat-under-test.ts";

const QUESTION = "How do I install Acme on Linux?";
const CITED = "https://docs.acme.example/guide/install#linux";

let under: ChatUnderTest;
/** Lets the model go on, which waits after its first word. */
let release: () => void;
beforeAll(async () => {
  under = await startChat();
});
afterAll(() => under.close());
afterEach(() => {
  release();
  under.chat.replyWith(200);
  under.chat.received.splice(0);
});

/** The next answers wait until they are released. */
function slowModel(): void {
  const { promise, resolve } = Promise.withResolvers<void>();
  release = resolve;
  under.ollama.replyWith({ text: "Run the installer [1].", beforeToken: () => promise });
}

describe("an answer that is not there in time", () => {
  test("is sent to the address that the command named, after a reply that says so to the asker alone", async () => {
    slowModel();
    const { body } = await under.slack(QUESTION);
    expect(body).toMatchObject({ response_type: "ephemeral", text: "Looking it up …" });
    expect(under.chat.received).toEqual([]);
    release();
    await under.chat.until(1);
    expect(under.chat.received).toMatchObject([
      { path: "/hooks/commands/abc", body: { response_type: "in_channel" } },
    ]);
    expect(under.chat.received[0]?.body.text).toContain(`<${CITED}|`);
  });

  test("is tried again where the chat has a fault, and not where the address is no more", async () => {
    slowModel();
    under.chat.replyWith(500, 200);
    await under.mattermost(QUESTION);
    release();
    await under.chat.until(2);
    expect(new Set(under.chat.received.map(({ body }) => body.text)).size).toBe(1);

    slowModel();
    under.chat.received.splice(0);
    under.chat.replyWith(404);
    await under.slack(`${QUESTION} Please.`);
    release();
    await under.chat.until(1);
    const told = () => under.docent.logged.filter((line) => line.includes("was not delivered"));
    await under.ollama.until(() => told().length === 1);
    expect(under.chat.received).toHaveLength(1);
    expect(told()[0]).toContain("404");
    expect(told()[0]).not.toContain("/hooks/commands");
  });

  test("goes to no host that the operator has not named: its asker is told to ask again, and the model is stopped", async () => {
    const other = startFakeChat();
    slowModel();
    const { body } = await under.slack(QUESTION, { response_url: `${other.url}/commands/1` });
    expect(body).toMatchObject({ response_type: "ephemeral", text: expect.stringContaining("longer than") });
    await under.ollama.until(() => under.ollama.chats.at(-1)?.aborted === true);
    expect(other.received).toEqual([]);
    await other.close();
  });

  test("is waited for by a server that stops, and then sent", async () => {
    const own = await startChat();
    const { promise, resolve } = Promise.withResolvers<void>();
    own.ollama.replyWith({ text: "Run the installer [1].", beforeToken: () => promise });
    await own.slack(QUESTION);
    const closed = own.docent.close();
    resolve();
    await own.chat.until(1);
    await closed;
    expect(own.chat.received[0]?.body.text).toContain(`<${CITED}|`);
    await own.chat.close();
    await own.ollama.stop();
  });
});

describe("sending", () => {
  const signal = new AbortController().signal;
  const place = { url: "https://chat.example.com/x", method: "POST" as const };
  async function tried(...outcomes: (number | "gone")[]): Promise<{ tries: number; error: unknown }> {
    let tries = 0;
    const hosts = {
      fault: () => undefined,
      async send() {
        const outcome = outcomes[tries++];
        if (outcome === undefined || outcome === "gone") throw new Error("no connection");
        return outcome;
      },
    };
    try {
      await sendLater(hosts, place, {}, { waitsMs: [0, 0], signal });
      return { tries, error: undefined };
    } catch (error) {
      return { tries, error };
    }
  }

  test("ends with the first success, and with a refusal", async () => {
    expect(await tried("gone", 429, 204)).toEqual({ tries: 3, error: undefined });
    expect(await tried(410, 200)).toEqual({ tries: 1, error: expect.any(Error) });
    expect(await tried(302, 200)).toEqual({ tries: 1, error: expect.any(Error) });
  });

  test("is given up after three tries", async () => {
    expect(await tried(500, 502, 503, 200)).toEqual({ tries: 3, error: expect.any(Error) });
    expect(await tried("gone", "gone", "gone", 200)).toEqual({ tries: 3, error: expect.any(Error) });
  });
});
