/** The beginning of the containers of Office 2003 and older, and of encrypted documents of later ones. */
const OLE = "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1";
const ZIPS = ["PK\x03\x04", "PK\x05\x06", "PK\x06\x06", "PK00PK\x03\x04"];

/** Streams of an OLE container, by which one knows what made it. Their names are written in UTF-16. */
const STREAMS: readonly [name: string, says: string][] = [
  ["EncryptedPackage", "is encrypted: it needs a password"],
  ["EncryptionInfo", "is encrypted: it needs a password"],
  ["DRMEncryptedDataSpace", "is encrypted: it is protected by rights management"],
  ["WordDocument", "is a Word document of 2003 or older: save it as .docx"],
  ["PowerPoint Document", "is a presentation of 2003 or older: save it as .pptx"],
  ["Workbook", "is a workbook of 2003 or older: save it as .xlsx"],
  ["Book", "is a workbook of 2003 or older: save it as .xlsx"],
];

/** Other forms that are given such names, by their beginning. */
const OTHERS: readonly [start: RegExp, says: string][] = [
  [/^\{\\rtf/, "is rich text: name it .rtf"],
  [/^%PDF-/, "is a PDF: name it .pdf"],
  [/^(?:\xef\xbb\xbf)?\s*<(?:!doctype html|html)/i, "is a page of HTML: name it .html"],
];

/** What a document is that is no zip; undefined for a zip. Completes "<location> …". */
export function otherForm(bytes: Buffer, what: string): string | undefined {
  const start = bytes.toString("latin1", 0, 200);
  if (ZIPS.some((mark) => start.startsWith(mark))) return undefined;
  if (start.startsWith(OLE)) {
    const found = STREAMS.find(([name]) =>
      [name, name.toUpperCase()].some((each) => bytes.includes(Buffer.from(`${each}\0`, "utf16le"))),
    );
    return found?.[1] ?? `is not ${what}: it is a container of Office 2003 or older`;
  }
  return OTHERS.find(([pattern]) => pattern.test(start))?.[1] ?? `is not ${what}`;
}
