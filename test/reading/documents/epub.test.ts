import { describe, expect, test } from "bun:test";
import { partsZip } from "../../helpers/office-bytes.ts";
import { documentOf, unreadable } from "../../helpers/read-document.ts";

const page = (body: string) =>
  `<html xmlns="http://www.w3.org/1999/xhtml"><head><title/></head><body>${body}</body></html>`;

function book(files: Record<string, string>, { others = {} }: { others?: Record<string, string> } = {}) {
  const names = Object.keys(files);
  const items = names.map(
    (name, index) =>
      `<item id="i${index}" href="text/${name}" media-type="application/xhtml+xml"${name === "nav.xhtml" ? ' properties="nav"' : ""}/>`,
  );
  // The order of the spine is not that of the files.
  const spine = names.map((_, index) => `<itemref idref="i${names.length - 1 - index}"/>`);
  return partsZip({
    mimetype: "application/epub+zip",
    "META-INF/container.xml":
      '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="OEBPS/book.opf"/></rootfiles></container>',
    "OEBPS/book.opf":
      '<package xmlns="http://www.idpf.org/2007/opf" xmlns:dc="http://purl.org/dc/elements/1.1/"><metadata><dc:title>A Book</dc:title><dc:language>de</dc:language><dc:creator>Ada</dc:creator></metadata>' +
      `<manifest>${items.join("")}</manifest><spine>${spine.join("")}</spine></package>`,
    ...Object.fromEntries(names.map((name) => [`OEBPS/text/${name}`, files[name] ?? ""])),
    ...others,
  });
}

describe("a book", () => {
  test("is read chapter by chapter, without its contents, and links into it are words", async () => {
    const zip = book({
      "b.xhtml": page(
        '<section><header><h1 id="x">Two</h1></header><p>See <a href="a.xhtml#y">one</a> and <a href="https://a.example/">out</a>.</p><aside epub:type="footnote">A note.</aside></section>',
      ),
      "a.xhtml": page('<h1>One</h1><p>First<a id="p1"/> words<span epub:type="pagebreak">12</span>.</p>'),
      "nav.xhtml": page('<nav epub:type="toc"><ol><li><a href="a.xhtml">One</a></li></ol></nav>'),
    });
    const { markdown, data } = await documentOf(zip, "epub");
    expect(markdown).toBe(
      "# One\n\nFirst words.\n\n# Two\n\nSee one and [out](https://a.example/).\n\nA note.",
    );
    expect(data).toEqual({ title: "A Book", language: "de", author: "Ada" });
  });

  test("names a chapter without a heading as its contents do", async () => {
    const zip = book({
      "a.xhtml": page("<p>words</p>"),
      "nav.xhtml": page('<nav epub:type="toc"><ol><li><a href="a.xhtml">The beginning</a></li></ol></nav>'),
    });
    expect((await documentOf(zip, "epub")).markdown).toBe("## The beginning\n\nwords");
  });

  test("whose chapters are encrypted says so; one whose fonts are is read", async () => {
    const encryption = (uri: string, method: string) =>
      '<encryption xmlns="urn:oasis:names:tc:opendocument:xmlns:container" xmlns:enc="http://www.w3.org/2001/04/xmlenc#"><enc:EncryptedData>' +
      `<enc:EncryptionMethod Algorithm="${method}"/><enc:CipherData><enc:CipherReference URI="${uri}"/></enc:CipherData></enc:EncryptedData></encryption>`;
    const files = { "a.xhtml": page("<p>words</p>") };
    const locked = encryption("OEBPS/text/a.xhtml", "http://www.w3.org/2001/04/xmlenc#aes128-cbc");
    const fonts = encryption("OEBPS/f.otf", "http://www.idpf.org/2008/embedding");
    expect(await unreadable(book(files, { others: { "META-INF/encryption.xml": locked } }), "epub")).toBe(
      "is encrypted",
    );
    expect(
      (await documentOf(book(files, { others: { "META-INF/encryption.xml": fonts } }), "epub")).markdown,
    ).toBe("words");
  });

  test("that is only a zip says that it is no book", async () => {
    expect(await unreadable(partsZip({ "a.txt": "words" }), "epub")).toBe(
      "is not a book (EPUB): it has no list of its files",
    );
  });
});
