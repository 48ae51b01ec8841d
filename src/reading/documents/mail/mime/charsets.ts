import { decodeText } from "@docent/kernel/text/decode-bytes";

/** Names that mail programs write and that no standard of the web has. */
const ALIASES: Record<string, string> = {
  cp932: "shift_jis",
  cp936: "gbk",
  cp949: "euc-kr",
  cp950: "big5",
  "cp-1252": "windows-1252",
  utf8mb4: "utf-8",
  "ansi_x3.4-1968": "windows-1252",
  "iso8859-1": "windows-1252",
  "x-gbk": "gbk",
  "shift-jis": "shift_jis",
};

/** Decodes bytes as they say that they are, or as they are: many mails name an encoding that is not theirs. */
export function decodeCharset(bytes: Uint8Array, charset: string, html = false): string {
  const name = charset.trim().toLowerCase();
  const known = ALIASES[name] ?? name;
  if (/^(?:x-)?(?:unicode-1-1-)?utf-?7$/.test(known)) return decodeUtf7(bytes);
  if (/^utf-?16/.test(known))
    return new TextDecoder(known.includes("be") ? "utf-16be" : "utf-16le").decode(bytes);
  const decoded = decodeText(bytes, { html, ...(known === "" ? {} : { charset: known }) });
  return decoded?.text ?? new TextDecoder("windows-1252").decode(bytes);
}

function decodeUtf7(bytes: Uint8Array): string {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
  return text.replace(/\+([A-Za-z0-9+/]{0,10000})-?/g, (_, encoded: string) =>
    encoded === "" ? "+" : new TextDecoder("utf-16be").decode(evenBytes(Buffer.from(encoded, "base64"))),
  );
}

const evenBytes = (bytes: Uint8Array) => bytes.subarray(0, bytes.length - (bytes.length % 2));
