import { describe, expect, test } from "bun:test";
import { partsZip } from "../../helpers/office-bytes.ts";
import { documentFixture, documentOf, unreadable } from "../../helpers/read-document.ts";

const NAMES = ["office", "style", "text", "table", "manifest"]
  .map((name) => `xmlns:${name}="urn:oasis:names:tc:opendocument:xmlns:${name}:1.0"`)
  .concat(
    'xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0"',
    'xmlns:xlink="http://www.w3.org/1999/xlink"',
    'xmlns:fo="urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0"',
  )
  .join(" ");

const openBytes = (
  kind: string,
  body: string,
  { styles = "", others = {} }: { styles?: string; others?: Record<string, string> } = {},
) =>
  partsZip({
    "content.xml": `<office:document-content ${NAMES}><office:automatic-styles>${styles}</office:automatic-styles><office:body><office:${kind}>${body}</office:${kind}></office:body></office:document-content>`,
    ...others,
  });

const textOf = async (body: string, styles = "") =>
  (await documentOf(openBytes("text", body, { styles }), "odt")).markdown;

describe("a text of OpenDocument", () => {
  // Written by LibreOffice 7.4 out of a page of HTML, and of it the document of Word.
  test("of a real program reads as the same document of Word", async () => {
    const [odt, docx] = [
      await documentOf(await documentFixture("guide.odt"), "odt"),
      await documentOf(await documentFixture("guide.docx"), "docx"),
    ];
    expect(odt.markdown).toBe(docx.markdown);
    expect(odt.markdown).toContain("| PORT | 8080 |");
  });

  test("has its changes accepted, its notes below, and no comments", async () => {
    const body =
      "<text:tracked-changes><text:p>deleted</text:p></text:tracked-changes>" +
      "<text:p>one<text:s text:c='2'/>two<office:annotation><text:p>comment</text:p></office:annotation>" +
      "<text:note text:note-class='footnote'><text:note-citation>1</text:note-citation><text:note-body><text:p>A note.</text:p></text:note-body></text:note></text:p>" +
      "<text:table-of-content><text:index-body><text:p>Contents 1</text:p></text:index-body></text:table-of-content>";
    expect(await textOf(body)).toBe("one two[^1]\n\n[^1]: A note.");
  });

  test("that is one file of XML reads as one that is a zip", async () => {
    const styles =
      "<style:style style:name='H' style:family='paragraph' style:display-name='Heading 1' style:parent-style-name='Heading_20_1' style:default-outline-level='1'/>";
    const flat = (kind: string, body: string) =>
      new TextEncoder().encode(
        `<?xml version="1.0"?><office:document ${NAMES} xmlns:dc="http://purl.org/dc/elements/1.1/"><office:meta><dc:title>A title</dc:title></office:meta>` +
          `<office:automatic-styles>${styles}</office:automatic-styles><office:body><office:${kind}>${body}</office:${kind}></office:body></office:document>`,
      );
    const body =
      "<text:h text:style-name='H' text:outline-level='1'>Part</text:h><text:p>words<draw:frame><draw:image><office:binary-data>iVBORw0KGgo=</office:binary-data></draw:image></draw:frame></text:p>";
    expect((await documentOf(flat("text", body), "odt")).markdown).toBe(await textOf(body, styles));
    const sheet =
      "<table:table table:name='S'><table:table-row><table:table-cell><text:p>Name</text:p></table:table-cell><table:table-cell><text:p>Age</text:p></table:table-cell></table:table-row><table:table-row><table:table-cell><text:p>Ada</text:p></table:table-cell><table:table-cell><text:p>36</text:p></table:table-cell></table:table-row></table:table>";
    expect(await documentOf(flat("spreadsheet", sheet), "ods")).toMatchObject({
      data: { title: "A title" },
      markdown: (await documentOf(openBytes("spreadsheet", sheet), "ods")).markdown,
    });
    expect(await unreadable(flat("text", body), "ods")).toBe("is not an OpenDocument workbook");
  });

  test("has lists as their styles number them, and further lines of an item in it", async () => {
    const styles =
      "<text:list-style style:name='L'><text:list-level-style-number text:level='1' style:num-format='1' style:num-suffix='.' text:start-value='4'/>" +
      "<text:list-level-style-bullet text:level='2'/></text:list-style>";
    const body =
      "<text:list text:style-name='L'><text:list-item><text:p>four</text:p><text:p>more</text:p><text:list><text:list-item><text:p>inner</text:p></text:list-item></text:list></text:list-item>" +
      "<text:list-item><text:p>five</text:p></text:list-item></text:list>";
    expect(await textOf(body, styles)).toBe("4. four\\\n   more\n   - inner\n5. five");
  });

  test("has its headings by level, below its title", async () => {
    const body =
      "<text:p text:style-name='Title'>Guide</text:p><text:h text:outline-level='2'>Part</text:h><text:p>words</text:p>";
    expect(await textOf(body)).toBe("# Guide\n\n### Part\n\nwords");
  });

  test("that is encrypted says so", async () => {
    const manifest = `<manifest:manifest ${NAMES}><manifest:file-entry manifest:full-path="content.xml"><manifest:encryption-data/></manifest:file-entry></manifest:manifest>`;
    const zip = openBytes("text", "", { others: { "META-INF/manifest.xml": manifest } });
    expect(await unreadable(zip, "odt")).toBe("is encrypted: it needs a password");
  });

  test("that is a workbook says that it is no text", async () => {
    expect(await unreadable(openBytes("spreadsheet", ""), "odt")).toBe("is not an OpenDocument text");
  });
});

describe("a workbook of OpenDocument", () => {
  // Written by LibreOffice 7.4 out of a table with commas.
  test("of a real program is a table for each sheet", async () => {
    const { markdown } = await documentOf(await documentFixture("people.ods"), "ods");
    expect(markdown).toContain(
      "| Name | Amount | Since |\n| --- | --- | --- |\n| Anna | 1234.5 | 2024-03-01 |",
    );
  });

  test("whose last cells and rows are repeated to the end of the sheet stays as large as what it says", async () => {
    const cell = (words: string) =>
      `<table:table-cell office:value-type="string"><text:p>${words}</text:p></table:table-cell>`;
    const rows =
      `<table:table-row>${cell("a")}${cell("b")}<table:table-cell table:number-columns-repeated="16382"/></table:table-row>` +
      `<table:table-row table:number-rows-repeated="3">${cell("c")}${cell("d")}</table:table-row>` +
      '<table:table-row table:number-rows-repeated="1048576"><table:table-cell table:number-columns-repeated="16384"/></table:table-row>';
    const zip = openBytes("spreadsheet", `<table:table table:name="S">${rows}</table:table>`);
    const { markdown } = await documentOf(zip, "ods");
    expect(markdown).toBe("## S\n\n| a | b |\n| --- | --- |\n| c | d |\n| c | d |\n| c | d |");
  });

  test("keeps the rows of a table together where a filter hides rows between them", async () => {
    const row = (words: string[], attributes = "") =>
      `<table:table-row${attributes}>${words.map((each) => `<table:table-cell office:value-type="string"><text:p>${each}</text:p></table:table-cell>`).join("")}</table:table-row>`;
    const rows =
      row(["a", "b"]) +
      row(["gone", "too"], ' table:visibility="filter" table:number-rows-repeated="2"') +
      row(["c", "d"]);
    const zip = openBytes("spreadsheet", `<table:table table:name="S">${rows}</table:table>`);
    const { markdown } = await documentOf(zip, "ods");
    expect(markdown).toBe("## S\n\n| a | b |\n| --- | --- |\n| c | d |");
  });

  test("that repeats words without end is read up to a bound", async () => {
    const row =
      '<table:table-row table:number-rows-repeated="1000000"><table:table-cell table:number-columns-repeated="16384"><text:p>x</text:p></table:table-cell></table:table-row>';
    const zip = openBytes("spreadsheet", `<table:table table:name="S">${row}</table:table>`);
    const { markdown, faults } = await documentOf(zip, "ods");
    expect(markdown.length).toBeLessThan(5_000_000);
    expect(faults.join()).toContain("has more than is read");
  });
});
