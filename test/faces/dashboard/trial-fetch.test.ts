import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createConversation } from "../../../src/faces/conversation/conversation.ts";
import { createTrialFetch, type TrialOptions } from "../../../src/faces/dashboard/trial-fetch.ts";
import { type AdminDoorUnderTest, startAdminDoor } from "../../helpers/admin-door.ts";
import { databaseOf } from "../../helpers/database-of.ts";
import { type FakeOllama, startFakeOllama } from "../../helpers/fake-ollama.ts";

let ollama: FakeOllama;
let door: AdminDoorUnderTest;
beforeAll(async () => {
  ollama = startFakeOllama({ reply: { text: "Run the installer [1]." } });
  door = await startAdminDoor({ ollama: ollama.url });
});
afterAll(async () => {
  await door.close();
  await ollama.stop();
});

function converse(options: Partial<TrialOptions> = {}) {
  const fetchHere: TrialOptions["fetch"] = (path, init) =>
    fetch(door.url + path, {
      ...init,
      headers: { "content-type": "application/json", authorization: `Bearer ${door.keys.ownRead}` },
    });
  return createConversation({
    fetch: createTrialFetch({ fetch: fetchHere, base: "", domain: "acme", ...options }),
    endpoint: "",
    domain: "acme",
    key: "",
    fp: "playground",
    now: Date.now,
    newId: () => crypto.randomUUID(),
    schedule: queueMicrotask,
    isOnline: () => true,
  });
}
const prompt = () => JSON.stringify(ollama.chats.at(-1)?.body.messages);

describe("a conversation that leaves no trace", () => {
  test("is answered as a reader's is, and its parts are heard as they were sent", async () => {
    const heard: string[] = [];
    const conversation = converse({ onPart: (data) => heard.push(data) });
    await conversation.ask("How do I install Acme on Linux?");
    expect(conversation.state().turns).toMatchObject([{ status: "done", outcome: "answered" }]);
    expect(conversation.state().turns[0]?.answer).toContain("Run the installer");
    expect(heard[0]).toContain('"type":"start"');
    expect(databaseOf(door.app).query("SELECT id FROM turns").all()).toEqual([]);
  });

  test("says again what was said before, because nothing of it is kept; a new one begins without it", async () => {
    const conversation = converse();
    await conversation.ask("How do I install Acme on Linux?");
    await conversation.ask("How do I install Acme on Windows?");
    expect(prompt()).toContain("How do I install Acme on Linux?");
    expect(prompt()).toContain("Run the installer");
    conversation.clear();
    await conversation.ask("How do I install Acme on macOS?");
    expect(prompt()).not.toContain("on Linux?");
  });

  test("a question that is asked once more takes its own place", async () => {
    const conversation = converse();
    await conversation.ask("How do I install Acme on Linux?");
    await conversation.ask("How do I install Acme on Windows?");
    await conversation.retry();
    expect(prompt().split("on Windows?")).toHaveLength(2);
    expect(conversation.state().turns).toHaveLength(2);
  });

  test("a refusal is told, and not remembered as something that was said", async () => {
    let model = "nowhere";
    const conversation = converse({ more: () => ({ model }) });
    await conversation.ask("How do I install Acme on Linux?");
    expect(conversation.state().turns).toMatchObject([
      { status: "failed", error: { message: expect.stringContaining("nowhere") } },
    ]);
    model = "tiny:latest";
    await conversation.ask("How do I install Acme on Windows?");
    expect(prompt()).not.toContain("on Linux?");
  });

  test("where the session has ended it is asked again when there is another", async () => {
    let signedIn = false;
    const conversation = converse({
      fetch: (path, init) =>
        fetch(door.url + path, {
          ...init,
          headers: {
            "content-type": "application/json",
            authorization: `Bearer ${signedIn ? door.keys.ownRead : "docent_adm_gone"}`,
          },
        }),
      signInAgain: async () => {
        signedIn = true;
      },
    });
    await conversation.ask("How do I install Acme on Linux?");
    expect(conversation.state().turns).toMatchObject([{ status: "done" }]);
  });
});
