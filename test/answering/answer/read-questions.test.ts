import { describe, expect, test } from "bun:test";
import { readQuestions } from "../../../src/answering/answer/rewriting/read-questions.ts";

const ASKED = "Wie lange werden Dateien aufgehoben?";
const read = (written: string, asked = ASKED) => readQuestions(written, [asked]);

describe("the questions that a model wrote", () => {
  test.each([
    ["How long are files kept?"],
    ["  How long are files kept?  \n\n"],
    ['"How long are files kept?"'],
    ["“How long are files kept?”"],
    ["**How long are files kept?**"],
    ["`How long are files kept?`"],
    ["1. How long are files kept?"],
    ["- How long are files kept?"],
    ["Question: How long are files kept?"],
    ['Rewritten question: "How long are files kept?"'],
    ['A short question: "How long are files kept?"'],
    ["In English this is: “How long are files kept?”"],
    ["Here is the question in English:\n\nHow long are files kept?"],
    ["<question>\nHow long are files kept?\n</question>"],
    ["<think>The reader asks in German.\nSo…</think>\nHow long are files kept?"],
    ["How long are files kept?\nhow long are files kept"],
    [`${ASKED}\nHow long are files kept?`],
    ["How long are files kept?\r\n"],
    ["How long\u0000 are\u200b files kept?"],
  ])("are read without what stands around them: %j", (written) => {
    expect(read(written)).toEqual(["How long are files kept?"]);
  });

  test("keep what belongs to them: quoted phrases, options, names", () => {
    for (const question of [
      'What does "connection reset by peer" mean in Acme?',
      'What is "connection reset by peer"',
      'How do I fix error: "permission denied" in logs?',
      '"Permission denied" when I call "make install"',
      "What does --dry-run do?",
      "_internal_ or __init__?",
      "Where is acme.toml?",
      "Is 2.0 out: where is it?",
    ])
      expect(read(question)).toEqual([question]);
  });

  test("are three at most, in their order", () => {
    const three = ["How long are files kept?", "How do I set a proxy?", "What is a key?"];
    const written = [...three, "And what else?"].map((question, index) => `${index + 1}) ${question}`);
    expect(read(written.join("\n"))).toEqual(three);
  });

  test.each([
    [""],
    [" \n\t\n"],
    ["?!"],
    ["…"],
    ["<think>Hm, how long"],
    ["<think></think>"],
    ["Sure, here it is:"],
    [ASKED],
    [`"${ASKED.toUpperCase()}"`],
    ["x".repeat(301)],
    ["word ".repeat(400)],
    ["One.\nTwo.\nThree.\nFour.\nFive.\nSix.\nSeven."],
  ])("are none where nothing was written that could be searched for: %j", (written) => {
    expect(read(written)).toEqual([]);
  });

  test("are whole characters, without line ends and control characters, whatever was written", () => {
    const pieces = [
      "how ",
      '"',
      "\n",
      "\r",
      "\u0007",
      "\ud83d",
      "<think>",
      "</think>",
      "1. ",
      ":",
      "…",
      "文",
      "a".repeat(200),
    ];
    let state = 7;
    for (let round = 0; round < 2000; round++) {
      let written = "";
      for (let count = 0; count < 12; count++) {
        state = (state * 48_271) % 2_147_483_647;
        written += pieces[state % pieces.length];
      }
      const questions = read(written);
      expect(questions.length).toBeLessThanOrEqual(3);
      for (const question of questions) {
        expect(question.length).toBeLessThanOrEqual(300);
        expect(question.isWellFormed()).toBe(true);
        expect(question).not.toMatch(/\p{Cc}|^\s|\s$/u);
      }
    }
  });

  test("of a long text without an end take no time", () => {
    for (const text of [
      "<think>".repeat(300),
      '"'.repeat(2000),
      "1. ".repeat(700),
      "* ".repeat(1000),
      "<a".repeat(1000),
    ])
      expect(read(text).length).toBeLessThanOrEqual(2);
  });
});
