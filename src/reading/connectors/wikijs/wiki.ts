import { decodePercent } from "@docent/kernel/text/decode-percent";
import { z } from "zod";

/** What a wiki says of its languages. */
export const LOCALIZATION = z.object({
  localization: z.object({
    config: z.object({ locale: z.string().default("en"), namespacing: z.boolean().default(false) }),
  }),
});

/** A page's place in the wiki. */
export interface PagePlace {
  locale: string;
  /** "guides/install"; "home" for the first page. */
  path: string;
}

export interface Wiki {
  /** Where people reach it, without a slash at its end. */
  url: string;
  /** Whether addresses name the language. */
  isNamespaced: boolean;
  addressOf(place: PagePlace): string;
  /** What an address names, if it is one of the wiki. */
  placeIn(address: string): (PagePlace & { isLocaleNamed: boolean }) | undefined;
}

const LOCALE = /^[a-z]{2}(?:-[a-z]{2})?$/i;

export function createWiki(
  { localization: { config } }: z.infer<typeof LOCALIZATION>,
  { url, base }: { url: string; base: string },
): Wiki {
  const { locale: own, namespacing: isNamespaced } = config;
  return {
    url,
    isNamespaced,
    addressOf({ locale, path }) {
      const written = path.split("/").map(encodeURIComponent).join("/");
      if (isNamespaced || locale !== own) return `${url}/${encodeURIComponent(locale)}/${written}`;
      return path === "home" ? `${url}/` : `${url}/${written}`;
    },
    placeIn(address) {
      const parsed = URL.parse(address);
      if (parsed === null || ![url, base].includes(parsed.origin)) return undefined;
      const parts = parsed.pathname.split("/").filter((part) => part !== "");
      // "/e/…" edits a page, "/h/…" tells its history.
      if (parts[0]?.length === 1) parts.shift();
      const isLocaleNamed = LOCALE.test(parts[0] ?? "");
      const locale = isLocaleNamed ? (parts.shift() ?? own) : own;
      return { locale, isLocaleNamed, path: parts.map(decodePercent).join("/") || "home" };
    },
  };
}
