/** The languages that Docent has words of its own in. All but English and German were made by a machine. */
export const LANGUAGES = [
  "en",
  "ar",
  "cs",
  "de",
  "es",
  "fr",
  "hi",
  "id",
  "it",
  "ja",
  "ko",
  "nl",
  "pl",
  "pt-BR",
  "ru",
  "sv",
  "tr",
  "uk",
  "vi",
  "zh",
  "zh-Hant",
] as const;

export type Language = (typeof LANGUAGES)[number];

const TRADITIONAL = /[-_](?:hant|tw|hk|mo)\b/i;

/** The language of ours that is meant by a tag: `de-AT` is `de`, `zh-TW` is `zh-Hant`; undefined for one that is not here. */
export function spokenLanguage(tag: string): Language | undefined {
  const first = tag.toLowerCase().split(/[-_]/)[0] ?? "";
  const wanted = first === "zh" && TRADITIONAL.test(tag) ? "zh-Hant" : first === "pt" ? "pt-BR" : first;
  return LANGUAGES.find((language) => language === wanted);
}

const RIGHT_TO_LEFT = "ar arc ckb dv fa he iw ks nqo ps sd syr ug ur yi".split(" ");

/** Which way a language is written. */
export const directionOf = (tag: string): "ltr" | "rtl" =>
  RIGHT_TO_LEFT.includes(tag.toLowerCase().split(/[-_]/)[0] ?? "") ? "rtl" : "ltr";
