import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { AnswerRequest } from "../../../src/answering/answer/answer.ts";
import { databaseOf } from "../../helpers/database-of.ts";
import { startDocent, type TestDocent } from "../../helpers/docent.ts";

let docent: TestDocent;
beforeAll(async () => {
  docent = await startDocent();
});
afterAll(() => docent.close());

async function asking(text: string): Promise<AnswerRequest> {
  return {
    reader: "reader",
    requestId: "request",
    site: await docent.app.parts.people.sites.get("acme"),
    question: {
      audience: "everything",
      questionMessageId: crypto.randomUUID(),
      text,
      fp: "anonymous",
      caller: "cli",
      keyId: undefined,
      currentPath: undefined,
      filter: undefined,
    },
    threadId: undefined,
    posted: [],
    contexts: [],
    images: [],
    pageSize: 5,
  };
}

const answer = async (text: string, signal = new AbortController().signal) =>
  docent.app.parts.answers.open("http://localhost")(await asking(text), signal);

const stored = (turnId: string) =>
  databaseOf(docent.app)
    .query<{ outcome: string | null; question: string; answer: string }, [string]>(
      "SELECT outcome, question, answer FROM turns WHERE id = ?",
    )
    .get(turnId);

describe("an answer", () => {
  for (const [question, outcome] of [
    ["How do I install Acme on Linux?", "quoted"],
    ["What is the airspeed of a swallow?", "unanswered"],
  ] as const) {
    test(`(${outcome}): its question is stored when it starts, all of it when it finishes`, async () => {
      let turnId = "";
      let text = "";
      const seen: string[] = [];
      for await (const event of await answer(question)) {
        seen.push(event.type);
        if (event.type === "start") {
          turnId = event.messageId;
          expect(stored(turnId)).toEqual({ outcome: null, question, answer: "" });
        }
        if (event.type === "text-delta") text += event.text;
        if (event.type === "finish") expect(stored(turnId)).toEqual({ outcome, question, answer: text });
      }
      expect([seen[0], seen[1], seen.at(-1)]).toEqual(["start", "search", "finish"]);
    });
  }

  for (const [asked, said] of [
    [
      "Wie ist die Fluggeschwindigkeit von einer Schwalbe, und was ist das?",
      "Die Dokumentation sagt dazu nichts.",
    ],
    ["제비의 비행 속도는 얼마인가요?", "문서에서 다루지 않는 내용입니다."],
    ["燕子飛行的速度是多少，這個問題有沒有人問過？", "文件中沒有相關內容。"],
    ["Яка швидкість польоту ластівки?", "У документації про це не йдеться."],
    [
      "Qual é a velocidade de voo de uma andorinha africana, e o que comem as andorinhas da Europa?",
      "A documentação não trata disso.",
    ],
  ] as const)
    test(`says in the reader's language that the docs don't: ${said}`, async () => {
      const events = await Array.fromAsync(await answer(asked));
      const text = events.flatMap((event) => (event.type === "text-delta" ? [event.text] : [])).join("");
      expect(text).toStartWith(said);
    });

  test("to a greeting is one, short, without a search in the docs", async () => {
    const events = await Array.fromAsync(await answer("hello"));
    const text = events.flatMap((event) => (event.type === "text-delta" ? [event.text] : [])).join("");
    expect(text).toBe("Hello! What would you like to know? I look it up in the documentation.");
    expect(events.filter(({ type }) => type === "source")).toEqual([]);
    expect(events.at(-1)).toMatchObject({ type: "finish", outcome: "answered", responder: "extractive" });
  });

  test("that is left half way is stored as stopped, with what was written", async () => {
    let turnId = "";
    let text = "";
    for await (const event of await answer("How do I install Acme on Linux?")) {
      if (event.type === "start") turnId = event.messageId;
      if (event.type !== "text-delta") continue;
      text += event.text;
      break;
    }
    expect(stored(turnId)).toMatchObject({ outcome: "stopped", answer: text });
  });

  test("that cannot be stored is no finished answer", async () => {
    const database = databaseOf(docent.app);
    database.run(
      "CREATE TRIGGER full BEFORE UPDATE OF outcome ON turns BEGIN SELECT RAISE(ABORT, 'no'); END",
    );
    const events = await Array.fromAsync(await answer("How do I install Acme on Linux?"));
    database.run("DROP TRIGGER full");
    expect(events.at(-1)).toMatchObject({ type: "error", code: "internal" });
    expect(events.some(({ type }) => type === "finish")).toBe(false);
    docent.logged.length = 0;
  });
});
