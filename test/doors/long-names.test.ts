import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { databaseOf } from "../helpers/database-of.ts";
import { question, startDocent, type TestDocent } from "../helpers/docent.ts";
import { askV2, chunksOfType, questionV2, userMessage } from "../helpers/ui-message.ts";

// Names that clients give: the contract bounds none of them but the current path.

const QUESTION = "How do I install Acme on Linux?";
const LONG = `eyJhbGciOiJIUzI1NiJ9.${"x".repeat(5000)}`;

let docent: TestDocent;
beforeAll(async () => {
  docent = await startDocent();
});
afterAll(() => docent.close());

const rows = () =>
  databaseOf(docent.app)
    .query<{ fp: string; message: string; filter: string | null }, []>(
      "SELECT fp, question_message_id AS message, filter_json AS filter FROM turns ORDER BY created_at, id",
    )
    .all();

describe("a reader's name of any length", () => {
  test("is taken on v1, v2 and OpenAI's API, and is the same reader's each time", async () => {
    const before = rows().length;
    expect((await docent.post(question(QUESTION, { fp: LONG }))).status).toBe(200);
    await askV2(docent, questionV2(QUESTION, { fp: LONG }));
    const completion = await fetch(`${docent.url}/v1/chat/completions`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${docent.key}` },
      body: JSON.stringify({ model: "acme", user: LONG, messages: [{ role: "user", content: QUESTION }] }),
    });
    expect(completion.status).toBe(200);
    const names = rows()
      .slice(before)
      .map(({ fp }) => fp);
    expect(names).toHaveLength(3);
    expect(new Set(names).size).toBe(1);
    expect(names[0]).toMatch(/^sha256:[0-9a-f]{64}$/);
    await askV2(docent, questionV2(QUESTION, { fp: `${LONG}y` }));
    expect(rows().at(-1)?.fp).not.toBe(names[0] ?? "");
  });

  test("goes on with its chats, and is what is deleted by it", async () => {
    const chat = (text: string, id: string) => ({
      fp: `${LONG}z`,
      id: "aB3dE6gH9jK2mN5p",
      messages: [userMessage(text, { id })],
    });
    await askV2(docent, chat(QUESTION, "q1"));
    const { chunks } = await askV2(docent, chat("And on Windows?", "q2"));
    expect(chunksOfType(chunks, "tool-input-available")[0]?.input.query).toBe(
      "How do I install Acme on Windows?",
    );
    const { people, reports } = docent.app.parts;
    const { id } = await people.sites.get("acme");
    expect((await reports.retention.removeReader(id, `${LONG}z`)).turns).toBe(2);
  });

  test("of 200 characters is stored as it is", async () => {
    await askV2(docent, questionV2(QUESTION, { fp: "x".repeat(200) }));
    expect(rows().at(-1)?.fp).toBe("x".repeat(200));
  });
});

test("a message's id and a filter of any length are taken, and of each little is stored", async () => {
  const messages = [userMessage(QUESTION, { id: LONG })];
  const body = { fp: "anonymous", messages, filter: { version: LONG, language: LONG } };
  for (const version of ["v1", "v2"] as const) {
    const own = messages.map((message) => (version === "v1" ? { ...message, content: QUESTION } : message));
    const reply = await docent.post({ ...body, messages: own }, { version });
    expect([reply.status, await reply.text()]).toEqual([200, expect.anything()]);
    const { message = "", filter = "" } = rows().at(-1) ?? {};
    expect(message).toMatch(/^sha256:/);
    expect(filter?.length).toBeLessThan(300);
  }
});
