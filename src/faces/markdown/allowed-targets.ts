import { readUrl, type SafeUrl } from "@docent/kernel/text/safe-url";
import type { MarkdownOptions } from "./markdown.ts";
import type { Attributes } from "./nodes.ts";

/** Decides where links may lead and what images may be loaded. */
export interface Targets {
  /** The attributes of a link; undefined where it must not be one. */
  link(href: string): Attributes | undefined;
  /** The address of an image; undefined where it must not be loaded. */
  image(src: string): string | undefined;
}

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
