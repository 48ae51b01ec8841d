/** An address that can run nothing and hides nowhere where it leads. */
export interface SafeUrl {
  url: string;
  /** Undefined where it is relative, or of a mailbox. */
  origin: string | undefined;
}

const URL_CHARACTERS_MAX = 2000;
/** Browsers drop tabs and line breaks inside an address, and read a backslash as a slash: neither belongs in one. */
const FORBIDDEN = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\\]/u;

/** A link's target as it is written, if it is safe: http, https, mailto, relative or `#anchor`. */
export function safeLink(text: string): string | undefined {
  return judge(text)?.written;
}

/** An image's address as it is written, if it is safe: https or relative. */
export function safeImage(text: string): string | undefined {
  const safe = judge(text);
  return safe && (safe.scheme ?? "https") === "https" ? safe.written : undefined;
}

/** A safe address of a bounded length, as a browser resolves it, with its origin. */
export function readUrl(text: string): SafeUrl | undefined {
  const safe = text.trim().length > URL_CHARACTERS_MAX ? undefined : judge(text);
  if (safe === undefined) return undefined;
  if (safe.absolute) return { url: safe.absolute.href, origin: safe.absolute.origin };
  const { written, scheme } = safe;
  return { url: scheme === "mailto" ? scheme + written.slice(scheme.length) : written, origin: undefined };
}

interface Judged {
  /** With its spaces encoded, and otherwise as it was. */
  written: string;
  /** In lower case; undefined where it is relative. */
  scheme: string | undefined;
  /** Of http and https. */
  absolute?: URL;
}

/** What is allowed, for server and browser alike. A name before an `@` can pass for the host that a reader trusts. */
function judge(text: string): Judged | undefined {
  const written = text.trim().replaceAll(" ", "%20");
  if (written === "" || FORBIDDEN.test(written)) return undefined;
  const scheme = /^([^/?#]*?):/.exec(written)?.[1]?.toLowerCase();
  if (scheme === undefined) return written.startsWith("//") ? undefined : { written, scheme };
  if (scheme === "mailto") return { written, scheme };
  const absolute = /^https?:\/\/[^/]/i.test(written) ? URL.parse(written) : null;
  return absolute === null || absolute.username + absolute.password !== ""
    ? undefined
    : { written, scheme, absolute };
}
