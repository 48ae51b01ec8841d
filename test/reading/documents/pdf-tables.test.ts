import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { readDocument } from "../../../src/reading/documents/documents.ts";
import { type PdfText, pdfBytes } from "../../helpers/pdf-bytes.ts";

/*
 * Fixture: tagged-table.pdf was made of the HTML beside it by LibreOffice 7.4, as a tagged PDF:
 *   soffice --headless --infilter="HTML (StarWriter)" --convert-to 'pdf:writer_pdf_Export:{"UseTaggedPDF":{"type":"boolean","value":"true"}}'
 */
const FIXTURE = join(import.meta.dir, "../../fixtures/documents/tagged-table.pdf");

async function read(content: Uint8Array): Promise<string> {
  const read = await readDocument(content, "pdf");
  if ("unreadable" in read) throw new Error(read.unreadable);
  return read.markdown;
}

const at = (x: number, y: number, text: string, rest: Partial<PdfText> = {}): PdfText => ({
  text,
  x,
  y,
  ...rest,
});

const level = (y: number, x0: number, x1: number) => `${x0} ${y} m ${x1} ${y} l S`;
const upright = (x: number, y0: number, y1: number) => `${x} ${y0} m ${x} ${y1} l S`;
/** Lines at these places, from end to end. */
const ruled = (xs: readonly number[], ys: readonly number[]) =>
  [
    ...ys.map((y) => level(y, Math.min(...xs), Math.max(...xs))),
    ...xs.map((x) => upright(x, Math.min(...ys), Math.max(...ys))),
  ].join("\n");

const XS = [60, 160, 300];
const YS = [700, 680, 650];

/** A head, and a row whose cells are of two lines each, drawn cell by cell. */
const CELLS = [
  at(65, 686, "Option"),
  at(165, 686, "Meaning"),
  at(65, 668, "the port"),
  at(65, 656, "of the server"),
  at(165, 668, "where it listens"),
  at(165, 656, "and waits"),
];
const TABLE = "| Option | Meaning |\n| --- | --- |\n| the port of the server | where it listens and waits |";

describe("a ruled table", () => {
  test("has cells of several lines as one cell each", async () => {
    expect(await read(pdfBytes([CELLS], { drawing: ruled(XS, YS) }))).toContain(TABLE);
  });

  test("is one whose lines are thin rectangles, drawn in a space of their own, or whose sides are open", async () => {
    const thin = [
      ...YS.map((y) => `${XS[0]} ${y} 240 0.5 re f`),
      ...XS.map((x) => `${x} 650 0.5 50 re f`),
    ].join("\n");
    const scaled = `q 2 0 0 2 10 20 cm ${ruled(
      XS.map((x) => (x - 10) / 2),
      YS.map((y) => (y - 20) / 2),
    )} Q`;
    const open = [...YS.map((y) => level(y, 60, 300)), upright(160, 650, 700)].join("\n");
    for (const drawing of [thin, scaled, open])
      expect(await read(pdfBytes([CELLS], { drawing }))).toContain(TABLE);
  });

  test("says a merged cell in each of its rows, and leaves its title outside", async () => {
    const drawing = [
      ...[720, 700, 680, 640].map((y) => level(y, 60, 300)),
      level(660, 160, 300),
      upright(60, 640, 720),
      upright(300, 640, 720),
      upright(160, 640, 700),
    ].join("\n");
    const cells = [
      at(120, 706, "All options"),
      at(65, 686, "Kind"),
      at(165, 686, "Name"),
      at(65, 666, "network"),
      at(165, 666, "port"),
      at(165, 646, "host"),
    ];
    const markdown = await read(pdfBytes([cells], { drawing }));
    expect(markdown).toContain("| Kind | Name |\n| --- | --- |\n| network | port |\n| network | host |");
    expect(markdown).toMatch(/^.*All options$/m);
  });

  test("parts words of two cells that come as one", async () => {
    const cells = [
      at(65, 686, "Year"),
      at(165, 686, "Sum"),
      at(65, 664, "Harvest of apples 1200 baskets"),
      at(65, 642, "Others"),
      at(165, 642, "few"),
    ];
    const markdown = await read(pdfBytes([cells], { drawing: ruled([60, 146, 300], [...YS, 630]) }));
    expect(markdown).toContain("| Harvest of apples | 1200 baskets |");
  });

  test("has rows where lines are between its columns alone", async () => {
    const rows = ["port", "host", "path", "name"].flatMap((name, row) => [
      at(65, 668 - row * 12, name),
      at(165, 668 - row * 12, `${row + 1}`),
    ]);
    const markdown = await read(
      pdfBytes([[...CELLS.slice(0, 2), ...rows]], { drawing: ruled(XS, [700, 680, 620]) }),
    );
    expect(markdown).toContain("| port | 1 |\n| host | 2 |\n| path | 3 |\n| name | 4 |");
  });

  /** Rows of a name and two values, column by column. */
  const values = (names: readonly string[], y: number) =>
    [0, 1, 2].flatMap((column) =>
      names.map((name, row) => at(65 + column * 100, y - row * 12, column === 0 ? name : `${column}${row}`)),
    );
  const HEAD = [at(65, 686, "Name"), at(165, 686, "Before"), at(265, 686, "After")];
  const ROWS = "| port | 10 | 20 |\n| host | 11 | 21 |\n| path | 12 | 22 |\n| name | 13 | 23 |";

  test("has rows where there are lines below some of them alone, and each column is drawn by itself", async () => {
    const cells = [...HEAD, ...values(["port", "host", "path", "name"], 668)];
    const drawing = ruled([60, 160, 260, 360], [700, 680, 620]);
    expect(await read(pdfBytes([cells], { drawing }))).toContain(ROWS);
  });

  test("has the columns of its head where the lines between them end below it", async () => {
    const drawing = [ruled([60, 160, 260, 360], [700, 680]), ruled([60, 360], [680, 560])].join("\n");
    const cells = [...HEAD, ...values(["port", "host", "path", "name"], 620)];
    expect(await read(pdfBytes([cells], { drawing }))).toContain(
      `| Name | Before | After |\n| --- | --- | --- |\n${ROWS}`,
    );
  });

  test("is sought on one page of four, where those before had lines for none", async () => {
    const plain = Array.from({ length: 4 }, (_, row) => [
      at(65, 700 - row * 30, "a name"),
      at(165, 700 - row * 30, "and what it means"),
    ]).flat();
    const pages = Array.from({ length: 30 }, (_, index) => (index < 20 ? plain : CELLS));
    const drawing = (page: number) => (page > 20 ? ruled(XS, YS) : "");
    const markdown = await read(pdfBytes(pages, { drawing }));
    expect(markdown.match(/\| the port of the server \|/g)).toHaveLength(7);
  });

  test("stands among the text where it is read, beside another column too", async () => {
    const column = Array.from({ length: 12 }, (_, row) =>
      at(330, 720 - row * 12, `Line ${row} of the right column, which goes on`),
    );
    const drawing = ruled(XS, YS);
    const left = [
      at(60, 720, "Words above the table here."),
      ...CELLS,
      at(60, 630, "Words below the table here."),
    ];
    const markdown = await read(pdfBytes([[...left, ...column]], { drawing }));
    expect(markdown).toMatch(
      /above the table here\.\n\n\| Option[\s\S]*waits \|\n\nWords below[\s\S]*Line 0 of/,
    );
  });
});

describe("a table over two pages", () => {
  const row = (y: number, texts: readonly string[], font: PdfText["font"] = "plain") =>
    texts.map((text, column) => at(65 + column * 100, y, text, { font }));
  const HEAD = ["Name", "Value", "Unit"];
  const page = (rows: readonly (readonly string[])[], head: readonly string[] = HEAD) => [
    ...row(706, head, "bold"),
    ...rows.flatMap((texts, index) => row(686 - index * 20, texts)),
  ];
  const ruledFor = (count: number) =>
    ruled([60, 160, 260, 360], [720, ...Array.from({ length: count }, (_, at) => 700 - at * 20)]);
  const ONE = [
    ["port", "80", "none"],
    ["wait", "30", "seconds"],
  ];
  const TWO = [
    ["size", "4", "MB"],
    ["hosts", "all", "none"],
  ];
  const whole = [
    "| Name | Value | Unit |\n| --- | --- | --- |\n| port | 80 | none |\n| wait | 30 | seconds |",
    '| <a id="page=2"></a>size | 4 | MB |\n| hosts | all | none |',
  ].join("\n");

  test("is one, and its head is said once", async () => {
    const markdown = await read(pdfBytes([page(ONE), page(TWO)], { drawing: ruledFor(3) }));
    expect(markdown).toContain(whole);
  });

  test("is one where its head is not repeated", async () => {
    const [first = [], ...rest] = TWO;
    const drawing = (number: number) => ruledFor(number === 1 ? 3 : 2);
    const second = [...row(706, first), ...rest.flatMap((texts) => row(686, texts))];
    expect(await read(pdfBytes([page(ONE), second], { drawing }))).toContain(whole);
  });

  test("is two where the second has a head of its own", async () => {
    const other = page(TWO, ["Key", "Most", "Unit"]);
    const markdown = await read(pdfBytes([page(ONE), other], { drawing: ruledFor(3) }));
    expect(markdown).toContain("| Key | Most | Unit |\n| --- | --- | --- |\n| size | 4 | MB |");
  });
});

test("dots that lead to several values are in a row of them, and are not said", async () => {
  const rows = ["Outlays", "Receipts", "Deficits"].flatMap((name, row) => [
    at(65, 700 - row * 14, `${name} ${" .  .".repeat(10)}`),
    at(265, 700 - row * 14, `${row + 1}00`),
    at(335, 700 - row * 14, `${row + 1}50`),
  ]);
  expect(await read(pdfBytes([rows]))).toContain("| Receipts | 200 | 250 |");
});

describe("lines that make no table", () => {
  const isNone = async (texts: readonly PdfText[], drawing: string) =>
    expect(await read(pdfBytes([texts], { drawing }))).not.toContain("| --- |");

  test("are a frame around text, and one around code with the numbers of its lines", async () => {
    const code = ["if (a) {", "b();", "}"].flatMap((text, row) => [
      at(65, 686 - row * 12, `${row + 1}`, { font: "mono" }),
      at(105, 686 - row * 12, text, { font: "mono" }),
    ]);
    await isNone(CELLS.slice(2), ruled([60, 300], [700, 650]));
    await isNone(code, ruled([60, 100, 300], [700, 682, 670, 650]));
  });

  test("are those of a form, whose places are of all sizes", async () => {
    const rows = [0, 1, 2, 3, 4, 5, 6, 7];
    const place = (row: number) => 85 + row * 30;
    const drawing = [
      ...[...rows, 8].map((row) => level(700 - row * 10, 60, 360)),
      upright(60, 620, 700),
      upright(360, 620, 700),
      ...rows.map((row) => upright(place(row), 690 - row * 10, 700 - row * 10)),
    ].join("\n");
    const texts = rows.flatMap((row) => [
      at(62, 692 - row * 10, "name ".repeat(1 + row * 2), { size: 6 }),
      at(place(row) + 8, 692 - row * 10, "place", { size: 6 }),
    ]);
    await isNone(texts, drawing);
  });

  test("are those of a map, which are more than people rule", async () => {
    const drawing = Array.from({ length: 6_000 }, () => ruled(XS, YS)).join("\n");
    await isNone(CELLS, drawing);
  });
});

test("a tagged table without lines is read by the structure of its document", async () => {
  expect(await read(await Bun.file(FIXTURE).bytes())).toContain(
    [
      "| Option | Default | Meaning |",
      "| --- | --- | --- |",
      "| the port on which the server listens | 8080 | a number between one and 65535, which no other program uses |",
      "| the host |  | a name or an address |",
    ].join("\n"),
  );
});
