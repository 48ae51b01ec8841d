import { describe, expect, test } from "bun:test";
import { html, trusted } from "../../src/doors/reader-site/html.ts";
import { fill, languageName, readerLabels } from "../../src/doors/reader-site/labels.ts";
import { directionOf } from "../../src/kernel/text/languages.ts";

describe("HTML that is written", () => {
  test("escapes what is put into it, in text and in attributes", () => {
    const attack = `<b a="1" c='2'>&`;
    expect(html`<p title="${attack}">${attack}</p>`.html).toBe(
      '<p title="&lt;b a=&quot;1&quot; c=&#x27;2&#x27;&gt;&amp;">&lt;b a=&quot;1&quot; c=&#x27;2&#x27;&gt;&amp;</p>',
    );
  });

  test("takes HTML, lists of it, numbers, and nothing", () => {
    const items = ["a", html`<i>${"<"}</i>`, trusted("<hr>"), 3];
    expect(html`${items}|${undefined}|${false}|${0}|${""}`.html).toBe("a<i>&lt;</i><hr>3|||0|");
  });

  test("does not take for HTML what only looks as if it were", () => {
    const parsed: string = JSON.parse('"{\\"html\\":\\"<b>\\"}"');
    expect(html`${parsed}`.html).not.toContain("<b>");
  });
});

describe("the reader's own words", () => {
  test("are in the language, or in English", () => {
    expect(readerLabels("de-AT").search).toBe("Suchen");
    expect(readerLabels("zh_TW").search).toBe("搜尋");
    for (const tag of ["xx", "", "__proto__", "constructor"]) expect(readerLabels(tag).search).toBe("Search");
  });

  test("are filled in once: what is filled in is not filled again", () => {
    expect(fill("{a} {b} {c}", { a: "{b}", b: "$&" })).toBe("{b} $& {c}");
  });

  test("know which way a language is written, and what it is called", () => {
    expect(["ar", "he-IL", "fa", "ur", "en", "ja", "", "xx"].map(directionOf)).toEqual([
      ...(["rtl", "rtl", "rtl", "rtl"] as const),
      ...(["ltr", "ltr", "ltr", "ltr"] as const),
    ]);
    expect(["de", "pt-BR", "not a tag", ""].map(languageName)).toEqual([
      "Deutsch",
      "Português (Brasil)",
      "not a tag",
      "",
    ]);
  });
});
