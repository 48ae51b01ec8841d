import { describe, expect, test } from "bun:test";
import {
  partsZip,
  relationshipsPart,
  type Target,
  wordBytes,
  wordParagraph,
} from "../../helpers/office-bytes.ts";
import { documentFixture, documentOf } from "../../helpers/read-document.ts";

const markdownOf = async (...given: Parameters<typeof wordBytes>) =>
  (await documentOf(wordBytes(...given), "docx")).markdown;

const styled = (text: string, style: string) => wordParagraph(text, `<w:pStyle w:val="${style}"/>`);
const inList = (text: string, level: number, list = 1) =>
  wordParagraph(text, `<w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="${list}"/></w:numPr>`);
const run = (text: string, properties = "") =>
  `<w:r><w:rPr>${properties}</w:rPr><w:t xml:space="preserve">${text}</w:t></w:r>`;
const field = (mark: string) => `<w:r><w:fldChar w:fldCharType="${mark}"/></w:r>`;
const cell = (text: string, properties = "") =>
  `<w:tc><w:tcPr>${properties}</w:tcPr>${wordParagraph(text)}</w:tc>`;

const STYLES = `
  <w:style w:type="paragraph" w:default="1" w:styleId="Normal"><w:name w:val="Normal"/></w:style>
  <w:style w:type="paragraph" w:styleId="Titel"><w:name w:val="Title"/></w:style>
  <w:style w:type="paragraph" w:styleId="berschrift1"><w:name w:val="heading 1"/><w:pPr><w:outlineLvl w:val="0"/></w:pPr></w:style>
  <w:style w:type="paragraph" w:styleId="Kapitel"><w:name w:val="Kapitel"/><w:basedOn w:val="berschrift1"/></w:style>
  <w:style w:type="paragraph" w:styleId="Abschnitt"><w:name w:val="Abschnitt"/><w:pPr><w:outlineLvl w:val="1"/></w:pPr></w:style>
  <w:style w:type="paragraph" w:styleId="SourceCode"><w:name w:val="Source Code"/></w:style>
  <w:style w:type="paragraph" w:styleId="TOC1"><w:name w:val="toc 1"/></w:style>`;

const NUMBERING = `
  <w:abstractNum w:abstractNumId="0">
    <w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="%1."/></w:lvl>
    <w:lvl w:ilvl="1"><w:start w:val="1"/><w:numFmt w:val="lowerLetter"/><w:lvlText w:val="%2)"/></w:lvl>
    <w:lvl w:ilvl="2"><w:numFmt w:val="bullet"/><w:lvlText w:val="•"/></w:lvl>
  </w:abstractNum>
  <w:abstractNum w:abstractNumId="1">
    <w:lvl w:ilvl="0"><w:start w:val="3"/><w:numFmt w:val="decimal"/><w:lvlText w:val="%1"/></w:lvl>
    <w:lvl w:ilvl="1"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="%1.%2"/></w:lvl>
  </w:abstractNum>
  <w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>
  <w:num w:numId="2"><w:abstractNumId w:val="1"/></w:num>`;

describe("a document of Word", () => {
  // Written by LibreOffice 7.4 out of a page of HTML.
  test("of a real program keeps headings, lists, tables, code and links", async () => {
    const { markdown, faults } = await documentOf(await documentFixture("guide.docx"), "docx");
    expect(markdown).toBe(
      "# Install Docent\n\nCopy **one** file, see [the docs](https://example.com/docs).\n\n## Steps\n\n1. Copy it\n2. Run it\n   - as a service\n\n" +
        "| Setting | Default |\n| --- | --- |\n| PORT | 8080 |\n| HOST | 127.0.0.1 |\n\n```\ndocent serve\ndocent ask\n```\n\n## Größe & Limits\n\nAt most 4 GB.",
    );
    expect(faults).toEqual([]);
  });

  test("has headings by styles in any language, by what they inherit, and by its outline, below its title", async () => {
    const body =
      styled("Guide", "Titel") +
      styled("One", "berschrift1") +
      styled("Two", "Kapitel") +
      styled("Three", "Abschnitt") +
      wordParagraph("Four", '<w:outlineLvl w:val="2"/>') +
      styled("Fünf", "Überschrift1") +
      wordParagraph("words");
    const { markdown, data } = await documentOf(wordBytes(body, { styles: STYLES }), "docx");
    expect(markdown).toBe("# Guide\n\n## One\n\n## Two\n\n### Three\n\n#### Four\n\n## Fünf\n\nwords");
    expect(data["title"]).toBe("Guide");
  });

  test("shows the numbers of headings and lists as Word does", async () => {
    const heading = (text: string, level: number) =>
      wordParagraph(
        text,
        `<w:outlineLvl w:val="${level}"/><w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="2"/></w:numPr>`,
      );
    const body =
      heading("Limits", 0) +
      heading("Size", 1) +
      inList("first", 0) +
      inList("inner", 1) +
      inList("deep", 2) +
      inList("inner too", 1) +
      inList("second", 0);
    expect(await markdownOf(body, { numbering: NUMBERING })).toBe(
      "# 3 Limits\n\n## 3.1 Size\n\n1. first\n   - a) inner\n     - deep\n   - b) inner too\n2. second",
    );
  });

  test("has its changes accepted, and no comments, hidden words or instructions", async () => {
    const body =
      `<w:p>${run("kept ")}<w:ins>${run("new ")}</w:ins><w:del><w:r><w:delText>old</w:delText></w:r></w:del>${run("secret", "<w:vanish/>")}` +
      `${field("begin")}<w:r><w:instrText>PAGEREF x</w:instrText></w:r>${field("separate")}${run("7")}${field("end")}</w:p>` +
      `<w:p><w:pPr><w:rPr><w:del/></w:rPr></w:pPr>${run("joined ")}</w:p><w:p><w:moveFrom>${run("away")}</w:moveFrom>${run("lines")}</w:p>`;
    expect(await markdownOf(body)).toBe("kept new 7\n\njoined lines");
  });

  test("leads from its links to where they lead, and to places in itself", async () => {
    const body =
      `<w:p><w:hyperlink r:id="r1">${run("out")}</w:hyperlink> <w:hyperlink w:anchor="there">${run(" in")}</w:hyperlink>` +
      `${field("begin")}<w:r><w:instrText> HYPERLINK "https://b.example/" </w:instrText></w:r>${field("separate")}${run(" field")}${field("end")}` +
      `<w:hyperlink r:id="r2">${run(" file")}</w:hyperlink></w:p>` +
      `<w:p><w:bookmarkStart w:id="1" w:name="there"/>${run("target")}</w:p>`;
    const targets = [
      ["hyperlink", "https://a.example/"],
      ["hyperlink", "../secret.docx"],
    ] as const;
    expect(await markdownOf(body, { targets })).toBe(
      '[out](https://a.example/) [in](#there) [field](https://b.example/) file\n\n<a id="there"></a>target',
    );
  });

  test("has its notes below, and no table of contents", async () => {
    const body = `${styled("One 3", "TOC1")}<w:p>${run("word")}<w:r><w:footnoteReference w:id="5"/></w:r></w:p>`;
    const footnotes = `<w:footnote w:id="0">${wordParagraph("separator")}</w:footnote><w:footnote w:id="5">${wordParagraph("A note.")}</w:footnote>`;
    expect(await markdownOf(body, { styles: STYLES, footnotes })).toBe("word[^1]\n\n[^1]: A note.");
  });

  test("repeats what a merged cell says in each row, and shows tables of layout as text", async () => {
    const merged = '<w:vMerge w:val="restart"/>';
    const table =
      `<w:tbl><w:tr>${cell("System")}${cell("Path")}</w:tr><w:tr>${cell("Linux", merged)}${cell("/etc|x")}</w:tr>` +
      `<w:tr>${cell("", "<w:vMerge/>")}${cell("/var")}</w:tr><w:tr>${cell("all", '<w:gridSpan w:val="2"/>')}</w:tr></w:tbl>`;
    const layout = `<w:tbl><w:tr>${cell("left")}${cell("right")}</w:tr></w:tbl>`;
    expect(await markdownOf(table + layout)).toBe(
      "| System | Path |\n| --- | --- |\n| Linux | /etc\\|x |\n| Linux | /var |\n| all |  |\n\nleft\n\nright",
    );
  });

  test("reads a text box once, and what stands in content controls", async () => {
    const box = (text: string) => `<w:txbxContent>${wordParagraph(text)}</w:txbxContent>`;
    const body =
      `<w:p>${run("anchor")}<w:r><mc:AlternateContent><mc:Choice Requires="wps"><w:drawing><wps:txbx>${box("boxed")}</wps:txbx></w:drawing></mc:Choice>` +
      `<mc:Fallback><w:pict><v:textbox>${box("boxed")}</v:textbox></w:pict></mc:Fallback></mc:AlternateContent></w:r></w:p>` +
      `<w:sdt><w:sdtContent>${wordParagraph("filled")}</w:sdtContent></w:sdt>` +
      `<w:sdt><w:sdtPr><w:showingPlcHdr/></w:sdtPr><w:sdtContent>${wordParagraph("Click here")}</w:sdtContent></w:sdt>`;
    expect(await markdownOf(body)).toBe("anchor\n\nboxed\n\nfilled");
  });

  test("has code in fences, by its style or by a typewriter's font", async () => {
    const mono = '<w:rFonts w:ascii="Courier New"/>';
    const body =
      styled("if x:", "SourceCode") +
      styled("  go()", "SourceCode") +
      wordParagraph("then") +
      `<w:p>${run("ls -l", mono)}</w:p><w:p>${run("run ")}${run("make_it", mono)}${run(" now")}</w:p>`;
    expect(await markdownOf(body, { styles: STYLES })).toBe(
      "```\nif x:\n  go()\n```\n\nthen\n\n```\nls -l\n```\n\nrun `make_it` now",
    );
  });

  test("keeps its words words, whatever Markdown would make of them", async () => {
    const body =
      wordParagraph("# not &lt;b&gt; a *heading*") +
      `<w:p>${run("a")}${run("b", "<w:b/>")}${run("c", '<w:vertAlign w:val="superscript"/>')}<w:r><w:sym w:font="Symbol" w:char="F061"/><w:tab/><w:noBreakHyphen/><w:softHyphen/><w:t>d</w:t><w:br/><w:t>e</w:t></w:r></w:p>`;
    expect(await markdownOf(body)).toBe("\\# not \\<b> a \\*heading\\*\n\na**b**cα -d\\\ne");
  });

  test("has the documents that programs put into it, in HTML, RTF and saved pages; others are said", async () => {
    const chunks = ["page.html", "page.mht", "words.rtf", "other.docx"];
    const zip = partsZip({
      "_rels/.rels": relationshipsPart([["officeDocument", "word/document.xml"]]),
      "word/document.xml": `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><w:body>${wordParagraph("before")}${chunks.map((_, index) => `<w:altChunk r:id="r${index + 1}"/>`).join("")}${wordParagraph("after")}</w:body></w:document>`,
      "word/_rels/document.xml.rels": relationshipsPart(chunks.map((name): Target => ["aFChunk", name])),
      "word/page.html": "<p>of <b>HTML</b></p>",
      "word/page.mht":
        "From: <Saved by Word>\r\nMIME-Version: 1.0\r\nContent-Type: text/html\r\n\r\n<p>of a saved page</p>",
      "word/words.rtf": "{\\rtf1 of RTF\\par}",
      "word/other.docx": "x",
    });
    const { markdown, faults } = await documentOf(zip, "docx");
    expect(markdown).toBe("before\n\nof **HTML**\n\nof a saved page\n\nof RTF\n\nafter");
    expect(faults).toEqual(["holds another document, word/other.docx, which is not read"]);
  });

  test("in the strict variant of its XML is read alike", async () => {
    const body =
      '<w:document xmlns:w="http://purl.oclc.org/ooxml/wordprocessingml/main"><w:body><w:p><w:r><w:t>strict</w:t></w:r></w:p></w:body></w:document>';
    const zip = partsZip({
      "_rels/.rels": relationshipsPart([["officeDocument", "/word/document2.xml"]]),
      "word/document2.xml": body,
    });
    expect((await documentOf(zip, "docx")).markdown).toBe("strict");
  });
});
