import { describe, expect, test } from "bun:test";
import { readOutline } from "../../../src/reading/markdown/md/md.ts";
import {
  cutPassages,
  DEFAULT_PASSAGE_SIZES,
  type Passage,
} from "../../../src/reading/markdown/passages/passages.ts";

const { hardMaxTokens, maxTokens, minTokens } = DEFAULT_PASSAGE_SIZES;
const passages = (markdown: string): Passage[] => cutPassages(readOutline(markdown));
const sentence = "Every word of this sentence is here to take up room in the passage. ";
/** Enough words to stand alone. */
const section = (name: string) => `${name} ${sentence.repeat(9).trim()}`;

describe("passages", () => {
  test("are one for each heading that has enough words, with its anchor and path", () => {
    const page = `${section("intro")}\n\n# A\n\n## B\n${section("b")}\n\n## C\n\n### D\n${section("d")}\n\n## E\n`;
    expect(
      passages(page).map(({ position, headingPath, anchor, text }) => [
        position,
        headingPath,
        anchor,
        text.split(" ")[0],
      ]),
    ).toEqual([
      [0, [], "", "intro"],
      [1, ["A", "B"], "b", "b"],
      [2, ["A", "C", "D"], "d", "d"],
    ]);
  });

  test("have no marks of places, which only a whole page needs", () => {
    const [passage] = passages(
      '# A <a id="b"></a>b {#a}\n\n<a id="only"></a>\n\n- **<a id="term"></a>Term**\n\n| <a id="c"></a>A | B |\n| --- | --- |\n| 1 | 2 |\n\n`<a id="x"></a>`\n\n```html\n<a id="y"></a>\n```',
    );
    expect(passage?.markdown).toBe(
      '- **Term**\n\n| A | B |\n| --- | --- |\n| 1 | 2 |\n\n`<a id="x"></a>`\n\n```html\n<a id="y"></a>\n```',
    );
    expect(passage?.headingPath).toEqual(["A b"]);
  });

  test("have what unfolds as it is when it is open, and code of it as it is", () => {
    const [passage] = passages(
      "# A\n\n<details>\n<summary>Use <b>plug</b> `<x>`</summary>\n\nWords.\n\n</details>\n\n- a\n\n  <details open>\n  <summary>More *of* it</summary>\n\n  b\n\n  </details>\n\n<details class='x'><summary>\n  Last\n</summary>\n\n`<details>`\n\n```html\n<details>\n```\n\n</details>",
    );
    expect(passage?.markdown).toBe(
      "**Use plug `<x>`**\n\nWords.\n\n- a\n\n  **More of it**\n\n  b\n\n**Last**\n\n`<details>`\n\n```html\n<details>\n```",
    );
    expect(passage?.text).toBe("Use plug <x>\nWords.\na\nMore of it\nb\nLast\n<details>\n<details>");
  });

  test("keep Markdown for quoting and plain words for search", () => {
    const [passage] = passages("# A\nUse **`npm i`**:\n\n```SH\nnpm i\n```\n\n- see [docs](x)");
    expect(passage?.markdown).toBe("Use **`npm i`**:\n\n```SH\nnpm i\n```\n\n- see [docs](x)");
    expect(passage?.text).toBe("Use npm i:\nnpm i\nsee docs");
    expect(passage?.codeLanguages).toEqual(["sh"]);
  });

  test("have footnotes behind what names them first, and no marks", () => {
    const notes = "[^1]: One.\n[^b]: Two\n  goes on.\n\n    And on.\n\n[^c]: Unnamed.";
    const page = `# A\n\nA claim.[^1],[^b] \`[^1]\` [^none]\n\n- a[^1]\n\n${section("words")}\n\n## B\n\n${section("b")}\n\n${notes}\n\nLast.`;
    const [first, last] = passages(page);
    expect(first?.markdown).toStartWith(
      "A claim. `[^1]` [^none]\n\nOne.\n\nTwo\ngoes on.\n\nAnd on.\n\n- a\n\nwords",
    );
    expect(last?.markdown).toEndWith("Last.\n\nUnnamed.");
    const titled = passages(`# A\n\n${section("a")}\n\n## B [^1]\n\n${section("b")}\n\n[^1]: One.`).at(-1);
    expect(titled?.headingPath).toEqual(["A", "B"]);
    expect(titled?.markdown).toStartWith("One.\n\nb ");
    expect(passages("# A\n\n[^a-z] and [^1]\n\n```\n[^1]: x\n```")[0]?.markdown).toContain(
      "[^a-z] and [^1]\n\n```\n[^1]: x",
    );
  });

  test("leave out what readers never see", () => {
    const page =
      "# A\n<!-- secret -->\n\n(a-label)=\nb <!-- secret --> c `<!-- shown -->`\n\n---\n\n:::tip[Look]\nd\n:::\n\n[x]: y";
    expect(passages(page)[0]?.markdown).toBe("b  c `<!-- shown -->`\n\n**Look**\n\nd");
    expect(passages("# A\n\n![](x.png)\n\n<!-- b -->\n\n---")).toEqual([]);
  });

  test("of a long section are cut between blocks, about equally", () => {
    const paragraphs = Array.from(
      { length: 20 },
      (_, index) => `Paragraph ${index}. ${sentence.repeat(2).trim()}`,
    );
    const found = passages(`# A\n\n${paragraphs.join("\n\n")}`);
    expect(found.length).toBe(2);
    for (const { anchor, tokensEstimated } of found) {
      expect(anchor).toBe("a");
      expect(tokensEstimated).toBeWithin(minTokens, maxTokens + 1);
    }
    expect(found.map((passage) => passage.markdown).join("\n\n")).toBe(paragraphs.join("\n\n"));
  });

  test("of a long paragraph are cut at sentence ends", () => {
    const [first, second] = passages(sentence.repeat(40));
    expect(first?.markdown.endsWith("passage.")).toBe(true);
    expect(second?.markdown.startsWith("Every")).toBe(true);
  });

  test("of Chinese and Japanese are cut at sentence ends", () => {
    for (const unit of ["这是一个用来填满段落的句子。", "これは段落を埋めるための文です！"]) {
      const found = passages(unit.repeat(100));
      expect(found.length).toBeGreaterThan(2);
      for (const { markdown } of found) expect(markdown.length % unit.length).toBe(0);
    }
  });

  test("keep a code block whole up to the hard maximum", () => {
    const code = `\`\`\`js\n${"call(one, two);\n".repeat(100)}\`\`\``;
    const found = passages(`# A\n\nFor example:\n\n${code}\n\n${sentence.repeat(20)}`);
    expect(found[0]?.markdown).toBe(`For example:\n\n${code}`);
    expect(found[0]?.tokensEstimated).toBeWithin(maxTokens, hardMaxTokens + 1);
  });

  test("of a gigantic code block are fenced again, in its language", () => {
    const lines = Array.from({ length: 500 }, (_, index) => `call(${index}, "# no heading");`);
    const found = passages(`# A\n\n~~~~ts title="x"\n${lines.join("\n")}\n~~~~`);
    expect(found.length).toBeGreaterThan(5);
    for (const { markdown, codeLanguages } of found) {
      expect(markdown).toStartWith('~~~~ts title="x"\n');
      expect(markdown).toEndWith("\n~~~~");
      expect(codeLanguages).toEqual(["ts"]);
    }
    const inside = found.flatMap(({ markdown }) => markdown.split("\n").slice(1, -1));
    expect(inside).toEqual(lines);
  });

  test("of a table with many columns name the row and the columns of each value", () => {
    const row = (value: (column: number) => string) =>
      `| ${Array.from({ length: 300 }, (_, at) => value(at)).join(" | ")} |`;
    const rows = Array.from({ length: 20 }, (_, at) => row((column) => `value${at}-${column}`));
    const table = [row((at) => `name${at}`), row(() => "---"), ...rows].join("\n");
    const found = passages(table);
    for (const [at, column] of [
      [0, 1],
      [7, 150],
      [19, 299],
    ]) {
      const holds = found.find(({ text }) => text.includes(`value${at}-${column}`))?.text ?? "";
      expect(holds).toContain(`name${column}`);
      expect(holds).toContain(`value${at}-0`);
    }
  });

  test("of a table's row that is too long name the columns of its values", () => {
    const cells = Array.from({ length: 12 }, (_, at) => `begin${at} ${"words of a cell ".repeat(30)}`);
    const names = cells.map((_, at) => `name${at}`);
    const table = `| ${names.join(" | ")} |\n|${"---|".repeat(12)}\n| ${cells.join(" | ")} |`;
    const holds = passages(table).find(({ text }) => text.includes("begin9"))?.text ?? "";
    expect(holds).toContain("name9");
    expect(holds).not.toContain("name2");
  });

  test("of a long table repeat its header", () => {
    const rows = Array.from({ length: 200 }, (_, index) => `| name ${index} | what it means |`);
    const found = passages(["# A", "", "| a | b |", "|---|---|", ...rows].join("\n"));
    expect(found.length).toBeGreaterThan(3);
    for (const { markdown } of found) expect(markdown).toStartWith("| a | b |\n|---|---|\n| name ");
    expect(found.flatMap(({ markdown }) => markdown.split("\n").slice(2))).toEqual(rows);
  });

  test("of a long list are cut between items, and nested code stays whole", () => {
    const items = Array.from(
      { length: 60 },
      (_, index) => `${index + 1}. Do ${index}:\n\n   \`\`\`sh\n   run ${index}\n   \`\`\`\n`,
    );
    const found = passages(`# A\n\n${items.join("\n")}`);
    expect(found.length).toBeGreaterThan(1);
    for (const { markdown } of found) {
      expect(markdown).toMatch(/^\d+\. Do/);
      expect(markdown.split("```").length % 2).toBe(1);
    }
  });

  test("of a long list item and of a long quote are Markdown still", () => {
    const nested = `- first\n\n${`  ${sentence}\n\n`.repeat(60)}  \`\`\`js\n  last()\n  \`\`\``;
    expect(passages(nested).at(-1)?.markdown).toEndWith("```js\nlast()\n```");
    const lines = passages(`> ${sentence}\n>\n`.repeat(80)).flatMap(({ markdown }) => markdown.split("\n"));
    expect(lines.filter((line) => line !== "" && !line.startsWith("> "))).toEqual([]);
    expect(lines.filter((line) => line.includes("Every"))).toHaveLength(80);
  });

  test("of a long list item close each fence that they open, although an indent makes its beginning larger", () => {
    const code = (length: number) => `  \`\`\`xml\n${"  <a b='c'/>\n".repeat(length)}  \`\`\`\n\n`;
    for (let length = 1; length < 20; length++)
      for (const { markdown } of passages(`- **name**\\\n  Words.\n\n${code(length).repeat(60)}`)) {
        const fences = markdown.split("\n").filter((line) => line.includes("```"));
        expect(fences.length % 2).toBe(0);
        for (let at = 0; at < fences.length; at += 2)
          expect(fences[at + 1]).toBe((fences[at] ?? "").replace("xml", ""));
      }
  });

  test("have no small remainder", () => {
    const sizes = passages(`${`${sentence.repeat(6).trim()}\n\n`.repeat(4)}The end.`).map(
      (passage) => passage.tokensEstimated,
    );
    expect(Math.min(...sizes)).toBeGreaterThan(minTokens);
  });

  const monsters: Array<[name: string, markdown: string]> = [
    ["one word", "a".repeat(50_000)],
    ["one Chinese line", "字".repeat(50_000)],
    ["one line of code", `\`\`\`\n${"x=1;".repeat(20_000)}\n\`\`\``],
    ["an info string", `\`\`\`${"x".repeat(50_000)}\ncode\n\`\`\``],
    ["one table row", `|a|\n|-|\n|${"x ".repeat(30_000)}|`],
    ["a table header", `|${"a ".repeat(30_000)}|\n|-|\n|b|`],
    ["list markers", "- ".repeat(30_000)],
    ["quote marks", ">".repeat(50_000)],
    ["quoted lines", "> a\n".repeat(20_000)],
    ["emoji", "😀".repeat(20_000)],
    ["html", `<div>${"<p>word</p>".repeat(5_000)}</div>`],
  ];
  test.each(monsters)("never exceed the hard maximum, even of %s", (_, markdown) => {
    for (const { tokensEstimated, markdown: piece, text } of passages(markdown)) {
      expect(tokensEstimated).toBeLessThanOrEqual(hardMaxTokens);
      expect(piece.isWellFormed()).toBe(true);
      expect(text).not.toBe("");
    }
  });
});
