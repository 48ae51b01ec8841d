import { describe, expect, test } from "bun:test";
import { unwrapMaths } from "../../../src/reading/markdown/maths.ts";
import { parsePage } from "../../../src/reading/markdown/page.ts";

describe("maths", () => {
  const WRITTEN: [string, string][] = [
    ["Let $a\\,b_1 + c_2$ be.", "Let $`a\\,b_1 + c_2`$ be."],
    ["So $x$, $y'$ and $x = 1$.", "So $`x`$, $`y'`$ and $`x = 1`$."],
    ["By \\(x^2\\) and $$\\frac{a}{b}$$ here.", "By $`x^2`$ and $`\\frac{a}{b}`$ here."],
    ["Of $O(n)$, $2n$ and \\(k\\), $x_1$ costs $5.", "Of $`O(n)`$, $`2n`$ and $`k`$, $`x_1`$ costs $5."],
    ["$`a\\,b`$ and $x_1$", "$`a\\,b`$ and $`x_1`$"],
    ["(\\($\\alpha$\\))", "($`$\\alpha$`$)"],
  ];
  for (const [page, written] of WRITTEN) test(page, () => expect(unwrapMaths(page)).toBe(written));

  const BLOCKS: [string, string][] = [
    ["A\n$$\n\\frac{a\\,b}{c_1}\n$$\nB", "A\n\n```math\n\\frac{a\\,b}{c_1}\n```\n\nB"],
    ["$$ x_1 $$", "\n```math\nx_1\n```\n"],
    ["$$x_1\n\n= 2$$", "\n```math\nx_1\n= 2\n```\n"],
    ["  \\[\n  y = x_1 \\\\ z\n  \\]", "\n  ```math\n  y = x_1 \\\\ z\n  ```\n"],
  ];
  for (const [page, written] of BLOCKS) test(page, () => expect(unwrapMaths(page)).toBe(written));

  const LEFT = [
    "It costs $5 and $6, or $5-$6.",
    "Server\\(s\\), \\(e.g. the _when_ state\\), \\([modes](lame_duck_mode.md)\\), \\(foo_bar\\), \\(a = b\\).",
    "Of $O(n)$ and $2n$ nothing says that it is maths.",
    "From (^$|^\\S*$) to $1,000_000 or US$5 ^ $6.",
    `Set $HOME/$USER, ${"$"}{a_b}-${"$"}{c_d}, $_GET and $_POST, $_GET,$_POST, %$x_y.`,
    "A \\(see below\\), \\[optional\\] and \\$x_1\\$.",
    "`$x_1$` and ``$$y_2$$``",
    "```sh\n$ echo $x_1 $\n$$\nx_1\n$$\n```",
    "    $x_1$ in code",
    "# About $x_1$",
    "^a$|^b$ and $\nx_1$",
    "\\[\nwords\n\\]",
    "$$\nnever closed_1",
    "$$ a $$ b",
    "[a\\](b) $",
  ];
  for (const page of LEFT) test(`is not: ${page}`, () => expect(unwrapMaths(page)).toBe(page));

  test("is the same when it is read again", () => {
    for (const [page, written] of [...WRITTEN, ...BLOCKS]) expect(unwrapMaths(written), page).toBe(written);
  });

  test("is whole in passages and in MDX", () => {
    for (const format of ["md", "mdx"] as const) {
      const { passages } = parsePage("# T\n\nLet $\\frac{a\\,b}{c}$ be.\n\n$$\n\\sum_{i} x_{i}\\,y\n$$", {
        fallbackTitle: "x",
        format,
      });
      expect(passages[0]?.markdown).toContain("Let `$\\frac{a\\,b}{c}$` be.");
      expect(passages[0]?.text).toContain("$\\frac{a\\,b}{c}$");
      expect(passages[0]?.text).toContain("\\sum_{i} x_{i}\\,y");
    }
  });

  test("of a megabyte is read at once", () => {
    for (const piece of ["$a ", "$$", "\\(", "$$\n", "\\[\n", "$x\\", "a$b_"])
      expect(unwrapMaths(piece.repeat(100_000)).length).toBeGreaterThan(0);
  });
});
