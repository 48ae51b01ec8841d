import type { DocumentBounds, ReadDocument, UnreadDocument } from "../document.ts";
import { readMime } from "./mime/mime.ts";
import { readMessageFile } from "./msg/msg.ts";
import { writeMail } from "./write-mail.ts";

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
