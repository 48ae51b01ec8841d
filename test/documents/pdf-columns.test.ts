import { describe, expect, test } from "bun:test";
import { readDocument } from "../../src/documents/documents.ts";
import { type PdfText, pdfBytes } from "../helpers/pdf-bytes.ts";

async function read(texts: readonly PdfText[]): Promise<string> {
  const read = await readDocument(pdfBytes([texts]), "pdf");
  if ("unreadable" in read) throw new Error(read.unreadable);
  return read.markdown;
}

/** Cells at these places, row by row; an empty one is not drawn. */
function rows(
  texts: readonly (readonly string[])[],
  {
    xs,
    y = 700,
    step = 14,
    ...rest
  }: { xs: readonly number[]; y?: number; step?: number } & Partial<PdfText>,
): PdfText[] {
  return texts.flatMap((row, index) =>
    row.flatMap((text, column) =>
      text === "" ? [] : [{ text, x: xs[column] ?? 0, y: y - index * step, ...rest }],
    ),
  );
}

const STATES = [
  ["Maine", "13,278", "13,077", "12,950"],
  ["Vermont", "7,100", "7,152", "6,779"],
  ["Ohio", "119,029", "116,702", "117,356"],
];

describe("a table without lines", () => {
  const XS = [60, 160, 200, 240];

  test("has the columns that most of its rows leave free, where one of them is drawn as a whole", async () => {
    const total = [
      { text: "All of them", x: 60, y: 714 },
      { text: "2,753,438 2,799,250 2,815,544", x: 151, y: 714, size: 9 },
    ];
    const markdown = await read([...total, ...rows(STATES, { xs: XS, size: 9 })]);
    expect(markdown).toContain("| All of them | 2,753,438 | 2,799,250 | 2,815,544 |");
    expect(markdown).toContain("| Maine | 13,278 | 13,077 | 12,950 |");
  });

  test("keeps a number whole that is written with spaces", async () => {
    const cells = [
      ["Name", "Telephone", "Town"],
      ["Anna", "030 123 456", "Berlin"],
      ["Otto", "040 987 654", "Hamburg"],
      ["Paul", "089 555 123", "Munich"],
    ];
    expect(await read(rows(cells, { xs: [60, 160, 280] }))).toContain("| Anna | 030 123 456 | Berlin |");
  });

  test("has the titles of its rows within it, and is not parted by them", async () => {
    const cells = [
      ["Group", "Before", "After"],
      ["Women", "10.5", "11.5"],
      ["Men", "12.5", "13.5"],
      ["Region of the country"],
      ["North", "14.5", "15.5"],
      ["South", "16.5", "17.5"],
    ];
    expect(await read(rows(cells, { xs: [60, 130, 200] }))).toContain(
      "| Men | 12.5 | 13.5 |\n| Region of the country |  |  |\n| North | 14.5 | 15.5 |",
    );
  });

  test("ends at a paragraph, and at a table with a head of its own", async () => {
    const cells = [
      ["Women", "10.5", "11.5"],
      ["Men", "12.5", "13.5"],
      ["All", "11.5", "12.5"],
    ];
    const prose = {
      text: "What follows is a sentence that says what the table means to its readers.",
      x: 60,
    };
    const markdown = await read([
      ...rows(cells, { xs: [60, 130, 200] }),
      { ...prose, y: 658 },
      ...rows(cells, { xs: [60, 130, 200], y: 630 }),
    ]);
    expect(markdown.match(/^\| ---/gm)).toHaveLength(2);
    expect(markdown).toContain(`\n\n${prose.text}\n\n`);
    const other = ["Kind", "Least", "Most"];
    const two = await read([
      ...rows(cells, { xs: [60, 130, 200] }),
      { text: "Another table", x: 60, y: 658, font: "bold" },
      ...rows([other, ...cells], { xs: [60, 130, 200], y: 644 }),
    ]);
    expect(two).toContain("Another table\n\n| Kind | Least | Most |\n| --- |");
  });

  test("has a head of two levels, the upper over several columns each", async () => {
    const upper = rows([["Women of all ages", "Men of all ages"]], { xs: [165, 265], y: 728 });
    const lower = rows([["Year", "Rate", "Count", "Rate", "Count"]], {
      xs: [60, 160, 210, 260, 310],
      y: 714,
    });
    const body = rows(
      [
        ["2009", "1.5", "100", "2.5", "200"],
        ["2010", "1.6", "110", "2.6", "210"],
        ["2011", "1.7", "120", "2.7", "220"],
        ["2012", "1.8", "130", "2.8", "230"],
        ["2013", "1.9", "140", "2.9", "240"],
      ],
      { xs: [60, 160, 210, 260, 310] },
    );
    expect(await read([...upper, ...lower, ...body])).toContain(
      [
        "|  | Women of all ages |  | Men of all ages |  |",
        "| --- | --- | --- | --- | --- |",
        "| Year | Rate | Count | Rate | Count |",
        "| 2009 | 1.5 | 100 | 2.5 | 200 |",
      ].join("\n"),
    );
  });

  test("has a row for each number that one begins with, in whatever order its cells are drawn", async () => {
    const cells = [
      ["101", "Anna Miller", "42.0"],
      ["102", "Otto Smith", ""],
      ["103", "Paul Jones", "37.5"],
      ["104", "Emma Brown", "31.0"],
      ["105", "Hugo White", "29.5"],
    ];
    // The names are drawn behind all others.
    const drawn = rows(cells, { xs: [60, 130, 260], step: 11 }).sort(
      (a, b) => Number(a.x === 130) - Number(b.x === 130),
    );
    expect(await read(drawn)).toContain("| 102 | Otto Smith |  |\n| 103 | Paul Jones | 37.5 |");
  });

  test("may be of letters of one width where all of the page is; code beside prose stays code", async () => {
    const table = rows(STATES, { xs: XS, font: "mono", size: 8 });
    const prose = (font: "mono" | "plain") =>
      ["These are numbers of people in the states,", "as they were counted in three years."].map(
        (text, index) => ({ text, x: 60, y: 750 - index * 12, font }),
      );
    expect(await read([...prose("mono"), ...table])).toContain("| Maine | 13,278 | 13,077 | 12,950 |");
    expect(await read([...prose("plain"), ...table])).not.toContain("| --- |");
  });
});
