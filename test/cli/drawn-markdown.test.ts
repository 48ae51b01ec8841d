import { describe, expect, test } from "bun:test";
import { createMarkdownDrawing } from "../../src/cli/terminal/terminal.ts";
import { render } from "../../src/cli/terminal/text.ts";

const ESCAPE = "\u001b";
const B = (text: string) => `${ESCAPE}[1m${text}${ESCAPE}[22m`;
const D = (text: string) => `${ESCAPE}[2m${text}${ESCAPE}[22m`;
const C = (text: string) => `${ESCAPE}[35m${text}${ESCAPE}[39m`;
const L = (text: string, url: string) => `${ESCAPE}]8;;${url}${ESCAPE}\\${text}${ESCAPE}]8;;${ESCAPE}\\`;
const BAR = D("│ ");

interface Drawn {
  columns?: number;
  hasStyles?: boolean;
  hasLinks?: boolean;
}

function draw(pieces: string[], { columns = 80, hasStyles = true, hasLinks = true }: Drawn = {}) {
  const drawing = createMarkdownDrawing({ columns, hasStyles, hasLinks });
  const shown = pieces.map((piece) => render(drawing.write(piece), hasStyles));
  return [...shown, render(drawing.end(), hasStyles)].join("");
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: what Docent itself sends to a terminal.
const ORDERS = /(\u001b\[\d+m|\u001b]8;;[!-~]*\u001b\\)/;

/** What a terminal shows: each character with the orders that are open at it. */
function seen(text: string): string[] {
  let style = "";
  let url = "";
  return text.split(ORDERS).flatMap((part) => {
    if (part.startsWith(`${ESCAPE}[`)) style = /\[[23]\d/.test(part) && part !== `${ESCAPE}[35m` ? "" : part;
    else if (part.startsWith(`${ESCAPE}]`)) url = part.slice(5, -2);
    else return [...part].map((character) => `${character}${style.slice(1)}${url}`);
    return [];
  });
}

const URL_HERE = "https://x.example/a_(b)#c";

const CASES: [string, string, string, Drawn?][] = [
  ["bold is bold", "a **b c** d", `a ${B("b c")} d`],
  ["marks that end nowhere are text", "a ** b and **c\nd**", "a ** b and **c\nd**"],
  ["code has a colour", "run `a **b** \\*` and ``c`d``.", `run ${C("a **b** \\*")} and ${C("c`d")}.`],
  ["code in bold is code", "**The `x**` file**", `${B("The ")}${C("x**")}${B(" file")}`],
  ["escaped marks are text", "\\*\\*a\\*\\* \\`b\\` C:\\temp", "**a** `b` C:\\temp"],
  ["a heading is bold", "## A `b` c\nd", `${B("A ")}${C("b")}${B(" c")}\nd`],
  ["a number sign alone is none", "#a\n#", "#a\n#"],
  ["a quote has a bar", "> a\n>\n> > b\nc", `${BAR}a\n${BAR}\n${D("│ │ ")}b\nc`],
  ["code is indented", "a\n\n```sh\nb `c`\n\n  d\n```\n\ne", "a\n\n    b `c`\n\n      d\n\ne"],
  ["code of a quote is behind its bar", "> ~~~\n> a\n> ~~~\nb", `${BAR}    a\nb`],
  ["code ends with the quote around it", "> ```\n> a\n**b**\n", `${BAR}    a\n${B("b")}\n`],
  ["code of a list is below it", "- a\n  ```js\n  b\n    c\n  ```\n- d", "- a\n      b\n        c\n- d"],
  ["code that has no end is code", "```\na *b*\n**c**", "    a *b*\n    **c**\n"],
  ["code at a line's start is no block", "```a``` b\n`c` d", `${C("a")} b\n${C("c")} d`],
  ["a list stays", "- **a**\n1. b\n   * c\n---", `- ${B("a")}\n1. b\n   * c\n---`],
  ["a link is its words", `a [b \`c\` d](${URL_HERE}) e`, `a ${L("b c d", URL_HERE)} e`],
  [
    "a link has its address where links are not followed",
    `[b](${URL_HERE}).`,
    `${L("b", URL_HERE)}${D(` (${URL_HERE})`)}.`,
    { hasLinks: false },
  ],
  ["what nobody can follow has its address", "[b](/a)", `b${D(" (/a)")}`],
  ["brackets alone are text", "a[0] and [1] [b\n[c] (d)", "a[0] and [1] [b\n[c] (d)"],
  [
    "a row of a table stays on its line",
    "| a | **b** |\n| - | - |",
    `| a | ${B("b")} |\n| - | - |`,
    { columns: 8 },
  ],
  ["words go on in the next line", "aa bb **cc dd** ee", `aa bb\n${B("cc dd")}\nee`, { columns: 6 }],
  ["and behind the bar", "> - aa bb cc", `${BAR}- aa\n${BAR}  bb\n${BAR}  cc`, { columns: 7 }],
  ["a long word is not cut", "a abcdefghij b", "a\nabcdefghij\nb", { columns: 5 }],
  [
    "without styles, structure stays and code keeps its marks",
    `# A\n\n> **b** \`c\`\n\n\`\`\`\nd\n\`\`\`\n[e](${URL_HERE})`,
    `A\n\n│ b \`c\`\n\n    d\ne (${URL_HERE})`,
    { hasStyles: false },
  ],
  ["a line may end as on Windows", "> a\r\n```\r\nb\r\n```\r\n👍", `${BAR}a\n    b\n👍`],
];

describe("what a terminal draws of Markdown", () => {
  for (const [name, markdown, shown, options] of CASES)
    test(`${name}, wherever the answer is cut into pieces`, () => {
      for (let cut = 0; cut <= markdown.length; cut++)
        expect(seen(draw([markdown.slice(0, cut), markdown.slice(cut)], options))).toEqual(seen(shown));
      expect(seen(draw(markdown.split(""), options))).toEqual(seen(shown));
    });

  test("no more than a line is held back, and of prose no more than a word", () => {
    const drawing = createMarkdownDrawing({ columns: 80, hasStyles: true, hasLinks: true });
    const write = (text: string) => render(drawing.write(text), true);
    expect(write("Loom is oi")).toBe("Loom is");
    expect(write("led, and the **shut")).toBe(" oiled, and the");
    expect(write("tle\n")).toBe(" **shuttle\n");
    expect(write("[not a `link`\n```\nco")).toBe(`[not a ${C("link")}\n`);
    expect(write("de\n")).toBe("    code\n");
  });

  test("orders of the text are none, in every kind of line", () => {
    const order = `${ESCAPE}[2J`;
    const markdown = ["a **X** `X` [X](https://x.example/X)", "# X", "> X", "```X", "X", "```", "| X |"];
    const text = markdown.join("\n").replaceAll("X", order);
    expect(draw(text.split("\n").map((line) => `${line}\n`))).not.toContain(order);
    expect(draw(text.split(""))).not.toContain(order);
  });

  test("marks without an end take no time", () => {
    const marks = ["**a", "`".repeat(5_000), "[".repeat(5_000), "**".repeat(5_000), "\\".repeat(5_001)];
    for (const mark of marks) expect(draw([`x **${mark}`, "\n"])).not.toBeEmpty();
  });
});
