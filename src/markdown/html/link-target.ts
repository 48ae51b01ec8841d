import { safeLink } from "../../text/safe-url.ts";

/** A link's target as written, where it leads to something that can be read; undefined for scripts, data and nothing. */
export function linkTarget(href: string | undefined): string | undefined {
  const written = href?.trim().replace(/[\t\n\r]/g, "");
  if (written === undefined || written === "" || written === "#") return undefined;
  return safeLink(written.startsWith("//") ? `https:${written}` : written);
}

/** Reads targets as the page means them: a `<base>` moves every relative one, but not those inside the page. */
export function createTargetReader(
  base: string | undefined,
  url: string | undefined,
): (href: string) => string {
  if (base === undefined) return (href) => href;
  const start = URL.parse(base, url ?? NOWHERE);
  return (href) => {
    if (start === null || href.startsWith("#")) return href;
    const target = URL.parse(href, start);
    if (target === null) return href;
    return target.origin === new URL(NOWHERE).origin
      ? target.pathname + target.search + target.hash
      : target.href;
  };
}

const NOWHERE = "http://nowhere.invalid/";
