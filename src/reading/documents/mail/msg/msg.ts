import type { DocumentBounds, UnreadDocument } from "../../document.ts";
import { encapsulatedHtml, encodingOfCodePage, readRtf } from "../../rtf/rtf.ts";
import { ATTACHED_DEPTH_MAX, type Mail, type MailBody, newMail } from "../message.ts";
import { decodeCharset, readMime } from "../mime/mime.ts";
import { openCompoundFile, type Storage } from "./compound-file.ts";
import { unpackRtf } from "./compressed-rtf.ts";
import { type Properties, readProperties } from "./properties.ts";

/** The numbers that MAPI gives to what is read of a message. */
const ID = {
  messageClass: 0x001a,
  subject: 0x0037,
  submitTime: 0x0039,
  representingName: 0x0042,
  representingAddress: 0x0065,
  senderName: 0x0c1a,
  senderAddress: 0x0c1f,
  senderSmtp: 0x5d01,
  representingSmtp: 0x5d02,
  displayCc: 0x0e03,
  displayTo: 0x0e04,
  deliveryTime: 0x0e06,
  body: 0x1000,
  compressedRtf: 0x1009,
  html: 0x1013,
  name: 0x3001,
  attachedData: 0x3701,
  fileName: 0x3704,
  method: 0x3705,
  longFileName: 0x3707,
  contentId: 0x3712,
  isHidden: 0x7ffe,
  internetCodePage: 0x3fde,
  locale: 0x3ff1,
  messageCodePage: 0x3ffd,
};
const HEADER_BYTES = 32;
const ATTACHED_HEADER_BYTES = 24;
const PART_HEADER_BYTES = 8;
const ATTACHMENTS_MAX = 2_000;
const RTF_BYTES_MAX = 100_000_000;

/** Reads a mail that Outlook saved. */
export async function readMessageFile(
  content: Uint8Array,
  bounds: DocumentBounds,
): Promise<Mail | UnreadDocument> {
  const root = openCompoundFile(content);
  if (root === undefined) return { unreadable: "is damaged: it is no file of Outlook" };
  if (!root.streams.has("__properties_version1.0")) return { unreadable: "is damaged: it holds no message" };
  return readMessage(root, HEADER_BYTES, bounds, 0);
}

async function readMessage(
  folder: Storage,
  headerBytes: number,
  bounds: DocumentBounds,
  depth: number,
): Promise<Mail> {
  const charset = charsetOf(readProperties(folder, headerBytes, ""));
  const properties = readProperties(folder, headerBytes, charset);
  const attachments = attachmentsOf(folder, charset);
  const secured = await readSecured(properties, attachments, depth);
  if (secured !== undefined) return withFields(secured, properties);
  const mail = withFields(newMail(), properties);
  const body = await readBody(properties, charset, bounds);
  if (body !== undefined) mail.body.push(body);
  for (const attachment of attachments) await readAttachment(mail, attachment, bounds, depth);
  return mail;
}

/** The name of the encoding of its words that are not in Unicode. */
function charsetOf(properties: Properties): string {
  const page = properties.number(ID.messageCodePage);
  const known = page === undefined || page === 1252 ? undefined : encodingOfCodePage(page);
  if (known !== undefined) return known;
  const locale = properties.number(ID.locale);
  // Chinese is written in two ways, which have encodings of their own.
  if (locale !== undefined && TRADITIONAL_CHINESE.has(locale)) return "big5";
  if (locale !== undefined) return LOCALES[locale & 0xff] ?? "windows-1252";
  return encodingOfCodePage(properties.number(ID.internetCodePage) ?? 1252) ?? "windows-1252";
}

const TRADITIONAL_CHINESE = new Set([0x0404, 0x0c04, 0x1404]);

/** The encodings of languages, by the numbers of Windows. */
const LOCALES: Record<number, string> = {
  1: "windows-1256",
  2: "windows-1251",
  4: "gbk",
  5: "windows-1250",
  8: "windows-1253",
  13: "windows-1255",
  14: "windows-1250",
  17: "shift_jis",
  18: "euc-kr",
  21: "windows-1250",
  25: "windows-1251",
  30: "windows-874",
  31: "windows-1254",
  34: "windows-1251",
};

function withFields(mail: Mail, properties: Properties): Mail {
  const text = (id: number) => properties.text(id)?.replace(/\s+/g, " ").trim() || undefined;
  const subject = text(ID.subject);
  const name = text(ID.senderName) ?? text(ID.representingName);
  const address = [ID.senderSmtp, ID.representingSmtp, ID.senderAddress, ID.representingAddress]
    .map(text)
    .find((each) => each !== undefined && /^[^\s/=]+@\S+$/.test(each));
  const from = [
    ...new Set([name, name !== undefined && address !== undefined ? `<${address}>` : address]),
  ].filter((part) => part !== undefined && part !== `<${name}>`);
  const date = properties.date(ID.submitTime) ?? properties.date(ID.deliveryTime);
  const people = (id: number) =>
    (text(id) ?? "")
      .split(/\s*;\s*/)
      .filter((each) => each !== "")
      .slice(0, 1_000);
  return {
    ...mail,
    ...(subject === undefined ? {} : { subject }),
    ...(from.length === 0 ? {} : { from: from.join(" ") }),
    ...(date === undefined ? {} : { date }),
    to: people(ID.displayTo),
    cc: people(ID.displayCc),
  };
}

/** The text: HTML, or else RTF, which may hold HTML, or else plain. */
async function readBody(
  properties: Properties,
  charset: string,
  bounds: DocumentBounds,
): Promise<MailBody | undefined> {
  const internet = encodingOfCodePage(properties.number(ID.internetCodePage) ?? 0) ?? charset;
  const bytes = properties.bytes(ID.html);
  const html = bytes === undefined ? properties.text(ID.html) : decodeCharset(bytes, internet, true);
  if (html !== undefined && html.trim() !== "") return { kind: "html", html };
  const plain = properties.text(ID.body) ?? "";
  const packed = properties.bytes(ID.compressedRtf);
  const rtf = packed === undefined ? undefined : unpackRtf(packed, RTF_BYTES_MAX);
  const inside = rtf === undefined ? undefined : encapsulatedHtml(rtf);
  if (inside !== undefined && /[\p{L}\p{N}]/u.test(inside)) return { kind: "html", html: inside };
  const isPlain =
    rtf === undefined || /\\fromtext\b/.test(Buffer.from(rtf.subarray(0, 500)).toString("latin1"));
  if (isPlain && plain.trim() !== "") return { kind: "text", text: plain };
  const read = rtf === undefined ? undefined : await readRtf(rtf, bounds);
  if (read !== undefined && !("unreadable" in read)) return { kind: "markdown", markdown: read.markdown };
  return plain.trim() === "" ? undefined : { kind: "text", text: plain };
}

interface Attachment {
  folder: Storage;
  properties: Properties;
}

const attachmentsOf = ({ storages }: Storage, charset: string): Attachment[] =>
  [...storages]
    .filter(([name]) => name.startsWith("__attach_version1.0_"))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .slice(0, ATTACHMENTS_MAX)
    .map(([, folder]) => ({ folder, properties: readProperties(folder, PART_HEADER_BYTES, charset) }));

async function readAttachment(
  mail: Mail,
  { folder, properties }: Attachment,
  bounds: DocumentBounds,
  depth: number,
): Promise<void> {
  const inner = folder.storages.get("__substg1.0_3701000d");
  if (inner?.streams.has("__properties_version1.0") && depth < ATTACHED_DEPTH_MAX) {
    mail.attached.push(await readMessage(inner, ATTACHED_HEADER_BYTES, bounds, depth + 1));
    return;
  }
  const name = properties.text(ID.longFileName) ?? properties.text(ID.fileName) ?? properties.text(ID.name);
  const isShown = properties.text(ID.contentId) !== undefined || properties.number(ID.isHidden) === 1;
  // A picture that the text shows is a part of it.
  if (isShown && /\.(?:png|jpe?g|gif|bmp|webp|svg|emz|wmz)$/i.test(name ?? "")) return;
  mail.attachments.push(name?.trim() || "a file without a name");
}

/** A message of S/MIME is a single attachment: a mail as it was sent. */
async function readSecured(
  properties: Properties,
  attachments: readonly Attachment[],
  depth: number,
): Promise<Mail | undefined> {
  if (!/^IPM\.Note\.(?:.*\.)?SMIME/i.test(properties.text(ID.messageClass) ?? "")) return undefined;
  const data = attachments[0]?.properties.bytes(ID.attachedData);
  if (data === undefined) return { ...newMail(), isEncrypted: true };
  const text = Buffer.from(data.subarray(0, 2_000)).toString("latin1");
  const isMime = /^content-type:/im.test(text);
  const header = isMime ? "" : "Content-Type: application/pkcs7-mime\r\n\r\n";
  return readMime(Buffer.concat([Buffer.from(header), data]), depth);
}
