import { describe, expect, test } from "bun:test";
import { mendEmphasis } from "../../../src/reading/markdown/md/md.ts";
import { parsePage } from "../../../src/reading/markdown/page.ts";
import { plainText } from "../../../src/reading/markdown/plain-text.ts";

describe("strong emphasis beside letters of a script without spaces", () => {
  test.each([
    ["これは**「重要」**です。", "これは「**重要**」です。"],
    ["**重要。**次に", "**重要**。次に"],
    ["请**“注意”**这一点", "请“**注意**”这一点"],
    ["한국어 **강조(예)**는 이렇다", "한국어 **강조(예**)는 이렇다"],
    ["使用**`docent run`**命令", "使用`docent run`命令"],
    ["见**[文档](a.md)**一节", "见[文档](a.md)一节"],
    ["和**！！**在", "和！！在"],
    ["は**`x`**", "は`x`"],
    ["**类型：**Record", "**类型**：Record"],
  ])("%s is shown without stars", (written, mended) => {
    expect(mendEmphasis(written)).toBe(mended);
    expect(plainText(mended)).not.toContain("*");
  });

  test.each([
    "これは**重要**です。",
    "请 **“注意”** 这一点",
    "見出し。**「重要」**",
    "**Note:**text and 2**(3)**4 日本",
    "`は**「重要」**です`",
    "```\nは**「重要」**です\n```",
    "日本 \\**「x」**です",
    "日本***「x」***です",
  ])("%s stays as it is", (written) => {
    expect(mendEmphasis(written)).toBe(written);
  });

  test("is mended in pages of every format", () => {
    const html = parsePage("<main><h1>頁</h1><p>これは<strong>「重要」</strong>です。</p></main>", {
      fallbackTitle: "t",
      format: "html",
    });
    const markdown = parsePage("# 頁\n\n- これは**「重要」**です。\n", { fallbackTitle: "t" });
    for (const { passages } of [html, markdown])
      expect(plainText(passages.map(({ markdown: text }) => text).join("\n"))).toContain(
        "これは「重要」です。",
      );
  });

  test("takes no longer for many stars than for as much text", () => {
    for (const hostile of ["**", "は**「", "**「", "** ", "は**`"]) {
      const text = hostile.repeat(50_000);
      expect(mendEmphasis(`日${text}`).length).toBeGreaterThan(50_000);
    }
  });
});
