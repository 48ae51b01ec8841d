import { describe, expect, test } from "bun:test";
import { loadMaths, mayHaveMaths } from "../../../src/reading/markdown/mathml/mathml.ts";
import { renderHtml } from "../../../src/reading/markdown/render/render.ts";

const READING = {
  linkHere: "",
  taskDone: "",
  taskOpen: "",
  callouts: { note: "", tip: "", important: "", warning: "", caution: "" },
};

async function reading(markdown: string): Promise<string> {
  return renderHtml(markdown, { reading: READING, maths: await loadMaths() });
}

describe("formulas of a page", () => {
  test("are MathML, with their TeX as its annotation", async () => {
    expect(await reading("Let ($`x_1 < 2`$) be.")).toBe(
      "<p>Let (<math><semantics><mrow><msub><mi>x</mi><mn>1</mn></msub><mo>&lt;</mo><mn>2</mn></mrow>" +
        '<annotation encoding="application/x-tex">x_1 &lt; 2</annotation></semantics></math>) be.</p>\n',
    );
    const block = await reading("```math\nx\n```");
    expect(block).toStartWith('<div class="maths" tabindex="0"><math display="block"><semantics><mi>x</mi>');
    expect(block).toEndWith("</semantics></math></div>\n");
  });

  test("are found wherever words are, and in no code", async () => {
    const found = await reading(
      "- **$`a`$** [$`b`$](x)\n\n  ```math\n  c\n  ```\n\n| d |\n|---|\n| $`e`$,$`f`$ |\n\n> [!NOTE] $`g`$\n> $`h`$",
    );
    for (const letter of "abcefgh") expect(found).toContain(`<mi>${letter}</mi>`);
    expect(await reading("`$x$`, US$`x`$y, $`x` and ```$x$```")).not.toContain("<math");
    expect(await reading("~~~text\n$`x`$\n~~~")).not.toContain("<math");
  });

  test("stay as TeX where they cannot be read", async () => {
    expect(await reading("$`\\frac{`$")).toBe("<p><code>$\\frac{$</code></p>\n");
    expect(await reading("```math\n\\nonsense{<b>}\n```")).toBe(
      '<pre tabindex="0"><code class="language-math">\\nonsense{&lt;b&gt;}\n</code></pre>\n',
    );
    expect(renderHtml("$`x`$", { reading: READING })).toBe("<p><code>$x$</code></p>\n");
  });

  test("have no style, no address and nothing else that a page may not have", async () => {
    const HOSTILE = [
      "\\color{red}{x}\\begin{array}{|c:c|}\\hline a & b\\end{array}",
      "\\begin{aligned} a &= b \\\\ c &= d \\tag{1}\\end{aligned}",
      "\\href{javascript:alert(1)}{x}",
      "\\htmlStyle{background:url(//evil)}{x}",
      "\\class{a}{x}\\id{b}{y}\\url{//evil}\\includegraphics{//evil}",
      '\\text{"><script>alert(1)</script>}',
      "\\textcolor{#fff;background:url(//evil)}{x}",
      "\\ref{a}\\label{b}",
    ];
    for (const tex of HOSTILE) {
      const found = await reading(`\`\`\`math\n${tex}\n\`\`\``);
      expect(found.replace(/<annotation[\s\S]*?<\/annotation>|<code[\s\S]*?<\/code>/g, ""), tex).not.toMatch(
        /\sstyle=|href|src=|<script|url\(|\sid=/,
      );
    }
    expect(await reading("```math\n\\color{red}{x}\n```")).toContain('<mi mathcolor="#ff0000">x</mi>');
  });

  test("take a bounded time and room, whatever they define", async () => {
    const FORMULAS = [
      "\\def\\a{\\a\\a}\\a",
      `\\def\\a{${"x+".repeat(450)}}${"\\a".repeat(40)}`,
      `\\def\\a{${"x+".repeat(1900)}}${"\\a".repeat(90)}`,
      "{".repeat(1999) + "}".repeat(1999),
      "x^{".repeat(900) + "}".repeat(900),
      "\\left(".repeat(300) + "\\right)".repeat(300),
      "\\rule{9999em}{9999em}",
    ];
    const maths = await loadMaths();
    for (const tex of FORMULAS) expect(maths(tex, { isBlock: true })?.length ?? 0).toBeLessThan(210_000);
    let written = 0;
    for (let formula = 0; formula < 3_000; formula++)
      written += maths("x_1+".repeat(50), { isBlock: true })?.length ?? 0;
    expect(written).toBeLessThan(1_600_000);
    const other = await loadMaths();
    const defining = Array.from({ length: 100 }, () => other("\\def\\a{x}\\a", { isBlock: false }));
    expect(defining.filter((formula) => formula !== undefined)).toHaveLength(30);
  });

  test("are looked for where a page may have some", () => {
    expect(mayHaveMaths("Let $`x`$ be.") && mayHaveMaths("a\n\n  ```math\n  x\n  ```")).toBe(true);
    expect(mayHaveMaths("US$5 and `$x$`\n\n```js\nmath\n```")).toBe(false);
  });
});
