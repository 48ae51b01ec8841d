import { DOCUMENT_BOUNDS } from "../../document.ts";
import { readRtf } from "../../rtf/rtf.ts";
import { ATTACHED_DEPTH_MAX, type Mail, type MailBody, newMail } from "../message.ts";
import { decodeCharset } from "./charsets.ts";
import { decodeWords, readAddresses } from "./headers.ts";
import { type MimePart, type MimeSource, partsOf, readPart } from "./parts.ts";
import { signedContent } from "./signed-content.ts";
import { transferredBytes } from "./transfer.ts";

export { decodeCharset };

const PARTS_MAX = 2_000;
const ATTACHMENTS_MAX = 10_000;
/** Fields of which a mail has at least one. */
const MAIL_FIELDS =
  "from to subject date received message-id mime-version content-type return-path sender delivered-to cc reply-to".split(
    " ",
  );

/** What is known while the parts of a mail are read. */
interface MimeReading {
  source: MimeSource;
  mail: Mail;
  /** How many mails it is attached to. */
  depth: number;
  /** The words of invitations, which are for mails without others. */
  calendars: string[];
}

/** Reads a mail from its bytes; undefined where they are none. */
export async function readMime(content: Uint8Array, depth = 0): Promise<Mail | undefined> {
  const text = Buffer.from(content.buffer, content.byteOffset, content.byteLength).toString("latin1");
  const source: MimeSource = { text, partsLeft: PARTS_MAX, isCut: false };
  const part = readPart(source, mailStart(text), text.length, { depth: 0 });
  if (!MAIL_FIELDS.some((name) => part.headers.has(name))) return undefined;
  const mail = await readMail(source, part, depth);
  if (source.isCut)
    mail.faults.push(
      `has more than ${PARTS_MAX.toLocaleString("en-US")} parts, or parts too deep in each other: the rest is not read`,
    );
  return mail;
}

/** Where the header begins: mailboxes and programs write a line before it. */
function mailStart(text: string): number {
  return (
    /^(?:\xef\xbb\xbf)?\s{0,100}(?:From [^\r\n]{1,500}\r?\n|>?From [^\r\n]{1,500}\r?\n|\d{1,12}\s{0,10}\r?\n)?/.exec(
      text,
    )?.[0].length ?? 0
  );
}

async function readMail(source: MimeSource, part: MimePart, depth: number): Promise<Mail> {
  const { headers } = part;
  const mail = newMail();
  const reading: MimeReading = { source, mail, depth, calendars: [] };
  const subject = decodeWords(headers.get("subject") ?? "")
    .replace(/\s+/g, " ")
    .trim();
  const from = readAddresses(headers.get("from") ?? headers.get("sender"))[0];
  const date = new Date((headers.get("date") ?? "").replace(/\([^()]{0,100}\)/g, "").slice(0, 100));
  if (subject !== "") mail.subject = subject;
  if (from !== undefined) mail.from = from;
  if (!Number.isNaN(date.getTime())) mail.date = date;
  mail.to = readAddresses(headers.get("to"));
  mail.cc = readAddresses(headers.get("cc"));
  mail.body = await readBody(reading, part);
  if (mail.body.length === 0 && reading.calendars.length > 0)
    mail.body = reading.calendars.map((text) => ({ kind: "text", text }));
  return mail;
}

/** Reads a part: the pieces of text that it holds. What is no text is noted in the mail. */
async function readBody(reading: MimeReading, part: MimePart): Promise<MailBody[]> {
  const { value } = part.type;
  if (value.startsWith("multipart/")) return readMultipart(reading, part);
  if (value === "message/rfc822" || value === "message/global") {
    await readAttached(reading, part);
    return [];
  }
  if (/^application\/(?:x-)?pkcs7-mime$/.test(value)) return readSecured(reading, part);
  if (value === "application/pgp-encrypted") {
    reading.mail.isEncrypted = true;
    return [];
  }
  // Signatures say nothing, and so does what a report repeats of a header.
  if (/^application\/(?:(?:x-)?pkcs7-signature|pgp-signature|pgp-keys|ms-tnef-signature)$/.test(value))
    return [];
  if (value === "text/rfc822-headers") return [];
  if (
    part.disposition.value === "attachment" ||
    !/^(?:text\/|message\/)/.test(value) ||
    NO_WORDS.has(value)
  ) {
    noteAttachment(reading, part);
    return [];
  }
  return readText(reading, part);
}

/** Kinds of text that are for programs. */
const NO_WORDS = new Set(
  "text/vcard text/x-vcard text/directory text/xml text/css text/javascript message/external-body message/partial".split(
    " ",
  ),
);

async function readMultipart(reading: MimeReading, part: MimePart): Promise<MailBody[]> {
  const parts = partsOf(reading.source, part);
  // A boundary that is never met: what is there is text.
  if (parts.length === 0) return readText(reading, { ...part, type: { ...part.type, value: "text/plain" } });
  if (part.type.value === "multipart/encrypted") {
    reading.mail.isEncrypted = true;
    return [];
  }
  if (part.type.value === "multipart/alternative") return readAlternatives(reading, parts);
  const pieces: MailBody[] = [];
  for (const inner of parts) pieces.push(...(await readBody(reading, inner)));
  return pieces;
}

/** The same text in several formats: HTML has the most to say, as long as it says something. */
async function readAlternatives(reading: MimeReading, parts: readonly MimePart[]): Promise<MailBody[]> {
  const read: MailBody[][] = [];
  for (const part of parts) read.push(await readBody(reading, part));
  const filled = read.filter((pieces) => pieces.length > 0);
  return (
    filled.find((pieces) => pieces.some((piece) => piece.kind === "html" && hasWords(piece.html))) ??
    filled.findLast((pieces) => pieces.some((piece) => piece.kind === "markdown")) ??
    filled[0] ??
    []
  );
}

/** Whether HTML says more than its tags do. */
const hasWords = (html: string) =>
  html.length > 2_000_000 ||
  /[\p{L}\p{N}]/u.test(
    html.replace(/<(?:style|head|title)\b[\s\S]{0,100000}?<\/(?:style|head|title)>|<[^>]*>|&\w+;/gi, ""),
  );

async function readAttached({ source, mail, depth }: MimeReading, part: MimePart): Promise<void> {
  if (depth + 1 > ATTACHED_DEPTH_MAX) {
    source.isCut = true;
    return;
  }
  const encoding = part.headers.get("content-transfer-encoding") ?? "";
  if (/base64|quoted-printable/i.test(encoding)) {
    const inner = await readMime(
      transferredBytes(source.text.slice(part.start, part.end), encoding),
      depth + 1,
    );
    if (inner !== undefined) mail.attached.push(inner);
    return;
  }
  const inner = readPart(source, part.start, part.end, { depth: part.depth + 1 });
  mail.attached.push(await readMail(source, inner, depth + 1));
}

/** S/MIME: what is only signed holds a mail's part; what is encrypted holds nothing for us. */
async function readSecured(reading: MimeReading, part: MimePart): Promise<MailBody[]> {
  const content = signedContent(bytesOf(reading.source, part));
  if (content === undefined) {
    reading.mail.isEncrypted = true;
    return [];
  }
  const text = Buffer.from(content).toString("latin1");
  const source: MimeSource = { text, partsLeft: reading.source.partsLeft, isCut: false };
  return readBody({ ...reading, source }, readPart(source, 0, text.length, { depth: part.depth + 1 }));
}

const bytesOf = ({ text }: MimeSource, { headers, start, end }: MimePart) =>
  transferredBytes(text.slice(start, end), headers.get("content-transfer-encoding") ?? "");

async function readText(reading: MimeReading, part: MimePart): Promise<MailBody[]> {
  const { value, parameters } = part.type;
  const bytes = bytesOf(reading.source, part);
  if (value === "text/rtf" || value === "application/rtf") {
    const read = await readRtf(bytes, DOCUMENT_BOUNDS);
    return "unreadable" in read ? [] : [{ kind: "markdown", markdown: read.markdown }];
  }
  const text = decodeCharset(bytes, parameters.get("charset") ?? "", value === "text/html");
  if (text.trim() === "") return [];
  if (value === "text/html") return [{ kind: "html", html: text }];
  if (value === "text/calendar") {
    reading.calendars.push(calendarText(text));
    return [];
  }
  if (value === "text/enriched" || value === "text/richtext")
    return [{ kind: "text", text: text.replace(/<param>[^<]{0,1000}<\/param>|<[^<>]{0,100}>/gi, "") }];
  if (/^\s{0,100}-----BEGIN PGP MESSAGE-----/.test(text)) {
    reading.mail.isEncrypted = true;
    return [];
  }
  const flowed = parameters.get("format")?.toLowerCase() === "flowed";
  return flowed
    ? [{ kind: "flowed", text, deletesSpace: /^yes$/i.test(parameters.get("delsp") ?? "") }]
    : [{ kind: "text", text }];
}

function noteAttachment({ mail }: MimeReading, { type, disposition, headers }: MimePart): void {
  const name = disposition.parameters.get("filename") ?? type.parameters.get("name");
  const isLinked = headers.has("content-id") || headers.has("content-location");
  // What the text shows or is styled by is a part of it.
  if (name === undefined && (isLinked || NO_WORDS.has(type.value))) return;
  const isPicture = type.value.startsWith("image/") && disposition.value !== "attachment";
  if (isPicture && (isLinked || disposition.value === "inline")) return;
  if (mail.attachments.length < ATTACHMENTS_MAX) mail.attachments.push(name?.trim() || type.value);
}

const FIELDS: Record<string, string> = {
  SUMMARY: "",
  DTSTART: "Start: ",
  DTEND: "End: ",
  LOCATION: "Location: ",
  DESCRIPTION: "",
};

/** The words of an invitation, a line for each field. */
function calendarText(text: string): string {
  const lines = text.replace(/\r?\n[ \t]/g, "").split(/\r?\n/);
  const start = lines.findIndex((line) => /^BEGIN:V(?:EVENT|TODO|JOURNAL)/i.test(line));
  const words: string[] = [];
  for (const line of lines.slice(Math.max(0, start))) {
    const [, name = "", value = ""] = /^([A-Z]{1,20})(?:;[^:]{0,500})?:([\s\S]*)$/.exec(line) ?? [];
    const label = FIELDS[name];
    if (label !== undefined && value.trim() !== "")
      words.push(label + unescaped(name.startsWith("DT") ? shownDate(value) : value));
  }
  return words.join("\n\n");
}

const unescaped = (value: string) =>
  value.replace(/\\([\\;,nN])/g, (_, mark: string) => (/n/i.test(mark) ? "\n" : mark));

const shownDate = (value: string) =>
  value.replace(/^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)\d{0,2}Z?)?$/, (_, year, month, day, hour, minute) =>
    hour === undefined ? `${year}-${month}-${day}` : `${year}-${month}-${day} ${hour}:${minute}`,
  );
