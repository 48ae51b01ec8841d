import { htmlToText } from "../../markdown/html-text.ts";
import { asList, asRecord, asText } from "../../text/json.ts";

/** What a home page says in its front matter, as Markdown; "" for any other page. */
export function writeHome(data: Readonly<Record<string, unknown>>): string {
  if (data["layout"] !== "home") return "";
  const hero = asRecord(data["hero"]);
  const [name, text, tagline] = ["name", "text", "tagline"].map((each) => wordsOf(hero[each]));
  const heading = [name, text].filter((each) => each !== "" && each !== undefined).join(" ");
  const actions = asList(hero["actions"]).flatMap((each) => linkIn(asRecord(each), "text"));
  const features = asList(data["features"]).map((each) => featureOf(asRecord(each)));
  const parts = [heading && `**${heading}**`, tagline, actions.join(" · "), ...features];
  return parts.flatMap((part) => (part ? [`${part}\n\n`] : [])).join("");
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
