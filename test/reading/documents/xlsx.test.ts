import { describe, expect, test } from "bun:test";
import { DOCUMENT_BOUNDS } from "../../../src/reading/documents/documents.ts";
import { workbookBytes } from "../../helpers/office-bytes.ts";
import { documentFixture, documentOf, unreadable } from "../../helpers/read-document.ts";

const row = (number: number, cells: string, attributes = "") =>
  `<row r="${number}"${attributes}>${cells}</row>`;
const text = (place: string, words: string) => `<c r="${place}" t="inlineStr"><is><t>${words}</t></is></c>`;
const number = (place: string, value: string, style = 0) =>
  `<c r="${place}" s="${style}"><v>${value}</v></c>`;
const data = (rows: string) => `<sheetData>${rows}</sheetData>`;
const sheet = (rows: string, name = "People") => ({ name, xml: data(rows) });

const markdownOf = async (...given: Parameters<typeof workbookBytes>) =>
  (await documentOf(workbookBytes(...given), "xlsx")).markdown;

describe("a workbook", () => {
  // Written by LibreOffice 7.4 out of a table with commas.
  test("of a real program is a table for each sheet", async () => {
    const { markdown } = await documentOf(await documentFixture("people.xlsx"), "xlsx");
    expect(markdown).toBe(
      "## people\n\n| Name | Amount | Since |\n| --- | --- | --- |\n| Anna | 1234.5 | 2024-03-01 |\n| Ben | 20 | 2023-12-24 |",
    );
  });

  test("shows numbers as it does: dates, percents, currencies, truths, errors, and what formulas came to", async () => {
    const styles =
      '<numFmts><numFmt numFmtId="164" formatCode="#,##0.00&quot; €&quot;"/></numFmts>' +
      '<cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="9"/><xf numFmtId="164"/></cellXfs>';
    const cells =
      `<c r="A1" t="s"><v>0</v></c>${number("B1", "45352", 1)}${number("C1", "0.25", 2)}${number("D1", "1234.5", 3)}` +
      `<c r="E1" t="b"><v>1</v></c><c r="F1" t="e"><v>#N/A</v></c><c r="G1"><f>1+1</f><v>2</v></c>${number("H1", "1234567890123")}`;
    expect(await markdownOf([sheet(row(1, cells))], { strings: ["shared"], styles })).toBe(
      "## People\n\nshared, 2024-03-01, 25%, 1,234.50 €, TRUE, #N/A, 2, 1234567890123",
    );
  });

  test("has a table for what lies between empty rows, without empty columns, and titles above them", async () => {
    const rows =
      row(1, text("B1", "Prices")) +
      row(2, text("B2", "Kind") + text("D2", "EUR")) +
      row(3, text("B3", "a|b") + number("D3", "2")) +
      row(6, number("A6", "1") + number("B6", "2")) +
      row(7, number("A7", "3") + number("B7", "4"));
    expect(await markdownOf([sheet(rows)])).toBe(
      "## People\n\nPrices\n\n| Kind | EUR |\n| --- | --- |\n| a\\|b | 2 |\n\n|  |  |\n| --- | --- |\n| 1 | 2 |\n| 3 | 4 |",
    );
  });

  test("leaves out what is hidden, and says so", async () => {
    const xml =
      '<cols><col min="2" max="2" hidden="1"/></cols>' +
      data(row(1, text("A1", "x") + text("B1", "secret")) + row(2, text("A2", "gone"), ' hidden="1"'));
    const { markdown, faults } = await documentOf(
      workbookBytes([
        { name: "S", xml },
        { ...sheet(row(1, text("A1", "no"))), state: "hidden" },
      ]),
      "xlsx",
    );
    expect(markdown).toBe("## S\n\nx");
    expect(faults).toEqual([
      "has 1 hidden sheet, left out",
      "has 1 hidden row in its sheet “S”, left out",
      "has hidden columns in its sheet “S”, left out",
    ]);
  });

  test("keeps the rows of a table together where rows between them are hidden", async () => {
    const rows =
      row(1, text("A1", "Name") + text("B1", "Age")) +
      row(2, text("A2", "Ann") + number("B2", "1"), ' hidden="1"') +
      row(3, text("A3", "Ben") + number("B3", "2")) +
      row(4, "", ' hidden="1"') +
      row(5, text("A5", "Cid") + number("B5", "3"));
    expect(await markdownOf([sheet(rows)])).toBe(
      "## People\n\n| Name | Age |\n| --- | --- |\n| Ben | 2 |\n| Cid | 3 |",
    );
  });

  test("keeps the rows of a table together where an empty row sets each apart", async () => {
    const rows =
      row(1, text("A1", "Name") + text("B1", "City") + text("C1", "Age")) +
      row(3, text("A3", "Ann") + number("C3", "1")) +
      row(5, text("A5", "Ben") + text("B5", "Rome") + number("C5", "2")) +
      row(8, text("A8", "apart") + text("B8", "from them"));
    expect(await markdownOf([sheet(rows)])).toBe(
      "## People\n\n| Name | City | Age |\n| --- | --- | --- |\n| Ann |  | 1 |\n| Ben | Rome | 2 |\n\napart, from them",
    );
  });

  test("has the head of a table above it where an empty row parts them", async () => {
    const rows =
      row(1, text("A1", "Name") + text("B1", "Age")) +
      row(3, text("A3", "Ann") + number("B3", "1")) +
      row(4, text("A4", "Ben") + number("B4", "2")) +
      row(6, text("A6", "Sum") + number("B6", "3"));
    expect(await markdownOf([sheet(rows)])).toBe(
      "## People\n\n| Name | Age |\n| --- | --- |\n| Ann | 1 |\n| Ben | 2 |\n\nSum, 3",
    );
  });

  test("has nothing in a cell of words that names none", async () => {
    const rows = row(1, `<c r="A1" t="s"><v></v></c><c r="B1" t="s"/><c r="C1" t="s"><v>1</v></c>`);
    expect(await markdownOf([sheet(rows)], { strings: ["first", "second"] })).toBe("## People\n\nsecond");
  });

  test("repeats what merged cells say in each row", async () => {
    const rows =
      row(1, text("A1", "OS") + text("B1", "Path")) +
      row(2, text("A2", "Linux") + text("B2", "/etc")) +
      row(3, text("B3", "/var"));
    const merges = '<mergeCells><mergeCell ref="A2:A3"/></mergeCells>';
    expect(await markdownOf([{ name: "S", xml: data(rows) + merges }])).toContain("| Linux | /var |");
  });

  test("of very many rows is read up to a bound, which is said", async () => {
    const rows = Array.from({ length: 20_001 }, (_, at) =>
      row(at + 1, text(`A${at + 1}`, `r${at}`) + number(`B${at + 1}`, "1")),
    );
    const { markdown, faults } = await documentOf(
      workbookBytes([{ name: "S", xml: `<dimension ref="A1:B80000"/>${data(rows.join(""))}` }]),
      "xlsx",
    );
    expect(markdown).toContain("r19999");
    expect(markdown).not.toContain("r20000");
    expect(faults).toEqual(["has 80,000 rows in its sheet “S”, of which the first 20,000 are read"]);
  });

  test("whose one string stands in many cells stays small", async () => {
    const cells = Array.from({ length: 3_000 }, (_, at) =>
      row(at + 1, `<c r="A${at + 1}" t="s"><v>0</v></c><c t="s"><v>0</v></c>`),
    );
    const bomb = workbookBytes([sheet(cells.join(""))], { strings: ["y".repeat(30_000)] });
    const { markdown } = await documentOf(bomb, "xlsx", { ...DOCUMENT_BOUNDS, charactersMax: 1_000_000 });
    expect(markdown.length).toBeLessThan(1_100_000);
  });

  test("with nothing in it says so", async () => {
    expect(await unreadable(workbookBytes([sheet("")]), "xlsx")).toBe("has no text: its sheets are empty");
  });
});
