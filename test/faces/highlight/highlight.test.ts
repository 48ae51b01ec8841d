import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { highlight, paint } from "../../../src/faces/highlight/highlight.ts";
import { seededRandom } from "../../../src/measuring/eval/seeded-random.ts";
import { registerDom } from "../../helpers/dom.ts";

const ROOT = join(import.meta.dir, "../../..");
const LANGUAGES =
  "ts json python bash console yaml toml html xml markdown css sql go rust java kotlin c cpp c# php ruby swift lua diff dockerfile hcl powershell dart proto haskell nope".split(
    " ",
  );

let unregister: () => Promise<void>;
beforeAll(() => {
  unregister = registerDom();
});
afterAll(() => unregister());

const kinds = (code: string, language: string) =>
  highlight(code, language)
    .filter(({ kind }) => kind !== "plain")
    .map(({ kind, text }) => `${kind} ${text}`);
const together = (code: string, language: string) =>
  highlight(code, language)
    .map(({ text }) => text)
    .join("");

describe("code is cut into what it is made of", () => {
  const CASES: [language: string, code: string, expected: string[]][] = [
    [
      "tsx",
      'import x from "y"; // c\nconst a: Foo = `t$b` + call(0xff) /* un',
      [
        "keyword import",
        "keyword from",
        'string "y"',
        "comment // c",
        "keyword const",
        "name Foo",
        "string `t$b`",
        "name call",
        "number 0xff",
        "comment /* un",
      ],
    ],
    [
      "powershell",
      'Get-Item -Path $env:HOME | foreach { "$_" } # c\n<# d\n#>',
      [
        "name Get-Item",
        "name -Path",
        "name $env:HOME",
        "keyword foreach",
        'string "$_"',
        "comment # c",
        "comment <# d\n#>",
      ],
    ],
    [
      "proto",
      "message A { string b = 1; } // c",
      ["keyword message", "keyword string", "number 1", "comment // c"],
    ],
    ["haskell", "add :: Int -> Int -- c", ["name add", "comment -- c"]],
    ["dart", "final a = B('c');", ["keyword final", "name B", "string 'c'"]],
    ["json", '{"a": [-2.5, true, "b\\"c"]}', ['name "a"', "number 2.5", "keyword true", 'string "b\\"c"']],
    [
      "py",
      '@dec\ndef f():\n  """doc\n s"""\n  return 1 # c',
      [
        "name @dec",
        "keyword def",
        "name f",
        'string """doc\n s"""',
        "keyword return",
        "number 1",
        "comment # c",
      ],
    ],
    [
      "sh",
      '$ docent serve --port 80 # c\nA=1; echo "$X" don\'t',
      [
        "keyword $",
        "name --port",
        "number 80",
        "comment # c",
        "name A",
        "number 1",
        "keyword echo",
        'string "$X"',
      ],
    ],
    ["yaml", "a: 1\nb:\n  - c: http://x#y # z", ["name a", "number 1", "name b", "name c", "comment # z"]],
    ["toml", "[a.b]\nx = 'y' # c", ["keyword [a.b]", "name x", "string 'y'", "comment # c"]],
    [
      "html",
      '<!-- c --><a href="x">don\'t &amp; 5</a>',
      [
        "comment <!-- c -->",
        "keyword <a",
        "name href",
        'string "x"',
        "keyword >",
        "name &amp;",
        "keyword </a",
        "keyword >",
      ],
    ],
    ["css", "a:hover { color: 1px } /* c", ["name color", "number 1px", "comment /* c"]],
    ["sql", "SELECT count(*) -- c", ["keyword SELECT", "name count", "comment -- c"]],
    ["go", "func main() { x := `raw` }", ["keyword func", "name main", "string `raw`"]],
    [
      "rust",
      "fn f<'a>(x: &'a str) { 'x'; p!(1) }",
      ["keyword fn", "name 'a", "name 'a", "keyword str", "string 'x'", "name p!", "number 1"],
    ],
    [
      "diff",
      "--- a\n+++ b\n@@ -1 @@\n-x\n+y\n z",
      ["name --- a", "name +++ b", "keyword @@ -1 @@", "comment -x", "string +y"],
    ],
    ["dockerfile", "FROM a AS b\nRUN echo $X", ["keyword FROM", "keyword AS", "keyword RUN", "name $X"]],
    ["php", "<?php echo $x; # c", ["keyword <?php", "keyword echo", "name $x", "comment # c"]],
    ["ruby", "def f; @a = :b end # c", ["keyword def", "name @a", "name :b", "keyword end", "comment # c"]],
    ["md", "# T\n- `c` [l](u)", ["keyword # T", "keyword -", "string `c`", "name [l](u)"]],
  ];
  for (const [language, code, expected] of CASES)
    test(language, () => expect(kinds(code, language)).toEqual(expected));

  test("a language that is not known is plain, and so is no code at all", () => {
    expect(highlight("let a", "klingon")).toEqual([{ kind: "plain", text: "let a" }]);
    expect(highlight("let a", "constructor")).toEqual([{ kind: "plain", text: "let a" }]);
    expect(highlight("", "ts")).toEqual([]);
  });
});

describe("put together it is the code again", () => {
  test("for every block of code in the docs and for our own sources", () => {
    const docs = readdirSync(join(ROOT, "docs"))
      .filter((file) => file.endsWith(".md"))
      .map((file) => readFileSync(join(ROOT, "docs", file), "utf8"));
    const blocks = docs.flatMap((page) => [...page.matchAll(/^```(\w+)\n(.*?)^```$/gms)]);
    expect(blocks.length).toBeGreaterThan(100);
    for (const [, language = "", code = ""] of blocks) expect(together(code, language)).toBe(code);
    const source = readFileSync(join(ROOT, "src/faces/highlight/highlight.ts"), "utf8");
    for (const language of LANGUAGES) expect(together(source, language)).toBe(source);
  });

  test("for what looks like chance", () => {
    const random = seededRandom(11);
    const pieces = [
      "'",
      '"',
      '"""',
      "`",
      "\\",
      "/*",
      "*/",
      "//",
      "#",
      "<!--",
      "-->",
      "<a",
      ">",
      "$",
      "${",
      "}",
      "\n",
      " ",
      "\t",
      "a",
      "Ab",
      "1",
      "0x",
      "=",
      ":",
      "-",
      "--",
      "@",
      "é",
      "🙂",
      "\ud800",
      "{",
      "(",
      "[",
      "]",
      "![",
      "*",
      "**",
      "&",
      ";",
      "+",
      "=begin",
      "\r\n",
    ];
    for (let round = 0; round < 400; round++) {
      const code = Array.from(
        { length: Math.floor(random() * 60) },
        () => pieces[Math.floor(random() * pieces.length)],
      ).join("");
      const language = LANGUAGES[Math.floor(random() * LANGUAGES.length)] ?? "ts";
      expect({ language, code: together(code, language) }).toEqual({ language, code });
    }
  });

  // What is tried from every mark to the end of the code would take minutes for these.
  test("for twenty thousand of any mark, in every language, in the time of one reading", () => {
    const marks = [
      "'",
      '"',
      "`",
      "/*",
      "/",
      "#",
      "<",
      "<!--",
      "$",
      "${",
      "[",
      "![",
      "-",
      "--",
      "a",
      "a-",
      "1",
      "1.",
      "_",
      " ",
      "\t",
      "- ",
      "@",
      "&",
      "&a",
      "*",
      "**a",
      ".a",
      "\\",
      '"""',
      "=",
      "a=",
      "a:",
      '"a" ',
      "é",
      "'''",
      "--[[",
    ];
    for (const mark of marks) {
      const code = mark.repeat(Math.floor(20_000 / mark.length));
      for (const language of LANGUAGES) expect(together(code, language) === code).toBe(true);
    }
  });
});

test("painting wraps words in spans with a closed list of classes, and adds nothing but them", () => {
  const code = document.createElement("code");
  code.textContent = 'const a = "<img src=x onerror=alert(1)>"; // </code><script>';
  paint(code, "ts");
  expect(code.textContent).toBe('const a = "<img src=x onerror=alert(1)>"; // </code><script>');
  expect([...code.children].map(({ outerHTML }) => outerHTML)).toEqual([
    '<span class="hl-keyword">const</span>',
    '<span class="hl-string">"&lt;img src=x onerror=alert(1)&gt;"</span>',
    '<span class="hl-comment">// &lt;/code&gt;&lt;script&gt;</span>',
  ]);
});
