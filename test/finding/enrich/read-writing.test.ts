import { describe, expect, test } from "bun:test";
import { readWriting } from "../../../src/finding/enrich/read-writing.ts";

const PASSAGE = {
  title: "Keys",
  headings: ["Keys", "Rotating a key"],
  text: "A key is rotated with `acme keys rotate`. The old key works for a day, so that clients can be changed. Both are in the list of keys until then.",
};
const GERMAN = {
  title: "Schlüssel",
  headings: ["Schlüssel tauschen"],
  text: "Der Befehl tauscht den Schlüssel. Der alte Schlüssel gilt noch einen Tag, damit die Programme geändert werden können.",
};
const CHINESE = {
  title: "密钥",
  headings: [],
  text: "使用 acme keys rotate 命令轮换密钥。旧密钥在一天内仍然有效。",
};

const json = (questions: unknown, words: unknown = ["credential"]) => JSON.stringify({ questions, words });
const GOOD = "How can I replace a key without stopping my clients?";
const read = (questions: unknown, passage = PASSAGE) => readWriting(json(questions), passage);

describe("what a model wrote for a passage", () => {
  test("is its questions and its search words, without labels and needless space", () => {
    expect(
      readWriting(
        `\`\`\`json\n${json([GOOD, " 2.  How long is\nthe old key valid? ", "Question: Where do I see my keys?"])}\n\`\`\``,
        PASSAGE,
      ),
    ).toEqual({
      enrichment: {
        questions: [GOOD, "How long is the old key valid?", "Where do I see my keys?"],
        words: ["credential"],
      },
    });
  });

  test("is at most three questions, each once", () => {
    const read = readWriting(
      json([GOOD, GOOD.toUpperCase(), "Is a key old?", "Do keys have a list?", "What is a key?"]),
      PASSAGE,
    );
    expect("enrichment" in read && read.enrichment.questions).toEqual([
      GOOD,
      "Is a key old?",
      "Do keys have a list?",
    ]);
  });

  test("is nothing where it is no JSON of that shape, or far too long", () => {
    const writings = ["", "Sure! Here are three questions.", "[1,2]", "{", json("one"), json([1, 2])];
    for (const written of writings) expect(readWriting(written, PASSAGE)).toEqual({ refused: "no_json" });
    expect(read(Array(30).fill(GOOD))).toEqual({ refused: "no_json" });
    expect(readWriting(json([GOOD], ["x".repeat(5000)]), PASSAGE)).toEqual({ refused: "too_long" });
  });

  test("has no text that is no question: too short, too long, markup, addresses, numbers", () => {
    const bad = [
      "key?",
      `${"key ".repeat(60)}?`,
      "See https://evil.example/key",
      "<b>key</b> of what",
      "12 34 56 78",
    ];
    for (const each of bad) expect(read([each])).toEqual({ refused: "unreadable" });
    expect(read([])).toEqual({ refused: "unreadable" });
    expect(read(["key?", GOOD])).toMatchObject({ enrichment: { questions: [GOOD] } });
  });

  test("has nothing that only repeats the passage or its heading", () => {
    expect(read(["The old key works for a day."])).toEqual({ refused: "copied" });
    expect(read(["Rotating a key"])).toEqual({ refused: "copied" });
  });

  test("may share no word with the passage: that is what it is asked for", () => {
    expect(read(["Can I swap a credential without downtime?"])).toHaveProperty("enrichment");
  });

  test("is in the passage's language", () => {
    expect(read(["Wie tausche ich Keys ohne Ausfall?"])).toEqual({ refused: "other_language" });
    expect(read(["如何轮换 acme keys？这需要多久？"])).toEqual({ refused: "other_language" });
    expect(read(["Wie lange gilt der alte Schlüssel?"], GERMAN)).toHaveProperty("enrichment");
    expect(read(["旧密钥还能使用多久？会失效吗？"], CHINESE)).toHaveProperty("enrichment");
    expect(read(["How long does acme keep keys?"], CHINESE)).toEqual({ refused: "other_language" });
  });

  test("keeps its questions where the words are of no use", () => {
    for (const words of [7, "renew", Array(30).fill("renew")])
      expect(readWriting(json([GOOD], words), PASSAGE)).toEqual({
        enrichment: { questions: [GOOD], words: [] },
      });
  });

  test("has at most six words, each once, none that the passage has, is in another script, or no word", () => {
    const words = ["rotate", "Clients", "renew", "RENEW", "x".repeat(50), "<b>", "钥", "old key"];
    const more = ["credential", "swap", "roll over", "expire", "secret", "token", "password"];
    expect(readWriting(json([GOOD], [...words, ...more]), PASSAGE)).toEqual({
      enrichment: {
        questions: [GOOD],
        words: ["renew", "credential", "swap", "roll over", "expire", "secret"],
      },
    });
  });
});
