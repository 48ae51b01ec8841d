import { describe, expect, test } from "bun:test";
import { DOCUMENT_BOUNDS, type DocumentKind } from "../../../src/reading/documents/documents.ts";
import { zipBytes } from "../../helpers/archive-bytes.ts";
import { partsZip, relationshipsPart, wordBytes, wordParagraph } from "../../helpers/office-bytes.ts";
import { documentFixture, documentOf, unreadable } from "../../helpers/read-document.ts";

const ZIPPED: readonly DocumentKind[] = ["docx", "pptx", "xlsx", "odt", "odp", "ods", "epub"];

const ole = (stream: string) =>
  Buffer.concat([
    Buffer.from("d0cf11e0a1b11ae1", "hex"),
    Buffer.alloc(504),
    Buffer.from(`${stream}\0`, "utf16le"),
    Buffer.alloc(500),
  ]);

describe("a document that is none", () => {
  test.each(ZIPPED)("%s: an empty file, other bytes, and a zip of something else are told", async (kind) => {
    expect(await unreadable(new Uint8Array(), kind)).toBe("is empty");
    expect(await unreadable(Buffer.from("words"), kind)).toStartWith("is not ");
    expect(await unreadable(partsZip({ "a.txt": "words" }), kind)).toStartWith("is not ");
    expect(await unreadable(ole("EncryptedPackage"), kind)).toBe("is encrypted: it needs a password");
  });

  test("documents of 2003 and older are told by their container", async () => {
    expect(await unreadable(ole("WordDocument"), "docx")).toBe(
      "is a Word document of 2003 or older: save it as .docx",
    );
    expect(await unreadable(ole("Workbook"), "xlsx")).toBe(
      "is a workbook of 2003 or older: save it as .xlsx",
    );
    expect(await unreadable(ole("PowerPoint Document"), "pptx")).toBe(
      "is a presentation of 2003 or older: save it as .pptx",
    );
  });

  test("a document with another's name is told by what it is", async () => {
    expect(await unreadable(await documentFixture("people.xlsx"), "docx")).toBe(
      "is a workbook: name it .xlsx",
    );
    expect(await unreadable(await documentFixture("deck.odp"), "odt")).toBe("is not an OpenDocument text");
  });

  test.each(["guide.docx", "deck.pptx", "people.xlsx", "guide.odt", "deck.odp", "people.ods"])(
    "%s, cut anywhere or with flipped bytes, is read or told, and never an error",
    async (name) => {
      const whole = await documentFixture(name);
      const kind = ZIPPED.find((each) => name.endsWith(each)) ?? "docx";
      for (let at = 0; at < 40; at++) {
        const cut = whole.subarray(0, Math.floor((whole.length * at) / 40));
        expect(await unreadable(cut, kind)).not.toBe("");
        const flipped = Buffer.from(whole);
        for (let place = at * 7; place < flipped.length; place += 997)
          flipped[place] = (flipped[place] ?? 0) ^ 0xff;
        await unreadable(flipped, kind);
      }
    },
  );
});

describe("a hostile document", () => {
  const document = (xml: string) =>
    partsZip({
      "_rels/.rels": relationshipsPart([["officeDocument", "word/document.xml"]]),
      "word/document.xml": xml,
    });
  const NAME = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';

  test("that unpacks to far more than it is, is refused before it is unpacked", async () => {
    const bomb = wordBytes(wordParagraph("a".repeat(60_000_000)));
    expect(bomb.length).toBeLessThan(100_000);
    expect(await unreadable(bomb, "docx")).toContain("would unpack to far more");
  });

  test("whose parts together unpack to more than may be is refused", async () => {
    const bounds = { ...DOCUMENT_BOUNDS, unpackedBytesMax: 1_000 };
    expect(await unreadable(wordBytes(wordParagraph("words ".repeat(500))), "docx", bounds)).toContain(
      "unpacks to more than may be read",
    );
  });

  test("whose parts lie in each other is refused", async () => {
    const zip = zipBytes([
      { name: "word/document.xml", text: "x" },
      { name: "b", text: "y" },
    ]);
    const directory = zip.lastIndexOf(Buffer.from("PK\x01\x02"));
    zip.writeUInt32LE(0, directory + 42);
    expect(await unreadable(zip, "docx")).toContain("lies in another of its parts");
  });

  test("expands no entity and reads no file", async () => {
    const entities =
      '<!DOCTYPE d [<!ENTITY a "boom"><!ENTITY b "&a;&a;&a;"><!ENTITY f SYSTEM "file:///etc/passwd">]>';
    const read = await documentOf(
      document(
        `<?xml version="1.0"?>${entities}<w:document ${NAME}><w:body>${wordParagraph("safe &b;&f;")}</w:body></w:document>`,
      ),
      "docx",
    );
    expect(read.markdown).toContain("safe");
    expect(read.markdown).not.toMatch(/boom|root:/);
  });

  test("of elements nested without end is read to its words", async () => {
    const depth = 20_000;
    const nested = `${"<w:tbl><w:tr><w:tc>".repeat(depth)}${wordParagraph("deep")}${"</w:tc></w:tr></w:tbl>".repeat(depth)}`;
    const read = await documentOf(
      document(`<w:document ${NAME}><w:body>${wordParagraph("top")}${nested}</w:body></w:document>`),
      "docx",
    );
    expect(read.markdown).toContain("top");
  });

  test("that breaks off is read up to there, which is said", async () => {
    const read = await documentOf(
      document(`<w:document ${NAME}><w:body>${wordParagraph("before")}<w:p><w:r><w:t>half`),
      "docx",
    );
    expect(read.markdown).toBe("before\n\nhalf");
    expect(read.faults).toEqual([expect.stringMatching(/^is damaged: .*what comes after is not read$/)]);
  });

  test("with more characters than may be is cut, which is said", async () => {
    const body = Array.from({ length: 200 }, (_, at) => wordParagraph(`paragraph ${at}`)).join("");
    const read = await documentOf(wordBytes(body), "docx", { ...DOCUMENT_BOUNDS, charactersMax: 1_000 });
    expect(read.markdown.length).toBeLessThan(1_100);
    expect(read.faults).toEqual(["has more than 1000 characters, of which the first are read"]);
  });
});
