import { escapeInline } from "@docent/kernel/text/write-markdown";
import { readHtmlBlocks } from "../../markdown/html/html.ts";
import { htmlToText } from "../../markdown/html-text.ts";
import { textToMarkdown } from "../../markdown/txt.ts";
import type { DocumentBounds, ReadDocument, UnreadDocument } from "../document.ts";
import type { Mailbox } from "./mailbox.ts";
import type { Mail, MailBody } from "./message.ts";
import { plainBody } from "./plain-body.ts";

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
