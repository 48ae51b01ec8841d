import { decodeEntities } from "@docent/reading/markdown/html-text";

/** The beginnings of addresses: text that may become one of these waits until more has come. */
export const ADDRESS_STARTS = ["http://", "https://", "ftp://", "www."];
export const ADDRESS_START_CHARACTERS = Math.max(...ADDRESS_STARTS.map(({ length }) => length));

/** Characters of addresses. A bar would end the table cell, and with it the code that shows the address. */
const IN_ADDRESS = '[^\\s<>"`|\\\\[\\]【】、。，；：！？）」』]';
const ADDRESS = new RegExp(`^(?:(?:https?|ftp)://(?:\\[[0-9a-f:.%]*\\])?|www\\.)${IN_ADDRESS}*`, "i");
/** A protocol-relative address, which some clients recognize. */
const SCHEMELESS = new RegExp(`^//${IN_ADDRESS}*`);
const SCHEMELESS_HOST = /^\/\/(?:localhost|\S*\.\S)/i;
const SCHEME_AT_END = /(?:https?|ftp|mailto|xmpp)$/i;
const NAME_CHARACTERS_MAX = 80;
/** The last character of what clients take for a mailbox's name. */
const LOCAL_PART_AT_END = /[^\s()<>[\]\\@`\u0080-\uffff]$/;
/** The local part of an e-mail address, with nothing before it that a client could count as part of it. */
const MAILBOX_AT_END = /(?:^|[\s(<*_]|mailto:)([\w.+-]*[a-z0-9][\w.+-]*)$/i;
const MAILBOX = /[\w.+-]{0,63}[a-z0-9]@[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63})+/gi;
const AFTER_MAILBOX = /^[.,;:!?'"_*)\]>]{0,7}(?:$|[ \t\n。，；：！？、）])/;
const MAIL_HOST = /^@[\p{L}\p{N}\p{M}._-]*/u;
const ENTITY = /^&(?:#\d{1,7}|#x[0-9a-f]{1,6}|[a-z][a-z0-9]{1,31});/i;
const MAY_BE_ENTITY = /^&(?:#?|#\d{1,7}|#x[0-9a-f]{0,6}|[a-z][a-z0-9]{0,31})$/i;

/** The address at the start of a text. */
export function addressAt(text: string): string | undefined {
  return ADDRESS.exec(text)?.[0];
}

/** Text that may be a protocol-relative address (`//host.example/path`): its whole host decides. */
export function schemelessAt(text: string): { written: string; isAddress: boolean } {
  const written = SCHEMELESS.exec(text)?.[0] ?? "";
  return { written, isAddress: SCHEMELESS_HOST.test(text) };
}

/** Whether a mark completes the beginning of an address at the end of a line. */
export function completesAddress(line: string, mark: string): boolean {
  if (mark === ":") return SCHEME_AT_END.test(line);
  if (mark === "/") return /(?:https?|ftp):\/?$/i.test(line);
  return mark === "." && /www$/i.test(line);
}

/** The host of an e-mail address, from its @ on, where the line ends in a mailbox's name. */
export function mailHostAt(line: string, text: string): { written: string; isHost: boolean } | undefined {
  if (!LOCAL_PART_AT_END.test(line)) return undefined;
  const written = MAIL_HOST.exec(text)?.[0].replace(/(?<![._-])[._-]+$/, "") ?? "@";
  // An escape, an entity or something removed may precede the missing point.
  const goesOn = /^[\\&[!<【]/.test(text.slice(written.length));
  const hasPoint = /^\S*\.\S/.test(text);
  return { written, isHost: hasPoint || goesOn || /mailto:\S*$/i.test(line.slice(-NAME_CHARACTERS_MAX)) };
}

/**
 * The e-mail address made of what was written and a host, in lower case. Undefined where a client may read
 * more into it, because of what stands before or after it.
 */
export function mailboxAt(line: string, host: string, behind: string): string | undefined {
  const name = MAILBOX_AT_END.exec(line.slice(-NAME_CHARACTERS_MAX))?.[1];
  return name === undefined || !AFTER_MAILBOX.test(behind) ? undefined : (name + host).toLowerCase();
}

/** All e-mail addresses in a text, in lower case. */
export function mailboxesIn(text: string): string[] {
  return text.includes("@") ? [...text.matchAll(MAILBOX)].map(([found]) => found.toLowerCase()) : [];
}

/** The entity at the start of a text, with its character; "undecided" while it may still become one. */
export function entityAt(text: string): { written: string; character: string } | "undecided" | undefined {
  const written = ENTITY.exec(text)?.[0];
  if (written !== undefined) return { written, character: decodeEntities(written) };
  return MAY_BE_ENTITY.test(text) ? "undecided" : undefined;
}

/**
 * Whether a character may be part of an address: an entity for it would hide the address from us, but not
 * from every client.
 */
export function isAddressCharacter(character: string): boolean {
  return /^[\w.@:/+-]$/.test(character);
}
