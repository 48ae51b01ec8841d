const PIECE_BYTES = 65_536;

/** The text of an XML file, piece by piece: in UTF-8, UTF-16, or what its first line names. */
export function* decodeXml(content: Uint8Array): Generator<string> {
  const decoder = new TextDecoder(encodingOf(content));
  for (let at = 0; at < content.length; at += PIECE_BYTES) {
    const text = decoder.decode(content.subarray(at, at + PIECE_BYTES), { stream: true });
    // Some programs leave a line before the first, where none may be.
    yield at === 0 ? text.trimStart() : text;
  }
  yield decoder.decode();
}

function encodingOf(content: Uint8Array): "utf-8" | "utf-16le" | "utf-16be" | "latin1" {
  const [first, second] = content;
  if ((first === 0xff && second === 0xfe) || (first === 0x3c && second === 0)) return "utf-16le";
  if ((first === 0xfe && second === 0xff) || (first === 0 && second === 0x3c)) return "utf-16be";
  const start = Buffer.from(content.subarray(0, 200)).toString("latin1");
  return /^<\?xml[^>]*encoding\s*=\s*["'](?:iso-8859-1|windows-1252|us-ascii)["']/i.test(start)
    ? "latin1"
    : "utf-8";
}
