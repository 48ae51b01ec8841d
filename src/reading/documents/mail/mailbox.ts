import type { Mail } from "./message.ts";
import { readMime } from "./mime/mime.ts";

const MESSAGES_MAX = 10_000;

/** What a mailbox holds, in its order. */
export interface Mailbox {
  mails: Mail[];
  /** What of it is not read. */
  faults: string[];
}

/** Reads a mailbox: one mail after the other, each below a line of `From `. */
export async function readMailbox(content: Uint8Array): Promise<Mailbox> {
  const text = Buffer.from(content.buffer, content.byteOffset, content.byteLength).toString("latin1");
  const starts = [...text.matchAll(/(?<=^|\n\r?\n)From [^\r\n]{1,500}\r?\n/g)].map(({ index }) => index);
  const mails: Mail[] = [];
  const faults: string[] = [];
  let unreadable = 0;
  for (const [at, start] of starts.slice(0, MESSAGES_MAX).entries()) {
    // A line of the text that would look like the beginning of a mail has a mark before it.
    const message = text.slice(start, starts[at + 1]).replace(/^>(?=>{0,20}From )/gm, "");
    const mail = await readMime(Uint8Array.from(Buffer.from(message, "latin1")));
    if (mail === undefined) unreadable += 1;
    else mails.push({ ...mail, subject: mail.subject ?? "Mail without a subject" });
  }
  if (unreadable > 0)
    faults.push(`holds ${unreadable === 1 ? "a mail" : `${unreadable} mails`} without a header, not read`);
  if (starts.length > MESSAGES_MAX)
    faults.push(`holds ${starts.length} mails, of which the first ${MESSAGES_MAX} are read`);
  return { mails, faults };
}
