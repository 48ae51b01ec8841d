import { describe, expect, test } from "bun:test";
import { analyze } from "../../../src/finding/search/analyze.ts";
import { createHighlighter, type TextRange } from "../../../src/finding/search/highlight.ts";
import { readQuery } from "../../../src/finding/search/read-query.ts";

const marked = (query: string, text: string) =>
  createHighlighter(query, { asYouType: true })(text).map(([start, end]) => text.slice(start, end));

/** What highlighting means, said as plainly as possible: every word is cut out of its run and analyzed. */
function plainly(query: string, text: string): TextRange[] {
  const { terms, prefix = "" } = readQuery(query, { asYouType: true });
  const segmenter = new Intl.Segmenter(undefined, { granularity: "word" });
  return [...text.matchAll(/[\p{L}\p{N}\p{M}]+/gu)]
    .flatMap(({ 0: run, index }) =>
      [...segmenter.segment(run)].map((each) => ({ word: each.segment, at: index + each.index })),
    )
    .filter(
      ({ word }) =>
        (prefix.length > 1 && word.toLowerCase().startsWith(prefix)) ||
        analyze(word).some((term) => terms.includes(term)),
    )
    .map(({ word, at }) => [at, at + word.length] as const)
    .slice(0, 50);
}

const TEXTS = [
  "Encrypted volumes: the encryption key of an encrypting volume is a KMS key, e.g. `aws kms create-key`.",
  "getUserName, HTTPServer2 and snake_case_names; IPv6, e2e, a1b2, 2fa, C++17 and std::vector<int>…",
  "Größe und Straße, naïve cafés, ÉCOLE, ﬁnal, Ⅷ. Kapitel, x², ½ Liter, the “quoted” word — and an ellipsis…",
  "Ελληνικά κείμενα, ΣΊΣΥΦΟΣ και σίσυφος. Русские слова, ёлка и Ёлка, й из двух знаков: й, \u0483слово.",
  "日本語の文書とデータベース。全角ＡＢＣ１２３、カタカナabc漢字123。中文文档的安装指南",
  "การติดตั้งโปรแกรม ภาษาไทย mixed ไทยabc. ພາສາລາວ ភាសាខ្មែរ မြန်မာဘာသာ",
  "العَرَبِيَّة والنص، עִבְרִית וטקסט, हिन्दी दस्तावेज़, 한국어 문서입니다, 𝒳 and 𠮷野家 and 👩‍🚀 emoji",
  "dying skies, ties, use using used user, being, eyes, ayes, ing, ied, y, yes, YING, yellow I i IDs",
  `${"words again ".repeat(60)}`,
];
const QUERIES = [
  ...TEXTS.map((text) => text.slice(0, 60)),
  "how do I encrypt a vol",
  "user name",
  "http server ipv",
  "install データ",
  "skies dying ay",
  '"a quoted word" ellip',
  "größ",
  "word",
  "x",
  "i",
  "",
];

describe("highlights", () => {
  test("are the words of the query in whatever form, and the last one as far as it is typed", () => {
    expect(marked("encrypt the vol", "Encrypted volumes and the encryption of a Volume.")).toEqual([
      "Encrypted",
      "volumes",
      "encryption",
      "Volume",
    ]);
    expect(marked("user", "getUserName of users, not of abuse")).toEqual(["getUserName", "users"]);
    expect(marked("a the of", "")).toEqual([]);
  });

  test("are the same as those that are found by analyzing every word, in all scripts", () => {
    for (const query of QUERIES) {
      const highlight = createHighlighter(query, { asYouType: true });
      for (const text of TEXTS) expect([query, highlight(text)]).toEqual([query, plainly(query, text)]);
    }
  });

  test("of one text do not depend on the texts before", () => {
    const highlight = createHighlighter("zebra cross", { asYouType: true });
    const before = highlight("A zebra crossing.");
    highlight("zebra ".repeat(100));
    expect(highlight("A zebra crossing.")).toEqual(before);
  });

  test("are whole words unless the last word may be unfinished", () => {
    const text = "Highlights of high places";
    const marks = (asYouType: boolean) =>
      createHighlighter("places high", { asYouType })(text).map(([start, end]) => text.slice(start, end));
    expect(marks(false)).toEqual(["high", "places"]);
    expect(marks(true)).toEqual(["Highlights", "high", "places"]);
  });

  test("are bounded in number", () => {
    expect(marked("zebra", "zebra ".repeat(1000))).toHaveLength(50);
  });

  test("of half a character pair are none", () => {
    expect(marked("zebra", "\ud842 zebra \udfb7 zebra\ud842")).toEqual(["zebra", "zebra"]);
  });
});
