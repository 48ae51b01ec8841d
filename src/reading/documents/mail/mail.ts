import type { DocumentBounds, ReadDocument, UnreadDocument } from "../document.ts";
import { readMailbox } from "./mailbox.ts";
import { readMime } from "./mime/mime.ts";
import { readMessageFile } from "./msg/msg.ts";
import { writeMail, writeMailbox, writeText } from "./write-mail.ts";

/** Reads a mail as it is sent: .eml. */
export async function readEml(
  content: Uint8Array,
  bounds: DocumentBounds,
): Promise<ReadDocument | UnreadDocument> {
  const mail = await readMime(content);
  return mail === undefined
    ? { unreadable: "is damaged: it has no header of a mail" }
    : writeMail(mail, bounds);
}

/** Reads a mail as Outlook saves it: .msg. */
export async function readMsg(
  content: Uint8Array,
  bounds: DocumentBounds,
): Promise<ReadDocument | UnreadDocument> {
  const mail = await readMessageFile(content, bounds);
  return "unreadable" in mail ? mail : writeMail(mail, bounds);
}

/** Reads a mailbox, as programs for mail keep and export it: .mbox. */
export async function readMbox(
  content: Uint8Array,
  bounds: DocumentBounds,
): Promise<ReadDocument | UnreadDocument> {
  const mailbox = await readMailbox(content);
  return mailbox.mails.length === 0 ? { unreadable: "holds no mails" } : writeMailbox(mailbox, bounds);
}

/** The words of a page that a program saved as a mail to itself: .mht. */
export async function readWebArchive(content: Uint8Array, bounds: DocumentBounds): Promise<string> {
  const mail = await readMime(content);
  return mail === undefined ? "" : writeText(mail, bounds);
}
