import { describe, expect, test } from "bun:test";
import { type PageFormat, parsePage } from "../../../src/reading/markdown/page.ts";
import { DEFAULT_PASSAGE_SIZES } from "../../../src/reading/markdown/passages/passages.ts";

const markdownOf = (source: string, format: PageFormat = "md"): string =>
  parsePage(source, { fallbackTitle: "Page", format })
    .passages.map(({ markdown }) => markdown)
    .join("\n\n");

const KEYS = [
  "# Security keys",
  "Acme signs in with [OAuth3] [Passkey] compatible keys like\n[MyKey]'s, see the [guide][passkey guide].",
  "Devices work as before the upgrade to the [OAuth3]\n[Passkey] protocol.",
].join("\n\n");
const TARGETS = [
  "[OAuth3]: https://example.org/oauth3",
  '[Passkey]: <https://example.org/pass key> "About passkeys"',
  "[MyKey]: ../keys/my.md#own",
  "[passkey  guide]: https://example.org/a_(b)",
].join("\n");

describe("in a passage, reference links", () => {
  test("have the targets that stand at the end of the page", () => {
    expect(markdownOf(`${KEYS}\n\n${"## More\n\nOther words.\n\n".repeat(3)}${TARGETS}\n`)).toStartWith(
      [
        "Acme signs in with [OAuth3](https://example.org/oauth3) [Passkey](https://example.org/pass%20key) compatible keys like",
        "[MyKey](../keys/my.md#own)'s, see the [guide](https://example.org/a_(b)).",
        "",
        "Devices work as before the upgrade to the [OAuth3](https://example.org/oauth3)",
        "[Passkey](https://example.org/pass%20key) protocol.",
      ].join("\n"),
    );
  });

  test("have their targets in every format of Markdown, and in lists, tables, quotes and images", () => {
    const body =
      "- [x] see [the docs][d]\n  - [d][]\n\n| a |\n| --- |\n| [d] |\n\n> [!NOTE]\n> [d], and `x` in [the `d` page][d]\n\n[![Build][badge]][d]\n\n[d]: https://x.y/z\n[badge]: b.svg";
    const shown =
      "- [x] see [the docs](https://x.y/z)\n  - [d](https://x.y/z)\n\n| a |\n| --- |\n| [d](https://x.y/z) |\n\n> [!NOTE]\n> [d](https://x.y/z), and `x` in [the `d` page](https://x.y/z)\n\n[![Build](b.svg)](https://x.y/z)";
    for (const format of ["md", "mdx", "qmd"] as const) expect(markdownOf(body, format), format).toBe(shown);
    const notebook = { cells: [{ cell_type: "markdown", source: body }], nbformat: 4 };
    expect(markdownOf(JSON.stringify(notebook), "ipynb")).toBe(shown);
  });

  test("whose target is nowhere are words", () => {
    expect(markdownOf(KEYS)).toBe(
      "Acme signs in with OAuth3 Passkey compatible keys like\n[MyKey]'s, see the guide.\n\nDevices work as before the upgrade to the OAuth3\nPasskey protocol.",
    );
    expect(markdownOf("Written by [ada][], with [Ada Lane].\n\n[Other]: https://x.y")).toBe(
      "Written by ada, with Ada Lane.",
    );
  });

  test("are no brackets of commands, keys, tasks, arrays, notes or code, nor those that are escaped", () => {
    for (const kept of [
      "Run acme [optional] [--force] with `[Name] [File]` or acme [Path] [-v].",
      "Run `acme` [`--rm`] [Name].",
      "acme copy [SOURCE][TARGET]",
      "- [x] done\n- [ ] open",
      "Take items[0][1], rows[i][j] or [0][1] of string[][].",
      "Click **[Save]**, then [OK] or [word].",
      "In the [Unit] section, see [1] and [2].",
      "Not \\[Name\\] nor \\[Name] [File], nor [[Page]].",
      "```sh\nacme [Name] [File]\n```",
      "- a\n\n  ```\n  [d][d] [Name] [File]\n  ```",
    ])
      expect(markdownOf(kept), kept).toBe(kept);
    expect(markdownOf("    acme [d][d]\n\n`[d]` and items[d][0]\n\n[d]: https://x.y")).toContain(
      "    acme [d][d]\n\n`[d]` and",
    );
  });

  test("are brackets in formats that have no such links", () => {
    expect(markdownOf("<p>Enter [Name] [File] here</p>", "html")).toBe("Enter [Name] [File] here");
  });

  test("do not make a page of many links to one long address many times as long", () => {
    const long = `${"[a][b] ".repeat(20_000)}\n\n[b]: http://x.y/${"z".repeat(1_900)}`;
    expect(markdownOf(long).length).toBeLessThan(2_000_000);
    for (const { tokensEstimated } of parsePage(long, { fallbackTitle: "Page" }).passages)
      expect(tokensEstimated).toBeLessThanOrEqual(DEFAULT_PASSAGE_SIZES.hardMaxTokens);
    expect(markdownOf(`![A logo][logo]\n\n[logo]: data:image/png;base64,${"A".repeat(9_000)}`)).toBe(
      "A logo",
    );
  });
});
