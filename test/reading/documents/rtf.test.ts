import { describe, expect, test } from "bun:test";
import { DOCUMENT_BOUNDS, readDocument } from "../../../src/reading/documents/documents.ts";
import { ownMs } from "../../helpers/own-time.ts";

const bytes = (rtf: string) => Uint8Array.from(Buffer.from(rtf, "latin1"));

async function read(rtf: string, bounds = DOCUMENT_BOUNDS) {
  const document = await readDocument(bytes(rtf), "rtf", bounds);
  if ("unreadable" in document) throw new Error(document.unreadable);
  return document;
}

const FONTS = String.raw`{\fonttbl{\f0\fcharset0 Times;}{\f1\fcharset204 Times Cyr;}{\f2\fcharset128 Mincho;}{\f3\fcharset2 Symbol;}}`;
const markdown = async (body: string) =>
  (await read(String.raw`{\rtf1\ansi\ansicpg1252\deff0${FONTS}${body}}`)).markdown;

describe("text of RTF", () => {
  test("is read in the encodings of its fonts, and in Unicode", async () => {
    expect(
      await markdown(
        String.raw`caf\'e9 \f1\'cf\'f0\'e8 \f2\'83e\'83X\'83g \f3\'b7\f0  \u8364? \uc2\u26085\'93\'fa!`,
      ),
    ).toBe("café При テスト • € 日!");
  });

  test("keeps pairs of surrogates together, and signs that are control words", async () => {
    expect(
      await markdown(String.raw`\u-10187?\u-8912? a\emdash b \{c\} d\~e f\-g h\_i \ldblquote j\rdblquote`),
    ).toBe("𝔰 a—b {c} d e fg h-i “j”");
  });

  test("has no words of tables of fonts, styles and others, of headers and pictures", async () => {
    const around = String.raw`{\colortbl;\red1;}{\*\generator Writer;}{\header top}{\pict\pngblip 0102}{\*\unknown x}{\xe index}`;
    expect(await markdown(`${around}words`)).toBe("words");
  });

  test("has no words that are hidden or deleted", async () => {
    expect(await markdown(String.raw`a{\v hidden} b{\deleted gone} c{\v0 d}`)).toBe("a b cd");
  });

  test("is not changed by bytes of a picture that look like groups", async () => {
    expect(await markdown(String.raw`a{\pict\bin4 }}{{} b`)).toBe("a b");
  });

  test("is escaped, so that it stays words", async () => {
    expect(await markdown(String.raw`# no heading\par *no* <b>\par 1. no item`)).toBe(
      "\\# no heading\n\n\\*no\\* \\<b>\n\n1\\. no item",
    );
  });
});

describe("a document of RTF", () => {
  test("has headings by the names of styles and by outline levels", async () => {
    const styles = String.raw`{\stylesheet{\s1 heading 1;}{\s2\outlinelevel1 Chapter;}{\s3 Title;}}`;
    const body = String.raw`\pard\s3 All\par\pard\s1 One\par\pard\s2 Two\par\pard\outlinelevel2 Three\par\pard words\par`;
    expect(await markdown(styles + body)).toBe("# All\n\n# One\n\n## Two\n\n### Three\n\nwords");
  });

  test("has lists with bullets and numbers, one inside another", async () => {
    const item = (level: number, marker: string, words: string) =>
      String.raw`\pard\ls1\ilvl${level}\li${720 * (level + 1)}{\listtext ${marker}\tab}${words}\par `;
    const list =
      item(0, "1.", "one") +
      item(1, "{\\f3\\'b7}", "inner") +
      item(1, "a)", "letter") +
      item(1, "o", "bullet") +
      item(0, "2.", "two");
    expect(await markdown(list)).toBe("1. one\n   - inner\n   - a) letter\n   - bullet\n2. two");
  });

  test("has tables, also one inside a cell", async () => {
    const row = (...cells: string[]) =>
      String.raw`\trowd\cellx1\cellx2 ${cells.map((c) => `\\pard\\intbl ${c}\\cell`).join(" ")}\row `;
    expect(await markdown(`${row("a", "b|c")}${row("first\\par second", "d")}\\pard after`)).toBe(
      "| a | b\\|c |\n| --- | --- |\n| first<br>second | d |\n\nafter",
    );
    const nested = String.raw`\pard\intbl\itap2 x\nestcell y\nestcell{\*\nesttableprops\trowd\nestrow}\pard\intbl z`;
    expect(await markdown(row("a", "b") + row("c", nested))).toContain("| c | x; y<br>z |");
  });

  test("keeps links to the web, and of others the words", async () => {
    const link = (target: string, words: string) =>
      String.raw`{\field{\*\fldinst{HYPERLINK "${target}"}}{\fldrslt{\ul ${words}}}}`;
    expect(
      await markdown(`see ${link("https://docent.test/a(b", "the docs")}, ${link("file:///c:/x", "a file")}`),
    ).toBe("see [the docs](https://docent.test/a%28b), a file");
    expect(await markdown(String.raw`of {\field{\*\fldinst PAGE}{\fldrslt 4}}`)).toBe("of 4");
  });

  test("has footnotes below, and boxes behind the paragraph that they stand at", async () => {
    expect(await markdown(String.raw`a{\super\chftn}{\footnote\pard{\chftn} the note}, b\par c`)).toBe(
      "a[^1], b\n\nc\n\n[^1]: the note",
    );
    expect(
      await markdown(
        String.raw`a{\shp{\*\shpinst{\sp{\sn x}{\sv 1}}{\shptxt in a box\par}}{\shprslt old}}b\par c`,
      ),
    ).toBe("ab\n\nin a box\n\nc");
  });

  test("says its title, author and date", async () => {
    const info = String.raw`{\info{\title A \'e9}{\author Me}{\creatim\yr2024\mo3\dy9}{\operator No}}`;
    expect((await read(String.raw`{\rtf1\ansi${info}words}`)).data).toEqual({
      title: "A é",
      author: "Me",
      date: "2024-03-09",
    });
  });

  test("says what of it is not read", async () => {
    const { faults } = await read(
      String.raw`{\rtf1 a{\*\annotation note}{\object{\*\objdata 00}{\result b}}`,
    );
    expect(faults).toEqual([
      "is cut off: its last groups never end",
      "has 1 comment that is not read",
      "has 1 embedded object that is not read",
    ]);
    const long = await read(`{\\rtf1 ${"word\\par ".repeat(1_000)}}`, {
      ...DOCUMENT_BOUNDS,
      charactersMax: 100,
    });
    expect(long.faults).toEqual(["has more than 100 characters: the rest is not read"]);
    expect(long.markdown.length).toBeLessThan(300);
  });

  test.each([
    ["words of another kind", "just text", "is damaged: it does not begin as RTF does"],
    ["a picture only", String.raw`{\rtf1{\pict 00}}`, "has no text: 1 picture"],
    ["nothing", String.raw`{\rtf1}`, "has no text"],
    ["the beginning of one", String.raw`{\rtf1{\fonttbl{\f0 A`, "is damaged: it ends before its text"],
  ])("of %s is not read", async (_, rtf, unreadable) => {
    expect(await readDocument(bytes(rtf), "rtf")).toEqual({ unreadable });
  });
});

test.each([
  ["groups", "{".repeat(2_000_000)],
  ["groups that end", `${"{".repeat(1_000_000)}a${"}".repeat(1_000_000)}`],
  ["control words", "\\b".repeat(1_000_000)],
  ["bytes that are none", "\\'".repeat(1_000_000)],
  ["footnotes in footnotes", "{\\footnote a".repeat(100_000)],
  ["nested cells", "\\nestcell a".repeat(100_000)],
  ["cells", "a\\cell ".repeat(300_000)],
  ["fields", "{\\field{\\*\\fldinst HYPERLINK".repeat(50_000)],
  ["items", "{\\listtext 1.}a\\par\\li9".repeat(100_000)],
  ["pictures", "{\\pict\\bin99999999999 ".repeat(50_000)],
])("%s without end are read in bounded time", async (_, body) => {
  expect(await ownMs(() => readDocument(bytes(`{\\rtf1 ${body}`), "rtf"))).toBeLessThan(5_000);
});
