import { htmlToText } from "../../markdown/html-text.ts";
import { asList, asRecord, asText } from "../../text/json.ts";

/** What the front matter of a home page says, as Markdown: its names, its buttons, and what it praises. */
export function writeHero(data: Readonly<Record<string, unknown>>): string {
  const hero = asRecord(data["hero"]);
  const names = ["name", "title", "text"].map((each) => wordsOf(hero[each]));
  const heading = names.filter((each) => each !== "").join(" ");
  const actions = asList(hero["actions"]).flatMap((each) => linkIn(asRecord(each), "text"));
  const features = asList(data["features"]).map((each) => featureOf(asRecord(each)));
  const parts = [heading && `**${heading}**`, wordsOf(hero["tagline"]), actions.join(" · "), ...features];
  return parts.flatMap((part) => (part === "" ? [] : [`${part}\n\n`])).join("");
}

function featureOf(feature: Readonly<Record<string, unknown>>): string {
  const title = wordsOf(feature["title"]);
  const details = wordsOf(feature["details"]);
  const more = linkIn(feature, "linkText", title);
  const words = [title && `**${title}**`, details].filter((part) => part !== "").join(": ");
  return [words, ...more].join(" ");
}

function linkIn(record: Readonly<Record<string, unknown>>, textName: string, usual = ""): string[] {
  const link = asText(record["link"]);
  const text = wordsOf(record[textName]) || usual;
  if (text === "" || link === undefined) return [];
  return /^[^\s()<>]+$/.test(link) ? [`[${text.replace(/[[\]]/g, "")}](${link})`] : [text];
}

/** Its words in one line; they may have tags. */
const wordsOf = (value: unknown) =>
  typeof value === "string" || typeof value === "number"
    ? htmlToText(String(value)).replace(/\s+/g, " ").trim()
    : "";
