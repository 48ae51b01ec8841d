import { describe, expect, test } from "bun:test";
import { DOCUMENT_BOUNDS, readDocument } from "../../../src/reading/documents/documents.ts";
import { ownMs } from "../../helpers/own-time.ts";

async function read(content: string | Uint8Array, bounds = DOCUMENT_BOUNDS) {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  const document = await readDocument(bytes, "csv", bounds);
  if ("unreadable" in document) throw new Error(document.unreadable);
  return document;
}

const markdown = async (content: string | Uint8Array) => (await read(content)).markdown;

const TABLE = "| name | price |\n| --- | --- |\n| tea | 3 |\n| milk | 1.5 |";

describe("a file of values", () => {
  test.each([
    ["commas", "name,price\ntea,3\nmilk,1.5\n"],
    ["semicolons", "name;price\r\ntea;3\r\nmilk;1.5\r\n"],
    ["tabs", "name\tprice\rtea\t3\rmilk\t1.5"],
    ["bars", "name|price\ntea|3\nmilk|1.5"],
    ["a delimiter that Excel names", "sep=!\nname!price\ntea!3\nmilk!1.5"],
    ["quotes", '"name","price"\n"tea","3"\n"milk","1.5"'],
  ])("is a table with %s between them", async (_, content) => {
    expect(await markdown(content)).toBe(TABLE);
  });

  test("keeps decimal commas together where semicolons separate", async () => {
    expect(await markdown("a;b\n1,5;2,25\n3,5;4,75\n")).toContain("| 1,5 | 2,25 |");
  });

  test("keeps quotes, delimiters, bars and line breaks in cells", async () => {
    expect(await markdown('a,b\n"say ""hi"", all","one\ntwo | three"\n')).toContain(
      '| say "hi", all | one<br>two \\| three |',
    );
  });

  test("says of words that they are words: nothing in a cell is markup", async () => {
    expect(await markdown("a,b\n*x*,<b>\n1,2\n")).toContain("| \\*x\\* | \\<b> |");
  });

  test("keeps the cells of rows that are longer or shorter than the first", async () => {
    expect(await markdown("a,b\n1,2,3\n4\n5,6\n7,8\n")).toBe(
      "| a | b | C |\n| --- | --- | --- |\n| 1 | 2 | 3 |\n| 4 |  |  |\n| 5 | 6 |  |\n| 7 | 8 |  |",
    );
  });

  test("calls columns by letters where the first row is values", async () => {
    expect(await markdown("1,tea,2020-01-02\n2,milk,2020-02-03\n")).toStartWith(
      "| A | B | C |\n| --- | --- | --- |\n| 1 | tea | 2020-01-02 |",
    );
  });

  test("takes years as the names of columns", async () => {
    expect(await markdown("Land,2019,2020\nFR,1.5,2\nDE,3,4\n")).toStartWith("| Land | 2019 | 2020 |");
  });

  test("keeps a title and remarks above the table as words", async () => {
    const written = await markdown("# made by hand\n# in May\nPrices of 2020\n\nname,price\ntea,3\nmilk,2\n");
    expect(written).toStartWith("made by hand");
    expect(written).toContain("Prices of 2020\n\n| name | price |");
  });

  test("that is no table is words", async () => {
    const prose =
      "This is a letter of many words, and it is not a table.\nIt has lines.\n\nAnd, as letters do, it has commas, or none.";
    expect(await markdown(prose)).toBe(prose);
  });

  test("is read in the encodings that spreadsheets write", async () => {
    const utf16 = new Uint8Array([0xff, 0xfe, ...Buffer.from("größe\tx\n1,5\tja\n", "utf16le")]);
    expect(await markdown(utf16)).toContain("| größe | x |");
    const old = await read(Uint8Array.from(Buffer.from("größe;x\n1;ja\n", "latin1")));
    expect(old.markdown).toContain("| größe | x |");
    expect(old.faults).toEqual(["is not valid UTF-8: it was read as Windows-1252. Save it as UTF-8"]);
  });

  test.each([
    ["Windows-1251", "f6e5ede03bf2eee2e0f00a313be2eee4e00a323bf1eeea0a", "| цена | товар |"],
    ["Shift JIS", "89bf8a692c8365835883670a312c82a8928382c582b70a", "| 価格 | テスト |"],
    ["GBK", "bcdbb8f12cc9ccc6b70a312cb2e80a", "| 价格 | 商品 |"],
    ["EUC-KR", "b0a1b0dd2cbbf3c7b00a312cc2f70a", "| 가격 | 상품 |"],
    ["Windows-1253", "f4e9ecde2cf0f1effafced0a312cf4f3dce90a", "| τιμή | προϊόν |"],
  ])("is read in %s, which it does not say, and that is said", async (name, hex, head) => {
    const { markdown, faults } = await read(Uint8Array.from(Buffer.from(hex, "hex")));
    expect(markdown).toStartWith(head);
    expect(faults).toEqual([`is not valid UTF-8: it was read as ${name}. Save it as UTF-8`]);
  });

  test("of many rows is read up to a bound, and says so", async () => {
    const { markdown, faults } = await read(`a,b\n${"1,2\n".repeat(30_000)}`);
    expect(faults).toEqual(["has 30,001 rows, of which the first 20,000 are read"]);
    expect(markdown.split("\n")).toHaveLength(20_001);
  });

  test("of many columns is read up to a bound, and says so", async () => {
    const { faults } = await read(`${"a,".repeat(2_000)}a\n${"b,".repeat(2_000)}b\n`);
    expect(faults).toEqual(["has 2,001 columns, of which the first 500 are read"]);
  });

  test("is read to its end where a quote is never closed", async () => {
    const { markdown, faults } = await read('a,b\n1,"2\n3,4\n5,6\n');
    expect(markdown).toContain("| 5 | 6 |");
    expect(faults).toEqual(["has a quote that nothing closes: from there on, quotes are read as words"]);
  });

  test.each([
    ["nothing", "", "has no text"],
    ["line breaks", "\n\n\n", "has no text"],
    ["no text", "\0\x01\x02\x03\xff".repeat(100), "is not text"],
  ])("of %s is not read", async (_, content, unreadable) => {
    expect(await readDocument(Uint8Array.from(Buffer.from(content, "latin1")), "csv")).toEqual({
      unreadable,
    });
  });
});

test.each([
  ["quotes", '"'.repeat(2_000_000)],
  ["cells that begin with quotes", '"a""b,c\n'.repeat(200_000)],
  ["delimiters", ",".repeat(3_000_000)],
  ["line breaks", `${"\n".repeat(3_000_000)}a,b\n1,2`],
])("a file of %s without end is read in linear time", async (_, content) => {
  const took = await ownMs(() => readDocument(new TextEncoder().encode(content), "csv"));
  expect(took).toBeLessThan(5_000);
});
