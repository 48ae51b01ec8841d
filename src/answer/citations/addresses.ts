import { decodeEntities } from "../../markdown/html-text.ts";

/** The beginnings of addresses: text that may become one of these waits until more has come. */
export const ADDRESS_STARTS = ["http://", "https://", "ftp://", "www."];
export const ADDRESS_START_CHARACTERS = Math.max(...ADDRESS_STARTS.map(({ length }) => length));

/** What may stand in an address; a bar would end the cell of a table, and the code that holds the address with it. */
const IN_ADDRESS = '[^\\s<>"`|\\\\[\\]【】、。，；：！？）」』]';
const ADDRESS = new RegExp(`^(?:(?:https?|ftp)://(?:\\[[0-9a-f:.%]*\\])?|www\\.)${IN_ADDRESS}*`, "i");
/** An address of the page's own scheme, as some clients know it. */
const SCHEMELESS = new RegExp(`^//${IN_ADDRESS}*`);
const SCHEMELESS_HOST = /^\/\/(?:localhost|\S*\.\S)/i;
const SCHEME_AT_END = /(?:https?|ftp|mailto|xmpp)$/i;
const NAME_CHARACTERS_MAX = 80;
/** The last character of what clients take for a mailbox's name. */
const LOCAL_PART_AT_END = /[^\s()<>[\]\\@`\u0080-\uffff]$/;
/** The local part of an e-mail address with nothing before it that a client could take for more of it. */
const MAILBOX_AT_END = /(?:^|[\s(<*_]|mailto:)([\w.+-]*[a-z0-9][\w.+-]*)$/i;
const MAILBOX = /[\w.+-]{0,63}[a-z0-9]@[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63})+/gi;
const BEHIND_MAILBOX = /^[.,;:!?'"_*)\]>]{0,7}(?:$|[ \t\n。，；：！？、）])/;
const MAIL_HOST = /^@[\p{L}\p{N}\p{M}._-]*/u;
const ENTITY = /^&(?:#\d{1,7}|#x[0-9a-f]{1,6}|[a-z][a-z0-9]{1,31});/i;
const MAY_BE_ENTITY = /^&(?:#?|#\d{1,7}|#x[0-9a-f]{0,6}|[a-z][a-z0-9]{0,31})$/i;

/** The address that a text begins with. */
export function addressAt(text: string): string | undefined {
  return ADDRESS.exec(text)?.[0];
}

/**
 * Text that may be an address without a scheme (`//host.example/path`): whether it is one depends on its whole host.
 */
export function schemelessAt(text: string): { written: string; isAddress: boolean } {
  const written = SCHEMELESS.exec(text)?.[0] ?? "";
  return { written, isAddress: SCHEMELESS_HOST.test(text) };
}

/** Whether a mark makes the beginning of an address of the line before it. */
export function completesAddress(line: string, mark: string): boolean {
  if (mark === ":") return SCHEME_AT_END.test(line);
  if (mark === "/") return /(?:https?|ftp):\/?$/i.test(line);
  return mark === "." && /www$/i.test(line);
}

/** The host of an e-mail address, from its @ on, where what was said ends in a mailbox's name. */
export function mailHostAt(line: string, text: string): { written: string; isHost: boolean } | undefined {
  if (!LOCAL_PART_AT_END.test(line)) return undefined;
  const written = MAIL_HOST.exec(text)?.[0].replace(/[._-]+$/, "") ?? "@";
  // An escape, an entity, or what is taken out may stand before the point that is missing.
  const goesOn = /^[\\&[!<【]/.test(text.slice(written.length));
  const hasPoint = /^\S*\.\S/.test(text);
  return { written, isHost: hasPoint || goesOn || /mailto:\S*$/i.test(line.slice(-NAME_CHARACTERS_MAX)) };
}

/**
 * The e-mail address that what was said and a host make, in small letters. Undefined where a client may read more into
 * it, by what stands before or behind it.
 */
export function mailboxAt(line: string, host: string, behind: string): string | undefined {
  const name = MAILBOX_AT_END.exec(line.slice(-NAME_CHARACTERS_MAX))?.[1];
  return name === undefined || !BEHIND_MAILBOX.test(behind) ? undefined : (name + host).toLowerCase();
}

/** All e-mail addresses in a text, in small letters. */
export function mailboxesIn(text: string): string[] {
  return text.includes("@") ? [...text.matchAll(MAILBOX)].map(([found]) => found.toLowerCase()) : [];
}

/** The entity that a text begins with, and its character; "undecided" while it may become one. */
export function entityAt(text: string): { written: string; character: string } | "undecided" | undefined {
  const written = ENTITY.exec(text)?.[0];
  if (written !== undefined) return { written, character: decodeEntities(written) };
  return MAY_BE_ENTITY.test(text) ? "undecided" : undefined;
}

/**
 * Whether a character may stand in an address: written as an entity it would hide the address from us, and not from
 * every client.
 */
export function isOfAddresses(character: string): boolean {
  return /^[\w.@:/+-]$/.test(character);
}
