import type { Attributes } from "./nodes.ts";
import type { MarkdownOptions } from "./options.ts";

/** Decides where links may lead and what images may be loaded. */
export interface Targets {
  /** The attributes of a link; undefined where it must not be one. */
  link(href: string): Attributes | undefined;
  /** The address of an image; undefined where it must not be loaded. */
  image(src: string): string | undefined;
}

/** An address that can run nothing. */
interface SafeUrl {
  url: string;
  /** Undefined where it is relative, or of a mailbox. */
  origin: string | undefined;
}

const URL_CHARACTERS_MAX = 2000;
/** Browsers drop tabs and line breaks inside an address, and read a backslash as a slash: neither belongs in one. */
const FORBIDDEN = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\\]/u;

/** Targets as the options allow them. */
export function createTargets(options: MarkdownOptions): Targets {
  const {
    ownOrigins = [location.origin],
    externalTarget = "_blank",
    imageOrigins = [],
    resolveLink,
  } = options;

  function resolve(address: string): SafeUrl | undefined {
    const safe = readUrl(address);
    if (safe === undefined || resolveLink === undefined) return safe;
    const resolved = resolveLink(safe.url);
    return resolved === undefined ? undefined : readUrl(resolved);
  }

  return {
    link(href) {
      const safe = resolve(href);
      if (safe === undefined) return undefined;
      if (safe.origin === undefined || ownOrigins.includes(safe.origin)) return { href: safe.url };
      return { href: safe.url, rel: "noopener noreferrer", target: externalTarget };
    },
    image(src) {
      const safe = resolve(src);
      if (safe === undefined || safe.url.startsWith("mailto:")) return undefined;
      const isOwn = safe.origin === undefined || safe.origin === location.origin;
      return isOwn || imageOrigins.includes(safe.origin ?? "") ? safe.url : undefined;
    },
  };
}

/** An address of http, https or mailto, or one that is relative; undefined for every other. */
export function readUrl(text: string): SafeUrl | undefined {
  const url = text.trim();
  if (url === "" || url.length > URL_CHARACTERS_MAX || FORBIDDEN.test(url)) return undefined;
  const encoded = url.replaceAll(" ", "%20");
  const scheme = /^([^/?#]*):/.exec(encoded)?.[1]?.toLowerCase();
  if (scheme === undefined) return encoded.startsWith("//") ? undefined : { url: encoded, origin: undefined };
  if (scheme === "mailto") return { url: `mailto:${encoded.slice("mailto:".length)}`, origin: undefined };
  return /^https?:\/\/[^/]/i.test(encoded) ? readAbsolute(encoded) : undefined;
}

function readAbsolute(text: string): SafeUrl | undefined {
  try {
    const { href, origin, username, password } = new URL(text);
    return username === "" && password === "" ? { url: href, origin } : undefined;
  } catch {
    return undefined;
  }
}
