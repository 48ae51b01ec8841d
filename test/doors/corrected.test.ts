import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { explanationShape } from "../../src/doors/admin/shapes.ts";
import { type AdminDoorUnderTest, startAdminDoor } from "../helpers/admin-door.ts";
import { databaseOf } from "../helpers/database-of.ts";
import { partsOf, question, startDocent, textOf } from "../helpers/docent.ts";
import { startFakeOllama } from "../helpers/fake-ollama.ts";

// A misspelled question is answered through every door as the one that was meant, and each door says so.

const TYPED = "Hwo do I instal Acme on Linnux?";
const MEANT = "How do I instal Acme on Linux?";

let door: AdminDoorUnderTest;
beforeAll(async () => {
  door = await startAdminDoor();
});
afterAll(() => door.close());

const found = (wire: string) => partsOf(wire).find(({ code }) => code === "a")?.value;
const asked = (wire: string) => partsOf(wire).find(({ code }) => code === "9")?.value;

describe("a misspelled question", () => {
  test("is answered by v1 as the one that was meant, with what was searched for in the search's result", async () => {
    const typed = await (await door.post(question(TYPED))).text();
    const meant = await (await door.post(question(MEANT))).text();
    expect(textOf(typed)).toBe(textOf(meant));
    expect(textOf(typed)).toContain("installer");
    expect(asked(typed)).toMatchObject({ args: { query: MEANT } });
    expect(found(typed)).toMatchObject({ result: { type: "search", corrected: MEANT } });
    expect(found(meant)).not.toHaveProperty("result.corrected");
  });

  test("is stored as it was asked, and as it was searched for", async () => {
    const reply = await door.post(question(TYPED));
    await reply.text();
    const turn = databaseOf(door.app)
      .query("SELECT question, searched FROM turns WHERE id = ?")
      .get(reply.headers.get("x-message-id") ?? "");
    expect(turn).toEqual({ question: TYPED, searched: MEANT });
  });

  test("is answered by v2 alike", async () => {
    const messages = [{ id: "q1", role: "user", parts: [{ type: "text", text: TYPED }] }];
    const wire = await (await door.post({ fp: "a", messages }, { version: "v2" })).text();
    const events = wire
      .split("\n\n")
      .flatMap((line) => (line.startsWith("data: {") ? [JSON.parse(line.slice("data: ".length))] : []));
    const output = events.find(({ type }) => type === "tool-output-available");
    expect(output.output).toMatchObject({ type: "search", corrected: MEANT });
  });

  test("is searched by agents alike", async () => {
    const call = (query: string) => ({
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name: "search_docs", arguments: { query } },
    });
    const search = async (query: string) => {
      const reply = await fetch(`${door.url}/mcp/acme`, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
          authorization: `Bearer ${door.key}`,
        },
        body: JSON.stringify(call(query)),
      });
      return JSON.parse((await reply.text()).replace(/^event:.*\ndata: /, "")).result;
    };
    const typed = await search(TYPED);
    const meant = await search(MEANT);
    expect(typed.structuredContent).toEqual({ corrected: MEANT, ...meant.structuredContent });
    expect(typed.content[0].text).toStartWith(`Showing results for: ${MEANT}\n\n`);
    expect(meant.content[0].text).not.toContain("Showing results");
  });

  test("is explained word by word", async () => {
    const explain = async (text: string) =>
      explanationShape.parse(
        await door.expectStatus(200, "POST", "/sites/acme/explain", { body: { question: text } }),
      );
    const typed = await explain(TYPED);
    expect(typed.corrected).toEqual([
      { written: "Hwo", corrected: "How" },
      { written: "Linnux", corrected: "Linux" },
    ]);
    expect(await explain(MEANT)).toEqual({ ...typed, corrected: [] });
  });
});

test("an answer that is given again says what was searched for, as it did at first", async () => {
  const ollama = startFakeOllama({ reply: { text: "Run the installer [1]." } });
  const docent = await startDocent({ ollama: ollama.url });
  try {
    const ask = async () => {
      const message = { id: crypto.randomUUID(), role: "user", content: TYPED, parts: [] };
      return (await docent.post({ ...question(TYPED), messages: [message] })).text();
    };
    const [first, again] = [await ask(), await ask()];
    expect(again).toContain('"cached":true');
    for (const wire of [first, again]) expect(found(wire)).toMatchObject({ result: { corrected: MEANT } });
  } finally {
    await docent.close();
    await ollama.stop();
  }
});
