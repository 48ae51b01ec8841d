/** The bytes of a part, given with a character for each byte, as its `Content-Transfer-Encoding` says. */
export function transferredBytes(text: string, encoding: string): Uint8Array {
  const name = encoding.trim().toLowerCase();
  if (name.startsWith("base64")) return base64Bytes(text);
  return name.startsWith("quoted-printable")
    ? quotedBytes(text)
    : Uint8Array.from(Buffer.from(text, "latin1"));
}

/** Decodes base64; what is none of its characters is passed over, and padding may stand between pieces. */
export function base64Bytes(text: string): Uint8Array {
  const pieces = text
    .replace(/[^A-Za-z0-9+/=]/g, "")
    .split(/=+/)
    .filter((piece) => piece.length > 1)
    .map((piece) => Buffer.from(piece, "base64"));
  return Uint8Array.from(pieces.length === 1 && pieces[0] !== undefined ? pieces[0] : Buffer.concat(pieces));
}

/** Decodes quoted-printable; a sign that is not followed by a byte stays as it is. */
export function quotedBytes(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length);
  let length = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code !== 0x3d) {
      bytes[length++] = code;
      continue;
    }
    const high = hexDigit(text.charCodeAt(at + 1));
    const low = hexDigit(text.charCodeAt(at + 2));
    if (high >= 0 && low >= 0) {
      bytes[length++] = high * 16 + low;
      at += 2;
    } else {
      const lineEnd = softBreak(text, at + 1);
      if (lineEnd === undefined) bytes[length++] = code;
      else at = lineEnd - 1;
    }
  }
  return bytes.subarray(0, length);
}

const SPACES_MAX = 100;

/** The position behind a line break that is none of the text's: `=` at the end of a line. */
function softBreak(text: string, start: number): number | undefined {
  let at = start;
  while (at - start < SPACES_MAX && (text[at] === " " || text[at] === "\t")) at += 1;
  if (text[at] === "\r") return text[at + 1] === "\n" ? at + 2 : at + 1;
  if (text[at] === "\n") return at + 1;
  return at >= text.length ? at : undefined;
}

function hexDigit(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  if (code >= 0x41 && code <= 0x46) return code - 0x37;
  if (code >= 0x61 && code <= 0x66) return code - 0x57;
  return -1;
}
