/*
 * Languages are named as BCP 47 has it: `de`, `de-CH`, `zh-Hant`. A browser names one with its country (`en-US`), docs
 * mostly without (`en`); `zh-TW` and `zh-Hant` are one language to their readers.
 */

/** A language's tag as it is compared: `en_US` is `en-us`. */
export const languageKey = (tag: string): string => tag.trim().replaceAll("_", "-").toLowerCase();

/** The keys of what a reader of a language reads as well: it without a country, and in the script that it is written in. */
export function languagesFor(asked: string): string[] {
  const key = languageKey(asked);
  const [primary = ""] = key.split("-", 1);
  const { script, region } = likely(key);
  const wider = key.split("-").map((_, index, parts) => parts.slice(0, index + 1).join("-"));
  const alike = [script && `${primary}-${script}`, region && `${primary}-${region}`];
  return [...new Set([key, ...wider, ...alike.filter((each) => each !== undefined)])];
}

/** Whether a page of a language is for who asks for one: each is, where neither says. */
export function isInLanguage(own: string, asked: string | undefined): boolean {
  if (asked === undefined || asked === "" || own === "" || own === asked) return true;
  const [ownKey, askedKey] = [languageKey(own), languageKey(asked)];
  // Most are told apart by this, and it costs nothing.
  if (ownKey.split("-", 1)[0] !== askedKey.split("-", 1)[0]) return false;
  return ownKey.startsWith(`${askedKey}-`) || languagesFor(asked).includes(ownKey);
}

/** Nothing is known of a tag that is none: a site may call its languages what it likes. */
function likely(key: string): { script?: string | undefined; region?: string | undefined } {
  try {
    const { script, region } = new Intl.Locale(key).maximize();
    return { script: script?.toLowerCase(), region: region?.toLowerCase() };
  } catch {
    return {};
  }
}
