import { describe, expect, test } from "bun:test";
import { createJudge } from "../../../src/answering/answer/support/judge.ts";
import { sentencesOf } from "../../../src/answering/answer/support/sentences.ts";
import falsified from "../../fixtures/support/falsified.json" with { type: "json" };

const PASSAGES = [
  {
    number: 1,
    title: "Limits",
    text: "Acme keeps the last three versions. An organization may send 10,000 messages in any hour, which is counted in slices of 15 minutes. A rollback does not touch conversations. The log is off by default. A name has at least 8 letters.\n\nFirst the server drops the old versions. Then it compares the source with what readers see.\n\n```sh\nacme keys create --site docs --expires 90\n```\n\nThe file of settings is `/etc/acme/acme.env`, and the database is PostgreSQL.",
  },
  { number: 2, title: "Ports", text: "The server listens on port 8080 and waits for 30 seconds." },
];
const QUESTION = "What are the limits?";

function doubtsOf(answer: string, question = QUESTION) {
  const judge = createJudge(PASSAGES, question, answer);
  return sentencesOf(answer).flatMap((sentence) => judge.judge(sentence, sentence.cites).doubts);
}
const kindsOf = (answer: string, question?: string) => doubtsOf(answer, question).map(({ kind }) => kind);

describe("a statement is in doubt", () => {
  for (const [name, answer, kind] of [
    ["where a number differs", "Acme keeps the last five versions [1].", "number"],
    ["where a unit differs", "Messages are counted in slices of 15 seconds [1].", "number"],
    [
      "where a number is another passage's",
      "An organization may send 8080 messages in any hour [1].",
      "number",
    ],
    ["where a bound is turned round", "A name has at most 8 letters [1].", "number"],
    ["where an option differs", "Use `acme keys create --until` to create one [1].", "name"],
    ["where a path differs", "The file of settings is `/etc/acme/acme.conf` [1].", "name"],
    ["where a product differs", "The database behind it is MongoDB [1].", "name"],
    ["where it states what is denied", "A rollback touches conversations [1].", "denial"],
    ["where it denies what is stated", "Acme does not keep the last three versions [1].", "denial"],
    ["where a word is the contrary", "The log is on by default [1].", "contrary"],
    [
      "where the order is turned round",
      "The server compares the source with what readers see, and only then drops the old versions [1].",
      "contrary",
    ],
    ["where its words are about something else", "Bake the cake until golden and serve it warm.", "words"],
    [
      "in German, by its numbers",
      "Acme behält die letzten fünf Versionen, und das ist für alle so [1].",
      "number",
    ],
    ["in Chinese, by its names", "请使用 `--until` 选项来创建密钥 [1]。", "name"],
  ] as const)
    test(name, () => expect(kindsOf(answer)).toContain(kind));
});

describe("a statement is not in doubt", () => {
  for (const [name, answer, question] of [
    ["where a number is written otherwise", "An organization may send 10k (10000) messages per hour [1]."],
    [
      "where a unit is written otherwise",
      "Messages are counted in slices of a quarter of an hour, 900 seconds [1].",
    ],
    ["where it reckons", "With 8 slices of 15 minutes you have 120 minutes [1].", "What of 8 slices?"],
    [
      "where the number is the reader's own",
      "For your 42 sites, the server listens on port 8080 [2].",
      "I have 42 sites",
    ],
    ["where the names are placeholders", "Run `acme keys create --site my-site` [1]."],
    ["where it says the same in other words", "Conversations are not touched by a rollback [1]."],
    ["where a reply comes first", "No, a rollback does not touch conversations [1]."],
    ["where it counts what it lists", "There are two ways to create a key for the docs site [1]."],
    ["in German", "Acme behält die letzten drei Versionen, und das ist für alle so [1]."],
  ] as const)
    test(name, () => expect(doubtsOf(answer, question)).toEqual([]));
});

describe("of answers about Docent's own docs", () => {
  const passages = new Map(Object.entries(falsified.passages));
  const isDoubted = ({ question, passages: ids }: (typeof falsified.answers)[number], answer: string) => {
    const read = ids.flatMap((id, at) => ({
      number: at + 1,
      ...(passages.get(id) ?? { title: "", text: "" }),
    }));
    const linked = answer.replace(/\[(\d)\]/g, "[[$1]](https://docs.example/$1)");
    const judge = createJudge(read, question, linked);
    return sentencesOf(linked).some((sentence) => judge.judge(sentence, sentence.cites).doubts.length > 0);
  };
  const faithful = falsified.answers.filter((each) => each.falsified !== undefined);

  test("four of five in which one fact is falsified are found", () => {
    const found = faithful.filter((each) => isDoubted(each, each.falsified ?? ""));
    expect(faithful.length).toBeGreaterThanOrEqual(40);
    expect(found.length / faithful.length).toBeGreaterThanOrEqual(0.8);
  });

  test("at most one of ten faithful ones is in doubt", () => {
    const doubted = faithful.filter((each) => isDoubted(each, each.answer));
    expect(doubted.length / faithful.length).toBeLessThanOrEqual(0.1);
  });

  test("all that are invented are in doubt", () => {
    const invented = falsified.answers.filter((each) => each.falsified === undefined);
    expect(invented.length).toBeGreaterThan(0);
    expect(invented.filter((each) => !isDoubted(each, each.answer))).toEqual([]);
  });
});
