import { describe, expect, test } from "bun:test";
import { type AuthoredFormat, lostWords } from "../../../src/reading/markdown/kept-words/kept-words.ts";
import { type PageFormat, parsePage } from "../../../src/reading/markdown/page.ts";

/** What is lost where a page is shown as another text. */
function lost(text: string, shown: string, format: AuthoredFormat = "md") {
  const page = parsePage(shown, { fallbackTitle: "Page" });
  return lostWords({ text, format }, page).map(({ words }) => words);
}

const SENTENCE = "You must not delete the options before 30 days have passed.";

describe("words that are lost", () => {
  test("in the middle of a sentence are named, with the words around them and their passage", () => {
    const shown = parsePage(
      `# One\n\n${"Other words. ".repeat(300)}\n\n# Two\n\nYou must delete the options.`,
      {
        fallbackTitle: "Page",
      },
    );
    const text = `# One\n\n# Two\n\nYou must not delete the options.`;
    expect(lostWords({ text, format: "md" }, shown)).toEqual([
      { words: "not", context: "you must not delete the options", passage: shown.passages.length - 1 },
    ]);
  });

  test("are found wherever they stand in a sentence, as long as words of it stand on both sides", () => {
    const words = SENTENCE.split(" ");
    for (let at = 1; at < words.length - 1; at++) {
      const shown = words.filter((_, index) => index !== at).join(" ");
      const [first, ...more] = lost(`Before.\n\n${SENTENCE}\n\nAfter.`, `Before.\n\n${shown}\n\nAfter.`);
      expect({ at, first, more }).toEqual({ at, first: words[at]?.toLowerCase(), more: [] });
    }
  });

  test("are none where other words were put in between, or stand in their place", () => {
    expect(lost(SENTENCE, SENTENCE.replace("options", "options (see below)"))).toEqual([]);
    expect(lost(SENTENCE, SENTENCE.replace("the options", "every single option"))).toEqual([]);
  });

  test("are none where the whole sentence is left out: nothing is said that the page does not say", () => {
    expect(lost(`Before.\n\n${SENTENCE}\n\nAfter this, go on.`, "Before.\n\nAfter this, go on.")).toEqual([]);
  });

  test("are none where the same sentence stands elsewhere with the words", () => {
    const twice = "Run it again now to delete.\n\nRun it not again now to delete.";
    expect(lost("Run it not again now to delete.", twice)).toEqual([]);
  });

  test("are found in scripts without spaces, and whatever the case, the width or the hyphens", () => {
    expect(lost("请不要删除这些选项。", "请要删除这些选项。")).toEqual(["不"]);
    expect(lost("You MUST dele\u00ADte ｔｈｅ options.", "You must delete the options.")).toEqual([]);
  });
});

/** Pages of every format with marks around, inside of and beside the words. */
const PAGES: readonly [PageFormat & AuthoredFormat, string][] = [
  [
    "md",
    'You must **not** [delete](a.md "b") the `options`, _ever_<br>and {{< ref "x" >}} never <b>more</b> than 3&nbsp;GB of ~~old~~ data[^1].\n\n[^1]: A note that says so.\n\n- one item with *not one* word lost\n- [ ] a task that is not done\n\n| a cell | with not one **word** lost |\n|---|---|\n| 5 | 6 |\n\n> [!WARNING]\n> Do not do it again, please.\n',
  ],
  [
    "mdx",
    'import X from "x"\n\n<Note>Today you must **not** ever <X kind="y">delete</X> the {"options"} ever again.</Note>\n\n<Tabs><TabItem label="npm">Do not run it as root, please.</TabItem></Tabs>\n',
  ],
  [
    "html",
    "<html><body><main><h1>Page</h1><p>You must <b>not</b> delete <a href='x'>the options</a><sup>2</sup> ever.</p><dl><dt><a class='permalink' href='#x'>--force and more</a></dt><dd>Does not ask again.</dd></dl></main></body></html>",
  ],
  [
    "rst",
    "Page\n====\n\nYou must **not** delete `the options <x.html>`_ before ``30 days`` have passed, |release| or not.\n\n.. warning:: Do not do it again, please.\n\n   Never ever do it.\n\nTerm that is not one\n  A definition that is not long.\n",
  ],
  [
    "man",
    ".TH X 1\n.SH NAME\nx \\- does nothing\n.SH DESCRIPTION\nYou must \\fBnot\\fR delete the options before 30\\-day periods have passed.\n.TP\n.B \\-f\nDoes not ask again, and never will.\n",
  ],
  [
    "org",
    "* Page\n\nYou must *not* delete [[x][the options]] before =30 days= have passed.\n\n- an item :: that is not lost at all\n",
  ],
  [
    "pod",
    "=head1 Page\n\nYou must B<not> delete L<the options|x> before C<30 days> have passed.\n\n=over\n\n=item --force and more\n\nDoes not ask I<again>, ever.\n\n=back\n",
  ],
  ["txt", "You must not delete the options\nbefore 30 days have passed.\n\nDo not do it again, please.\n"],
  [
    "qmd",
    "---\ntitle: Page\n---\n\nYou must **not** [delete]{.x} the options before @tbl-x or `{r} 30` days have passed.\n\n::: {.callout-note}\nDo not do it again, please.\n:::\n",
  ],
  [
    "ipynb",
    JSON.stringify({
      nbformat: 4,
      metadata: {},
      cells: [
        { cell_type: "markdown", source: ["You must **not** delete\n", "the options before 30 days."] },
      ],
    }),
  ],
];

test("no format loses a word between others", () => {
  expect(PAGES.map(([format]) => format).toSorted()).toEqual([
    "html",
    "ipynb",
    "man",
    "md",
    "mdx",
    "org",
    "pod",
    "qmd",
    "rst",
    "txt",
  ]);
  for (const [format, text] of PAGES) {
    const page = parsePage(text, { fallbackTitle: "Page", format });
    expect({ format, lost: lostWords({ text, format }, page) }).toEqual({ format, lost: [] });
    const without = page.passages.map((passage) => ({
      ...passage,
      text: passage.text.replace(/\bnot /, ""),
    }));
    expect({ format, lost: lostWords({ text, format }, { ...page, passages: without })[0]?.words }).toEqual({
      format,
      lost: "not",
    });
  }
});
