import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import {
  DOCUMENT_BOUNDS,
  type DocumentBounds,
  readDocument,
} from "../../../src/reading/documents/documents.ts";
import { type PdfText, pdfBytes } from "../../helpers/pdf-bytes.ts";

/*
 * Fixtures: columns.pdf and right-to-left.pdf were made of the HTML beside them by WeasyPrint 70 with the DejaVu fonts;
 * password.pdf and owner-password.pdf by `qpdf --encrypt secret owner 256` and `qpdf --encrypt "" owner 256 --extract=n`.
 */
const FIXTURES = join(import.meta.dir, "../../fixtures/documents");

async function readAll(content: Uint8Array, bounds: DocumentBounds = DOCUMENT_BOUNDS) {
  const read = await readDocument(content, "pdf", bounds);
  if ("unreadable" in read) throw new Error(read.unreadable);
  return read;
}

const fixture = (name: string) => Bun.file(join(FIXTURES, name)).bytes();

const why = async (content: Uint8Array) => {
  const read = await readDocument(content, "pdf");
  return "unreadable" in read ? read.unreadable : undefined;
};

/** Lines below each other. */
const lines = (
  texts: readonly string[],
  { x = 60, y = 700, step = 12, ...rest }: Partial<PdfText> & { step?: number } = {},
) => texts.map((text, index): PdfText => ({ text, x, y: y - index * step, ...rest }));

const PROSE = [
  "The first line of a paragraph goes on to the end of the column here,",
  "and the second line of it does so as well, so that both are full and",
  "the third one ends it.",
];

const pageWith = (number: number) => [
  ...lines(PROSE, { y: 700 }),
  { text: "The manual of things", x: 60, y: 800, size: 8 },
  { text: `Chapter of page ${"abcdefgh"[number]}`, x: 60, y: 600 },
  { text: `${number}`, x: 290, y: 30, size: 8 },
];

test("a document in a Buffer, as files of archives are, is read as any other", async () => {
  expect((await readAll(Buffer.from(pdfBytes([lines(PROSE)])))).markdown).toContain(PROSE[0] ?? "");
});

describe("words", () => {
  test("are joined to paragraphs over lines, with the place of each page marked", async () => {
    const { markdown } = await readAll(pdfBytes([lines(PROSE), lines(["Another page."])]));
    expect(markdown).toBe(
      `<a id="page=1"></a>\n\n${PROSE.join(" ")}\n\n<a id="page=2"></a>\n\nAnother page.\n`,
    );
  });

  test("go on over the end of a page, with its mark within the paragraph", async () => {
    const { markdown } = await readAll(
      pdfBytes([
        lines(PROSE.slice(0, 2)),
        lines(["the last line, on the next page, which is as long as any other is."]),
      ]),
    );
    expect(markdown).toContain(
      'so that both are full and <a id="page=2"></a>the last line, on the next page',
    );
  });

  test("that were cut at the end of a line are whole, and those with a hyphen keep it", async () => {
    const { markdown } = await readAll(
      pdfBytes([
        lines([
          "A sentence about the well-known places in which a documen-",
          "tation assistant is of use to people who read of the well-",
          "known places. It ends.",
        ]),
      ]),
    );
    expect(markdown).toContain(
      "a documentation assistant is of use to people who read of the well-known places",
    );
  });

  test("are escaped: they stay words", async () => {
    const { markdown } = await readAll(
      pdfBytes([lines(["# no heading", "", "<b>no tag</b> and *no* emphasis"])]),
    );
    expect(markdown).toContain("\\# no heading");
    expect(markdown).toContain("\\<b>no tag\\</b> and \\*no\\* emphasis");
  });

  test("that are drawn twice, to look bold, are read once", async () => {
    const { markdown } = await readAll(
      pdfBytes([[...lines(["Said once"]), ...lines(["Said once"], { x: 60.4 })]]),
    );
    expect(markdown.match(/Said once/g)).toHaveLength(1);
  });

  test("of a font whose letters have forms, such as figures that hang below the line, are of those letters", async () => {
    const { markdown } = await readAll(
      pdfBytes([[{ text: "In \x01\x02\x02\x01 o\x04ce of \x03", x: 60, y: 700, font: "forms" }]]),
    );
    expect(markdown).toContain("In 1991 office of a");
  });

  test("that a form lets choose are those that it shows, and not what it sends for them", async () => {
    const choice = "/FT /Ch /Ff 131072 /Opt [[(de) (Germany)] [(fr) (France)]] /V (fr)";
    const { markdown } = await readAll(
      pdfBytes([[...lines(["Where you live:"]), { text: "Where you live:", x: 60, y: 680, field: choice }]]),
    );
    expect(markdown).toContain("France");
    expect(markdown).not.toMatch(/Germany|\bfr\b/);
  });

  test("that a field shows are read as they are drawn, and with its own spaces where it has a letter in each box", async () => {
    const fields = [
      { text: "a sum of money", x: 60, y: 700, field: "/FT /Tx /V (302.8)", drawn: "302,80 EUR" },
      { text: "a name in boxes", x: 60, y: 600, field: "/FT /Tx /V (Ada L)", drawn: "A d a L" },
    ];
    const { markdown } = await readAll(pdfBytes([[...lines(PROSE, { y: 500 }), ...fields]]));
    expect(markdown).toContain("302,80 EUR");
    expect(markdown).toContain("Ada L");
    expect(markdown).not.toContain("302.8");
  });

  test("of lines that lean are read line by line, behind those that do not", async () => {
    const leaning = lines(["Not for", "those outside"], { x: 100, y: 500, step: 40, size: 30 }).map(
      (each) => ({
        ...each,
        degrees: 45,
      }),
    );
    const { markdown } = await readAll(pdfBytes([[...leaning, ...lines(PROSE, { y: 560 })]]));
    expect(markdown).toContain(PROSE.join(" "));
    expect(markdown.replace(/\s+/g, " ")).toContain("Not for those outside");
  });

  test("that lead somewhere are links; other addresses than of the web and mail are words", async () => {
    const { markdown } = await readAll(
      pdfBytes([
        [
          { text: "the guide", x: 60, y: 700, link: "https://example.com/guide" },
          { text: "a script", x: 60, y: 600, link: "javascript:alert(1)" },
        ],
      ]),
    );
    expect(markdown).toContain("[the guide](https://example.com/guide)");
    expect(markdown).toContain("\n\na script\n");
  });
});

describe("a page", () => {
  test("of two columns is read column by column, with lists, code and tables in them", async () => {
    const { markdown, data, faults } = await readAll(await fixture("columns.pdf"));
    expect(faults).toEqual([]);
    expect(data).toMatchObject({ title: "On Columns", author: "Ada Example", language: "en" });
    expect(markdown.match(/^#+ .*$/gm)).toEqual([
      "# On Columns and their Readers",
      "## 1 Introduction",
      "## 2 Lists",
      "## 3 Code",
      "## 4 Table",
      "## 5 End",
    ]);
    expect(markdown).toContain(
      "\n- Second item\n   - An inner item\n- Third item\n1. Step one\n2. Step two is long",
    );
    expect(markdown).toContain(
      "```\ndef read(path):\n    with open(path) as file:\n        return file.read()\n\nprint(read('a.txt'))\n```",
    );
    expect(markdown).toContain("A call of `open_file()` shows it:");
    expect(markdown).toContain(
      "| Name | Size | Kind |\n| --- | --- | --- |\n| alpha | 12 | a short word |\n| beta | 7 | another |\n| gamma ray | 300 | the last |",
    );
    expect(markdown).toContain("[the guide of columns](https://example.com/guide)");
    expect(markdown).not.toContain("Journal of Columns");
    const html = await Bun.file(join(FIXTURES, "columns.html")).text();
    const sentences = [...html.matchAll(/<p>(.*?)<\/p>/g)].map(([, text = ""]) =>
      text.replace(/<[^>]+>|[`\\]/g, ""),
    );
    const plain = markdown.replace(/<a id="[^"]*"><\/a>|[`\\]|\]\([^)]*\)|\[/g, "");
    for (const sentence of sentences) expect(plain).toContain(sentence);
  });

  test("that is written from right to left is read so", async () => {
    const { markdown } = await readAll(await fixture("right-to-left.pdf"));
    expect(markdown).toContain(
      "# מדריך למשתמש\n\nזהו מסמך לדוגמה בעברית שכולל כמה משפטים ארוכים כדי שהשורות",
    );
    expect(markdown).toContain("- פריט ראשון\n- פריט שני");
    expect(markdown).toContain("هذا مستند مثال باللغة العربية يحتوي على عدة جمل طويلة");
  });

  test("loses its running title and its number, which are no words of it", async () => {
    const { markdown } = await readAll(pdfBytes([1, 2, 3, 4, 5].map(pageWith)));
    expect(markdown).not.toContain("The manual of things");
    expect(markdown).not.toMatch(/^\d$/m);
    expect(markdown.match(/Chapter of page \w/g)).toHaveLength(5);
  });

  test("that is the only one keeps its number, which repeats nothing", async () => {
    const { markdown } = await readAll(pdfBytes([[...lines(PROSE), { text: "1", x: 290, y: 30 }]]));
    expect(markdown).toContain("\n\n1\n");
  });

  test("that holds nothing but a line that others share keeps it", async () => {
    const { markdown } = await readAll(pdfBytes([1, 2, 3, 4].map(() => lines(["Hello world"]))));
    expect(markdown.match(/Hello world/g)).toHaveLength(4);
  });

  test("of Japanese is read without the font, and from the top to the bottom where it is written so", async () => {
    const text = "\x93\xfa\x96\x7b\x8c\xea";
    const { markdown } = await readAll(
      pdfBytes([
        [{ text, x: 60, y: 700, font: "japanese" }],
        [
          { text, x: 300, y: 700, font: "vertical" },
          { text: "\x95\xb6\x8f\xcd", x: 280, y: 700, font: "vertical" },
        ],
      ]),
    );
    expect(markdown).toContain('<a id="page=1"></a>\n\n日本語\n');
    expect(markdown.slice(markdown.indexOf("page=2")).replace(/[\s\\]/g, "")).toContain("日本語文章");
  });
});

describe("structure", () => {
  test("has headings by their size, and by their weight where they stand alone", async () => {
    const { markdown } = await readAll(
      pdfBytes([
        [
          { text: "The Title", x: 60, y: 780, size: 20 },
          { text: "A part", x: 60, y: 740, size: 14 },
          ...lines(PROSE, { y: 715 }),
          { text: "Weighty", x: 60, y: 660, font: "bold" },
          ...lines(PROSE, { y: 645 }),
        ],
      ]),
    );
    expect(markdown.match(/^#+ .*$/gm)).toEqual(["# The Title", "## A part", "### Weighty"]);
  });

  test("has rows of cells as a table, and lines of an even width as code with its indentation", async () => {
    const row = (y: number, ...cells: string[]) =>
      cells.map((text, index) => ({ text, x: 60 + index * 120, y }));
    const { markdown } = await readAll(
      pdfBytes([
        [
          ...row(700, "Option", "Default", "Meaning"),
          ...row(684, "port", "8080", "where it listens | and waits"),
          ...row(668, "host", "", "which address"),
          ...lines(["if (a) {", "}"], { y: 600, font: "mono" }),
          { text: "return b;", x: 72, y: 564, font: "mono" },
          ...lines(PROSE, { y: 500 }),
          ...lines(PROSE, { y: 450 }),
        ],
      ]),
    );
    expect(markdown).toContain(
      "| Option | Default | Meaning |\n| --- | --- | --- |\n| port | 8080 | where it listens \\| and waits |\n| host |  | which address |",
    );
    expect(markdown).toContain("```\nif (a) {\n}\n\n  return b;\n```");
  });

  test("keeps the spaces of code that are narrower than its letters", async () => {
    const { markdown } = await readAll(
      pdfBytes([
        [
          ...lines(PROSE, { y: 700 }),
          ...lines(PROSE, { y: 600 }),
          { text: "make", x: 60, y: 560, font: "mono" },
          { text: "install", x: 86, y: 560, font: "mono", size: 9 },
        ],
      ]),
    );
    expect(markdown).toContain("make install");
  });

  test("has lists by their bullets and numbers", async () => {
    const { markdown } = await readAll(
      pdfBytes([
        [...lines(["\x95 one thing", "\x95 another thing"]), ...lines(["1. first", "2. second"], { y: 600 })],
      ]),
    );
    expect(markdown).toContain("- one thing\n- another thing\n1. first\n2. second");
  });
});

describe("what a document says of itself", () => {
  test("is kept where it says something", async () => {
    const info = {
      Title: "The guide",
      Author: "Ada Example",
      Subject: "How to",
      ModDate: "D:20240131120000+01'00'",
    };
    expect((await readAll(pdfBytes([lines(["Words"])], { info }))).data).toEqual({
      title: "The guide",
      author: "Ada Example",
      description: "How to",
      date: "2024-01-31",
    });
  });

  test.each([
    "untitled",
    "Microsoft Word - guide.doc",
    "guide_final.docx",
    "PowerPoint Presentation",
    "12-3",
  ])("is no title where a program gave it: %s", async (title) => {
    expect((await readAll(pdfBytes([lines(["Words"])], { info: { Title: title } }))).data).toEqual({});
  });
});

describe("what cannot be read", () => {
  test("is said of scans, as a whole and in part", async () => {
    expect(await why(pdfBytes([[], [], []]))).toBe("has no text: a scan of 3 pages");
    expect((await readAll(pdfBytes([lines(["Words"]), [], [], lines(["More"]), []]))).faults).toEqual([
      "has no text on pages 2-3 and 5: pictures or scans",
    ]);
  });

  test("is said of a password; one that only keeps people from changing it keeps nobody from reading", async () => {
    expect(await why(await fixture("password.pdf"))).toBe("is encrypted: it needs a password");
    expect((await readAll(await fixture("owner-password.pdf"))).markdown).toContain(
      "Words behind a password.",
    );
  });

  test("is said of attachments and of forms in XFA", async () => {
    const names =
      "/Names << /EmbeddedFiles << /Names [(a.txt) << /Type /Filespec /F (a.txt) /EF << /F 3 0 R >> >>] >> >>";
    const form = "/AcroForm << /Fields [] /XFA [(template) 3 0 R] >>";
    expect((await readAll(pdfBytes([lines(["Words"])], { catalog: `${names} ${form}` }))).faults).toEqual([
      "is a form in XFA: only what it shows to programs that don't know this is read",
      "carries an attachment that is not read: a.txt",
    ]);
  });

  test("is said of fonts that do not say which letters they show", async () => {
    const rubbish = Array.from({ length: 40 }, (_, index) => String.fromCharCode(1 + (index % 7))).join("");
    const { markdown, faults } = await readAll(
      pdfBytes([lines(["Words that are read"]), [{ text: rubbish, x: 60, y: 700, font: "nameless" }]]),
    );
    expect(markdown).toBe('<a id="page=1"></a>\n\nWords that are read\n\n<a id="page=2"></a>\n');
    expect(faults).toEqual([
      "has letters without a meaning on page 2: their fonts don't say which they show",
    ]);
  });

  test("is said of more pages, and of more characters, than may be read", async () => {
    const pages = Array.from({ length: 6 }, () => lines(PROSE));
    const few = await readAll(pdfBytes(pages), { ...DOCUMENT_BOUNDS, pagesMax: 4 });
    expect(few.faults).toEqual(["has 6 pages: those after page 4 are not read"]);
    const short = await readAll(pdfBytes(pages), { ...DOCUMENT_BOUNDS, charactersMax: 200 });
    expect(short.markdown.length).toBeLessThanOrEqual(200);
    expect(short.faults[0]).toBe("has 6 pages: those after page 2 are not read");
  });
});

describe("a hostile document", () => {
  const text = (source: string) => new TextEncoder().encode(source);

  test.each<[string, Uint8Array]>([
    ["nothing", new Uint8Array()],
    ["another file", text("no PDF at all")],
    ["a header alone", text("%PDF-1.7\n")],
    [
      "a page tree that holds itself",
      text(
        "%PDF-1.7\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj 2 0 obj<</Type/Pages/Count 9/Kids[2 0 R 2 0 R]>>endobj trailer<</Root 1 0 R>>",
      ),
    ],
    [
      "a table that points nowhere",
      text("%PDF-1.7\nxref\n0 99999999\ntrailer<</Root 1 0 R/Size 99999999/Prev 9>>\nstartxref\n9\n%%EOF"),
    ],
  ])("is refused in words: %s", async (_, content) => {
    expect(await why(content)).toMatch(/^(?:is damaged: |is empty|has no text: )/);
  });

  test("that is cut off anywhere is read as far as it goes, or refused", async () => {
    const whole = await fixture("columns.pdf");
    for (const share of [0.1, 0.3, 0.5, 0.7, 0.9, 0.99]) {
      const read = await readDocument(whole.slice(0, Math.floor(whole.length * share)), "pdf");
      expect("unreadable" in read || read.markdown.length > 0).toBe(true);
    }
  });
});
