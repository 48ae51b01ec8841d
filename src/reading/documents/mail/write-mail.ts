import { escapeInline } from "@docent/kernel/text/write-markdown";
import { readHtmlBlocks } from "../../markdown/html/html.ts";
import { htmlToText } from "../../markdown/html-text.ts";
import { textToMarkdown } from "../../markdown/txt.ts";
import type { DocumentBounds, ReadDocument, UnreadDocument } from "../document.ts";
import type { Mailbox } from "./mailbox.ts";
import type { Mail, MailBody } from "./message.ts";

const PEOPLE_MAX = 10;
const NAMES_MAX = 10;
const NAME_CHARACTERS_MAX = 80;
const SUBJECT_CHARACTERS_MAX = 500;
const FAULTS_MAX = 50;

/** A mail as a document: who wrote to whom and when, the text, and below it the mails that are attached. */
export function writeMail(given: Mail, { charactersMax }: DocumentBounds): ReadDocument | UnreadDocument {
  const left = { characters: charactersMax };
  const mail = withoutControls(given);
  const body = writeMessage(mail, left);
  const hasText = body !== "" || mail.attached.some((inner) => hasBody(inner));
  if (!hasText && mail.isEncrypted) return { unreadable: "is encrypted" };
  if (!hasText) return { unreadable: ["has no text", ...attachmentFault(mail)].join(" and ") };
  const sections = mail.attached.map((inner) => writeSection(inner, 2, left));
  const markdown = [headOf(mail), body, ...sections].filter((part) => part !== "").join("\n\n");
  return {
    data: dataOf(mail),
    markdown,
    faults: [...new Set(faultsOf(mail)), ...cutFault(left, charactersMax)],
  };
}

/** A mailbox as a document: a section for each of its mails. */
export function writeMailbox(
  { mails, faults }: Mailbox,
  { charactersMax }: DocumentBounds,
): ReadDocument | UnreadDocument {
  const left = { characters: charactersMax };
  const clean = mails.map(withoutControls);
  if (!clean.some(hasBody)) return { unreadable: "has no text" };
  const sections: string[] = [];
  for (const mail of clean) {
    if (left.characters < 0) break;
    sections.push(writeSection(mail, 2, left));
  }
  const said = [...faults, ...new Set(clean.flatMap(faultsOf))].slice(0, FAULTS_MAX);
  return { data: {}, markdown: sections.join("\n\n"), faults: [...said, ...cutFault(left, charactersMax)] };
}

/** What a mail says, and nothing of who sent it. */
export const writeText = (mail: Mail, { charactersMax }: DocumentBounds): string =>
  writeMessage(mail, { characters: charactersMax });

const cutFault = (left: { characters: number }, charactersMax: number): string[] =>
  left.characters < 0
    ? [`has more than ${charactersMax.toLocaleString("en-US")} characters: the rest is not read`]
    : [];

/** A mail whose fields are words: a damaged file has anything in them. */
function withoutControls(mail: Mail): Mail {
  const clean = (words: string) => words.replace(CONTROLS, " ").replace(/\s+/g, " ").trim();
  const { subject, from, to = [], cc = [], attachments, attached, ...others } = mail;
  return {
    ...others,
    ...(subject === undefined || clean(subject) === "" ? {} : { subject: clean(subject) }),
    ...(from === undefined || clean(from) === "" ? {} : { from: clean(from) }),
    to: to.map(clean),
    cc: cc.map(clean),
    attachments: attachments.map(clean),
    attached: attached.map(withoutControls),
  };
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is taken out.
const CONTROLS = /[\x00-\x1f\x7f-\x9f\ufffe\uffff]+/g;

const hasBody = (mail: Mail): boolean => mail.body.length > 0 || mail.attached.some(hasBody);

function dataOf({ subject, from, to = [], date }: Mail): Record<string, string> {
  return {
    ...(subject === undefined ? {} : { title: subject.slice(0, SUBJECT_CHARACTERS_MAX) }),
    ...(from === undefined ? {} : { author: from, from }),
    ...(to.length === 0 ? {} : { to: people(to) }),
    ...(date === undefined ? {} : { date: date.toISOString() }),
  };
}

const people = (addresses: readonly string[]) =>
  addresses.slice(0, PEOPLE_MAX).join(addresses.some((address) => address.includes(",")) ? "; " : ", ") +
  (addresses.length > PEOPLE_MAX
    ? ` and ${(addresses.length - PEOPLE_MAX).toLocaleString("en-US")} more`
    : "");

/** The first paragraph: whom it is from and to, and when it was sent. */
function headOf({ from, to = [], cc = [], date }: Mail): string {
  const lines = [
    ...(from === undefined ? [] : [`From: ${from}`]),
    ...(to.length === 0 ? [] : [`To: ${people(to)}`]),
    ...(cc.length === 0 ? [] : [`Cc: ${people(cc)}`]),
    ...(date === undefined ? [] : [`Date: ${date.toISOString().slice(0, 16).replace("T", " ")} UTC`]),
  ];
  return lines.map((line) => escapeInline(line.replace(/\s+/g, " "), "")).join("\\\n");
}

/** A mail that is attached, as a section of its own. */
function writeSection(mail: Mail, level: number, left: { characters: number }): string {
  const title = escapeInline((mail.subject ?? "").slice(0, SUBJECT_CHARACTERS_MAX), "").replace(
    /#+$/,
    (marks) => `\\${marks}`,
  );
  const heading = title === "" ? "" : `${"#".repeat(Math.min(level, 6))} ${title}`;
  const inner = mail.attached.map((one) => writeSection(one, level + 1, left));
  return [heading, headOf(mail), writeMessage(mail, left), ...inner]
    .filter((part) => part !== "")
    .join("\n\n");
}

function writeMessage({ body }: Mail, left: { characters: number }): string {
  const pieces: string[] = [];
  for (const piece of body) {
    if (left.characters < 0) break;
    const written = writeBody(piece, left.characters);
    const given = givenLength(piece);
    left.characters -= given > left.characters ? given : written.length;
    pieces.push(written);
  }
  return pieces.filter((text) => text.trim() !== "").join("\n\n");
}

function givenLength(body: MailBody): number {
  if (body.kind === "markdown") return body.markdown.length;
  return body.kind === "html" ? body.html.length : body.text.length;
}

function writeBody(body: MailBody, charactersMax: number): string {
  if (body.kind === "markdown") return body.markdown.slice(0, charactersMax);
  if (body.kind === "text") return plainBody(body.text.slice(0, charactersMax));
  if (body.kind === "flowed")
    return plainBody(body.text.slice(0, charactersMax), { isFlowed: true, deletesSpace: body.deletesSpace });
  const html = body.html.slice(0, charactersMax);
  const blocks = readHtmlBlocks(html);
  // Tags that are left open without end make a tree that is larger than any: then only the words are read.
  return blocks.length > 0 ? blocks.join("\n\n").trim() : textToMarkdown(htmlToText(html));
}

function faultsOf(mail: Mail): string[] {
  return [
    ...mail.faults,
    ...(mail.isEncrypted ? ["has a part that is encrypted"] : []),
    ...attachmentFault(mail),
    ...mail.attached.flatMap(faultsOf),
  ].slice(0, FAULTS_MAX);
}

function attachmentFault({ attachments }: Mail): string[] {
  if (attachments.length === 0) return [];
  const names = attachments
    .slice(0, NAMES_MAX)
    .map((name) => name.replace(/\s+/g, " ").slice(0, NAME_CHARACTERS_MAX));
  const more = attachments.length > NAMES_MAX ? ", …" : "";
  const [things, are] = attachments.length === 1 ? ["attachment", "is"] : ["attachments", "are"];
  return [
    `has ${attachments.length.toLocaleString("en-US")} ${things} that ${are} not read: ${names.join(", ")}${more}`,
  ];
}

const QUOTE_DEPTH_MAX = 8;

/** A line of a mail without its marks, and how deep it is quoted. */
interface Line {
  words: string;
  depth: number;
}

/** The text of a mail as Markdown: lines behind `>` are quotes, and the signature is a paragraph as others are. */
function plainBody(text: string, { isFlowed = false, deletesSpace = false } = {}): string {
  const lines = withoutSignatures(text.replace(/\r\n?/g, "\n"))
    .split("\n")
    .map((line) => readLine(line, isFlowed));
  return writeLines(isFlowed ? joinFlowed(lines, deletesSpace) : lines, 0);
}

/** What OpenPGP puts around a signed text. */
function withoutSignatures(text: string): string {
  const begin = text.indexOf("-----BEGIN PGP SIGNED MESSAGE-----");
  if (begin < 0) return text;
  const body = text.indexOf("\n\n", begin);
  const end = text.indexOf("\n-----BEGIN PGP SIGNATURE-----", body);
  if (body < 0 || end < 0) return text;
  const after = text.indexOf("-----END PGP SIGNATURE-----", end);
  const rest = after < 0 ? "" : text.slice(after + 27);
  return text.slice(0, begin) + text.slice(body + 2, end).replace(/^- /gm, "") + rest;
}

function readLine(line: string, isFlowed: boolean): Line {
  const marks = isFlowed ? /^>*/.exec(line)?.[0] : /^ {0,1}(?:> ?){1,50}/.exec(line)?.[0];
  const depth = (marks ?? "").replaceAll(/[^>]/g, "").length;
  const words = line.slice(marks?.length ?? 0);
  // A space before the words protects a line that begins as quotes do.
  return { words: isFlowed ? words.replace(/^ /, "") : words, depth: Math.min(depth, QUOTE_DEPTH_MAX) };
}

/** Joins the lines of a paragraph: those that end with a space go on, but for the mark of a signature. */
function joinFlowed(lines: Line[], deletesSpace: boolean): Line[] {
  const joined: Line[] = [];
  let parts: string[] = [];
  let open: Line | undefined;
  const flush = () => {
    if (open !== undefined) joined.push({ depth: open.depth, words: parts.join("") });
    open = undefined;
    parts = [];
  };
  for (const line of lines) {
    if (open !== undefined && open.depth !== line.depth) flush();
    open ??= line;
    const goesOn = line.words.endsWith(" ") && line.words !== "-- ";
    parts.push(goesOn && deletesSpace ? line.words.slice(0, -1) : line.words);
    if (!goesOn) flush();
  }
  flush();
  // Paragraphs end where lines do: Markdown needs a blank line to see that.
  return joined.flatMap((line) => (line.words.length > 80 ? [line, { ...line, words: "" }] : [line]));
}

function writeLines(lines: Line[], depth: number): string {
  const blocks: string[] = [];
  for (let at = 0; at < lines.length; ) {
    const isQuote = (lines[at]?.depth ?? 0) > depth;
    let end = at + 1;
    while (end < lines.length && (lines[end]?.depth ?? 0) > depth === isQuote) end += 1;
    const run = lines.slice(at, end);
    blocks.push(isQuote ? quoted(writeLines(run, depth + 1)) : writeWords(run));
    at = end;
  }
  return blocks.filter((block) => block.trim() !== "").join("\n\n");
}

/** Words, in which the line above a signature is a blank one. */
const writeWords = (lines: Line[]) =>
  textToMarkdown(lines.map(({ words }) => (/^-- ?$/.test(words) ? "" : words)).join("\n")).trim();

const quoted = (markdown: string) => markdown.replace(/^.*$/gm, (line) => (line === "" ? ">" : `> ${line}`));
