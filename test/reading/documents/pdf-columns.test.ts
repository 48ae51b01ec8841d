import { describe, expect, test } from "bun:test";
import { readDocument } from "../../../src/reading/documents/documents.ts";
import { type PdfText, pdfBytes } from "../../helpers/pdf-bytes.ts";

async function read(texts: readonly PdfText[], drawing = ""): Promise<string> {
  const read = await readDocument(pdfBytes([texts], { drawing }), "pdf");
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

const level = (y: number, x0: number, x1: number) => `${x0} ${y} m ${x1} ${y} l S`;
const upright = (x: number, y0: number, y1: number) => `${x} ${y0} m ${x} ${y1} l S`;
const ground = (y: number, height: number, x0: number, x1: number) =>
  `0.9 g ${x0} ${y} ${x1 - x0} ${height} re f 0 g`;

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
      ["Name", "Year", "Telephone", "Age"],
      ["Anna", "1990", "030 123 456", "35"],
      ["Otto", "1992", "040 987 654", "33"],
      ["Paul", "1994", "089 555 123", "31"],
      ["Emma", "1996", "069 777 321", "29"],
      ["Hugo", "1998", "030 444 654", "27"],
    ];
    expect(await read(rows(cells, { xs: [60, 130, 200, 300] }))).toContain(
      "| Anna | 1990 | 030 123 456 | 35 |",
    );
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

  test("goes on where its numbers grow longer than the room of their column was", async () => {
    const small = Array.from({ length: 6 }, (_, row) => [`Year ${row}`, "1,234,567", "2,345,678", "77"]);
    const large = rows([["All years", "1,111,222,333,444", "222,333,444", "99"]], {
      xs: [60, 130, 226, 300],
      y: 700 - 6 * 14,
    });
    const more = rows([small[0] ?? []], { xs: [60, 150, 208, 300], y: 700 - 7 * 14 });
    const markdown = await read([...rows(small, { xs: [60, 150, 208, 300] }), ...large, ...more]);
    expect(markdown).toContain(
      "| All years | 1,111,222,333,444 | 222,333,444 | 99 |\n| Year 0 | 1,234,567 | 2,345,678 | 77 |",
    );
  });

  test("ends at a sentence between its rows, however short", async () => {
    const cells = [
      ["Women", "10.5", "11.5"],
      ["Men", "12.5", "13.5"],
      ["All", "11.5", "12.5"],
    ];
    const markdown = await read([
      ...rows(cells, { xs: [60, 160, 230] }),
      { text: "All of the people have grown older.", x: 60, y: 652 },
      ...rows(cells, { xs: [60, 160, 230], y: 630 }),
    ]);
    expect(markdown).toContain("\n\nAll of the people have grown older.\n\n");
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
    const over = [{ text: "Share of people", x: 165, y: 742 }];
    expect(await read([...over, ...upper, ...lower, ...body])).toContain(
      [
        "|  | Share of people |  |  |  |",
        "| --- | --- | --- | --- | --- |",
        "|  | Women of all ages |  | Men of all ages |  |",
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

describe("a ruled table", () => {
  test("has columns for what stands below each other between the same two lines", async () => {
    const cells = [
      ["State", "Before", "Now", "Later"],
      ["Maine", "13,278", "13,077", "12,950"],
      ["Vermont", "7,100", "7,152", "6,779"],
      ["Ohio", "119,029", "116,702", "117,356"],
    ];
    const ys = [714, 694, 674, 654, 634];
    const drawing = [
      ...ys.map((y) => level(y, 55, 320)),
      ...[55, 140, 320].map((x) => upright(x, 634, 714)),
    ].join("\n");
    expect(await read(rows(cells, { xs: [60, 150, 205, 260], step: 20 }), drawing)).toContain(
      "| State | Before | Now | Later |\n| --- | --- | --- | --- |\n| Maine | 13,278 | 13,077 | 12,950 |",
    );
  });

  const TWO_COLUMNS = [
    ...[714, 694, 574].map((y) => level(y, 55, 360)),
    ...[55, 140, 360].map((x) => upright(x, 574, 714)),
  ].join("\n");

  test("has columns and rows within one place of it, which holds many lines", async () => {
    const cells = [
      ["State", "Before", "Now"],
      ["Maine", "13,278", "13,077"],
      ["Vermont", "7,100", "7,152"],
      ["Ohio", "119,029", "116,702"],
      ["Utah", "30,252", "30,253"],
    ];
    const [head = [], ...body] = cells;
    const xs = [60, 150, 220];
    expect(await read([...rows([head], { xs }), ...rows(body, { xs, y: 680 })], TWO_COLUMNS)).toContain(
      "| State | Before | Now |\n| --- | --- | --- |\n| Maine | 13,278 | 13,077 |\n| Vermont | 7,100 | 7,152 |",
    );
  });

  test("keeps text whole that is a list, and text of which some lines have gaps", async () => {
    const list = [0, 1, 2, 3, 4].flatMap((row) => [
      { text: "-", x: 150, y: 680 - row * 12 },
      { text: `item ${row} of a list`, x: 165, y: 680 - row * 12 },
    ]);
    const prose = ["which the server reads when it begins", "and which is said again when it ends"];
    const gaps = [
      ...prose.map((text, row) => ({ text, x: 150, y: 680 - row * 12 })),
      ...[2, 3, 4].flatMap((row) => [
        { text: "port", x: 150, y: 680 - row * 12 },
        { text: `808${row}`, x: 220, y: 680 - row * 12 },
      ]),
    ];
    const cells = rows([["Key", "Meaning"], ["name"]], { xs: [60, 150], step: 20 });
    for (const text of [list, gaps])
      expect(await read([...cells, ...text], TWO_COLUMNS)).toContain("| Key | Meaning |\n| --- | --- |\n");
  });

  test("has columns for numbers that are drawn as one, and says each once", async () => {
    const lines = ["1.278 1.077 1.950", "7.100 7.152 7.779", "9.029 9.702 9.356"];
    const wide = rows([["13.5", "13.6", "13.7"]], { xs: [150, 172, 196], y: 640, size: 8 });
    const cells = [
      ...lines.map((text, row) => ({ text, x: 151, y: 700 - row * 20, size: 8 })),
      ...["Maine", "Ohio", "Utah", "Iowa"].map((text, row) => ({ text, x: 60, y: 700 - row * 20 })),
    ];
    const wider = rows([["10.5", "", "10.7"]], { xs: [150, 172, 196], y: 620, size: 8 });
    const ys = [714, 694, 674, 654, 634, 614];
    const drawing = [
      ...ys.map((y) => level(y, 55, 320)),
      ...[55, 140, 320].map((x) => upright(x, 614, 714)),
    ].join("\n");
    const markdown = await read([...cells, ...wide, ...wider], drawing);
    expect(markdown).toContain("| Ohio | 7.100 | 7.152 | 7.779 |");
    expect(markdown.match(/7\.152/g)).toHaveLength(1);
  });

  test("has a row between each two of its lines, where none of them is upright", async () => {
    const names = ["Alpha", "Beta", "Gamma", "Delta", "Omega"];
    const cells = names.flatMap((name, row) => [
      { text: `${name} is a name`, x: 60, y: 700 - row * 30 },
      { text: "of two lines", x: 60, y: 688 - row * 30 },
      { text: `${row + 1}.5`, x: 200, y: 694 - row * 30 },
      { text: `${row + 5}.0`, x: 260, y: 694 - row * 30 },
    ]);
    const drawing = [0, 1, 2, 3, 4, 5].map((row) => level(712 - row * 30, 55, 300)).join("\n");
    expect(await read(cells, drawing)).toContain(
      "| Alpha is a name of two lines | 1.5 | 5.0 |\n| --- | --- | --- |\n| Beta is a name of two lines | 2.5 | 6.0 |",
    );
  });

  test("has a row for each value, with the titles of rows between them", async () => {
    const labels = ["All of them:", "Young people", "Women", "Men", "Old people", "Women", "Men"];
    const valued = [2, 3, 5, 6];
    const cells = [
      ...rows([["Group", "First", "Second"]], { xs: [60, 200, 270], y: 706 }),
      ...labels.map((text, row) => ({ text, x: 60, y: 680 - row * 13 })),
      ...valued.map((row) => ({ text: `${row}5.1%`, x: 200, y: 680 - row * 13 })),
      ...valued.map((row) => ({ text: `${row}4.9%`, x: 270, y: 680 - row * 13 })),
    ];
    const drawing = [
      ...[718, 696, 590].map((y) => level(y, 55, 330)),
      ...[55, 190, 260, 330].map((x) => upright(x, 590, 718)),
    ].join("\n");
    expect(await read(cells, drawing)).toContain(
      "| All of them: |  |  |\n| Young people |  |  |\n| Women | 25.1% | 24.9% |\n| Men | 35.1% | 34.9% |",
    );
  });
});

describe("a table whose rows are told apart by their grounds", () => {
  const names = ["port", "host", "path", "wait", "size", "name"];
  /** Rows of two lines each, of which every other one has a ground, the last but one at the end. */
  const cells = names.flatMap((name, row) => [
    { text: name, x: 60, y: 700 - row * 30 },
    { text: `the first line about ${name}`, x: 160, y: 700 - row * 30 },
    { text: `${row}0`, x: 300, y: 700 - row * 30 },
    { text: "of it,", x: 60, y: 688 - row * 30 },
    { text: "and the second", x: 160, y: 688 - row * 30 },
  ]);
  const stripes = (x0: number) => [0, 2, 4].map((row) => ground(682 - row * 30, 30, x0, 340)).join("\n");

  test("has those without a ground as well, and cells of several lines", async () => {
    const markdown = await read(cells, stripes(55));
    for (const [row, name] of names.entries())
      expect(markdown).toContain(
        `| ${name} of it, | the first line about ${name} and the second | ${row}0 |`,
      );
  });

  test("has its rows by their lines where a part of them stands beside the grounds", async () => {
    const single = rows(
      names.map((name, row) => [name, `${row}1`, `${row}2`]),
      { xs: [60, 160, 220], step: 15 },
    );
    const drawing = [0, 2, 4].map((row) => ground(696 - row * 15, 15, 150, 260)).join("\n");
    expect(await read(single, drawing)).toContain("| port | 01 | 02 |");
  });

  test("is none where the grounds are those of titles above other rows", async () => {
    const texts = ["One", "Two", "Three", "Four"].flatMap((title, part) => [
      { text: title, x: 60, y: 700 - part * 80 },
      { text: "A sentence below the title that is as long as it has room here", x: 60, y: 686 - part * 80 },
      ...[2, 3, 4].flatMap((line) => [
        { text: `200${line}`, x: 60, y: 700 - part * 80 - line * 14 },
        { text: `what happened in year ${line}`, x: 160, y: 700 - part * 80 - line * 14 },
      ]),
    ]);
    const drawing = [0, 1, 2, 3].map((part) => ground(696 - part * 80, 14, 55, 400)).join("\n");
    const markdown = await read(texts, drawing);
    expect(markdown).not.toContain("room here |");
  });
});
