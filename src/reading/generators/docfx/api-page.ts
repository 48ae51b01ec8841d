import { replaceEnclosed } from "@docent/kernel/text/code-spans";
import { decodePercent } from "@docent/kernel/text/decode-percent";
import { asList, asRecord, asText } from "@docent/kernel/text/json";
import { htmlToText } from "../../markdown/html-text.ts";
import { writeCode } from "../writing/writing.ts";

/** A page of an API's reference, as its YAML holds it. */
export interface ApiPage {
  title: string;
  markdown: string;
  names: { uid: string; anchor: string; name: string }[];
}

const ITEMS_MAX = 5_000;

/** Reads what `docfx metadata` has made of code; undefined for YAML of another kind. */
export function readApiPage(text: string): ApiPage | undefined {
  if (!/^\uFEFF?#+\s*YamlMime:\s*ManagedReference/.test(text)) return undefined;
  let value: unknown;
  try {
    value = Bun.YAML.parse(text);
  } catch {
    return undefined;
  }
  const items = asList(asRecord(value)["items"]).slice(0, ITEMS_MAX).map(asRecord);
  const [main, ...members] = items;
  if (main === undefined) return undefined;
  const name = asText(main["name"]) ?? asText(main["uid"]) ?? "";
  const title = [asText(main["type"]), name].filter((word) => word !== undefined).join(" ");
  const names = items.flatMap((item, index) => {
    const uid = asText(item["uid"]);
    const own = asText(item["name"]) ?? uid ?? "";
    return uid === undefined ? [] : [{ uid, anchor: index === 0 ? "" : idOf(uid), name: own }];
  });
  const parts = [`# ${plain(title)} {#${idOf(asText(main["uid"]) ?? name)}}`, ...describe(main)];
  for (const member of members) {
    const uid = asText(member["uid"]) ?? "";
    parts.push(`## ${plain(asText(member["name"]) ?? uid)} {#${idOf(uid)}}`, ...describe(member));
  }
  return { title, markdown: `${parts.join("\n\n")}\n`, names };
}

/** The id that the templates make of a unique name. */
const idOf = (uid: string) => uid.replace(/\W/g, "_");

function describe(item: Readonly<Record<string, unknown>>): string[] {
  const syntax = asRecord(item["syntax"]);
  const code = asText(syntax["content"]);
  const parameters = asList(syntax["parameters"]).map((each) => entryOf(asRecord(each)));
  const returned = asRecord(syntax["return"]);
  const result = asText(returned["type"]);
  const thrown = asList(item["exceptions"]).map((each) =>
    entryOf({ ...asRecord(each), id: asRecord(each)["type"] }),
  );
  return [
    words(item["summary"]),
    code === undefined ? "" : writeCode("csharp", code.split("\n")).join("\n"),
    ...(parameters.length === 0 ? [] : ["**Parameters**", parameters.join("\n")]),
    ...(result === undefined ? [] : [`**Returns** \`${nameOf(result)}\`${after(returned["description"])}`]),
    ...(thrown.length === 0 ? [] : ["**Exceptions**", thrown.join("\n")]),
    words(item["remarks"]),
    ...asList(item["example"]).map(words),
  ].filter((part) => part !== "");
}

function entryOf(entry: Readonly<Record<string, unknown>>): string {
  const type = asText(entry["type"]);
  const id = asText(entry["id"]) ?? "";
  const said = type === undefined || type === id ? "" : ` (\`${nameOf(type)}\`)`;
  return `- \`${nameOf(id)}\`${said}${after(entry["description"])}`;
}

const after = (value: unknown) => {
  const text = words(value).replace(/\s+/g, " ");
  return text === "" ? "" : `: ${text}`;
};

/** Braces stand for those of generic types. */
const nameOf = (uid: string) => uid.replaceAll("{", "<").replaceAll("}", ">").replace(/`+\d*/g, "");

const plain = (name: string) => name.replace(/[<>]/g, "\\$&");

/** Words of a comment in code, which may have tags, with what they refer to by its name. */
function words(value: unknown): string {
  const text = typeof value === "string" ? value : "";
  const named = text.replace(
    /<xref\s[^<>]{0,300}?href="([^"]{1,500})"[^<>]{0,300}>(?:<\/xref>)?/g,
    (_, uid: string) =>
      `<code>${nameOf(decodePercent(uid.split("?", 1)[0] ?? "")).replaceAll("<", "&lt;")}</code>`,
  );
  const marked = replaceEnclosed(
    named,
    /<pre><code[^<>]*>/,
    () => "</code></pre>",
    ({ inside }) => `\n${writeCode("csharp", htmlToText(inside).trim().split("\n")).join("\n")}\n`,
  )
    .replace(/<code>([^`\n]*?)<\/code>/g, (_, code: string) => `\`${htmlToText(code)}\``)
    .replace(/<\/?(?:p|para|see|br)\b[^<>]{0,200}>/g, "\n");
  return marked.replace(/\n{3,}/g, "\n\n").trim();
}
