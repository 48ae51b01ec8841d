/** A URL that cannot run code and does not disguise where it leads. */
export interface SafeUrl {
  url: string;
  /** Undefined for a relative or mailto address. */
  origin: string | undefined;
}

const URL_CHARACTERS_MAX = 2000;
/**
 * Browsers drop tabs and line breaks inside a URL, and read a backslash as a slash: neither belongs there.
 */
const FORBIDDEN = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\\]/u;

/** A link's target as written, if it is safe: http, https, mailto, relative or `#anchor`. */
export function safeLink(text: string): string | undefined {
  return judge(text)?.written;
}

/** An image's address as written, if it is safe: https or relative. */
export function safeImage(text: string): string | undefined {
  const safe = judge(text);
  return safe && (safe.scheme ?? "https") === "https" ? safe.written : undefined;
}

/** A safe URL of bounded length, resolved as a browser does, with its origin. */
export function readUrl(text: string): SafeUrl | undefined {
  const safe = text.trim().length > URL_CHARACTERS_MAX ? undefined : judge(text);
  if (safe === undefined) return undefined;
  if (safe.absolute) return { url: safe.absolute.href, origin: safe.absolute.origin };
  const { written, scheme } = safe;
  return { url: scheme === "mailto" ? scheme + written.slice(scheme.length) : written, origin: undefined };
}

interface Judged {
  /** As written, with spaces encoded. */
  written: string;
  /** In lower case; undefined for a relative address. */
  scheme: string | undefined;
  /** Present for http and https. */
  absolute?: URL;
}

/**
 * Decides what is allowed, for server and browser alike. A name before an `@` can pass for the host that a
 * reader trusts.
 */
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

const HERE = "http://here.invalid";
/** A slash, a backslash or a control character, written in percent. */
const HIDDEN = /^\/%(?:2f|5c|[01][0-9a-f]|7f)/i;

/**
 * A path of this server with its query, whatever was asked for; undefined for anything that a browser could read as an
 * address elsewhere.
 */
export function ownPath(asked: string): string | undefined {
  // Browsers read a backslash as a slash, and leave out tabs and line ends: none of them is in a path that is ours.
  if (!asked.startsWith("/") || asked.startsWith("//") || /[\\\p{Cc}]/u.test(asked)) return undefined;
  if (HIDDEN.test(asked)) return undefined;
  const url = URL.parse(asked, HERE);
  if (url === null || url.origin !== HERE || url.pathname.startsWith("//")) return undefined;
  return url.pathname + url.search;
}
