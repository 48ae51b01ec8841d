import { writeTab } from "../../markdown/callouts.ts";
import { calloutKind, writeCallout } from "../writing/writing.ts";

interface WrittenTag {
  name: string;
  attributes: Readonly<Record<string, string>>;
  /** What it holds, written. */
  body: string;
  isNested: boolean;
}

/** Tags that hold what is between them and their end, some of them only where they have one. */
const HOLDING =
  /^(?:raw|if|for|block|macro|hint|tabs?|code|content-ref|embed|file|swagger(?:-[a-z]+)?|openapi(?:-[a-z]+)?|stepper|step|columns?|updates?|prompt|api-[a-z-]+|method|sample|reusable|accordion)$/;

export const holds = (name: string) => HOLDING.test(name);

/** Groups of others, which show nothing of their own. */
const WRAPPERS =
  /^(?:tabs|stepper|step|columns?|updates|prompt|reusable|method|swagger-description|openapi|openapi-schemas|api-method-(?:description|spec|request|response)|api-method-(?:response-examples?|path-parameters|query-parameters|body-parameters|form-data-parameters|headers))$/;

export function attributesOf(words: string): Readonly<Record<string, string>> {
  const given: Record<string, string> = Object.create(null);
  for (const [, name = "", double, single, bare] of words.matchAll(
    /([\w-]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"']+))/g,
  ))
    if (name !== "__proto__") given[name] = double ?? single ?? bare ?? "";
  return given;
}

/** A tag of GitBook's as Markdown; undefined for one that is not known. */
export function writeTag(tag: WrittenTag): string | undefined {
  const { name, attributes, body, isNested } = tag;
  const words = (key: string) => (attributes[key] ?? "").replace(/\s+/g, " ").trim();
  const text = body.trim();
  if (name === "openapi" && words("path") !== "")
    return labelled(`${words("method").toUpperCase()} ${words("path")}`, "");
  if (WRAPPERS.test(name)) return `\n${text}\n`;
  switch (name) {
    case "hint":
      return `\n${writeCallout({ kind: calloutKind(words("style")) ?? "note", body: text }, { isNested })}\n`;
    case "tab":
      return `\n${writeTab(words("title"), [text], { isNested }).join("\n\n")}\n`;
    case "code":
    case "accordion":
      return labelled(words("title"), text);
    case "update":
      return labelled(words("date"), text);
    case "content-ref":
      return `\n${text === "" ? linkTo(words("url")) : text}\n`;
    case "embed":
    case "file":
      return `\n${linkTo(words("url") || words("src"), (text || words("caption")).replace(/(?<!\s)\s*\n\s*/g, " "))}\n`;
    case "swagger":
      return operation(tag, words);
    case "swagger-parameter":
    case "api-method-parameter":
      return parameter(text, words, isNested);
    case "swagger-response":
    case "api-method-response-example":
      return labelled(
        [words("status") || words("httpCode"), words("description")].filter(Boolean).join(" "),
        text,
      );
    case "api-method":
      return `\n${code(`${words("method").toUpperCase()} ${words("host")}${words("path")}`)}\n\n${text}\n`;
    case "api-method-summary":
      return text === "" ? "" : `\n**${text}**\n`;
    case "page-ref":
      return `\n${linkTo(words("page"))}\n`;
    default:
      // What a plugin shows of another address is a link to it.
      return name.startsWith("@") && words("url") !== "" ? `\n${linkTo(words("url"))}\n` : undefined;
  }
}

const labelled = (label: string, text: string) =>
  label === "" ? `\n${text}\n` : `\n**${label}**\n\n${text}\n`;

const code = (words: string) => `\`${words.replaceAll("`", "").trim()}\``;

function linkTo(url: string, words = ""): string {
  const label = words === "" ? (url.replace(/\/+$/, "").split("/").at(-1) ?? url) : words;
  if (url === "" || label.includes("](")) return label;
  return `[${label.replace(/[[\]]/g, "")}](${/[\s()<>]/.test(url) ? `<${url.replace(/[<>]/g, "")}>` : url})`;
}

function operation({ body }: WrittenTag, words: (key: string) => string): string {
  const call = code(`${words("method").toUpperCase()} ${words("baseUrl")}${words("path")}`);
  return `${labelled(words("summary"), call)}\n${body.trim()}\n`;
}

function parameter(text: string, words: (key: string) => string, isNested: boolean): string {
  const facts = [words("in"), words("type"), words("required") === "true" ? "required" : ""];
  const known = facts.filter((each) => each !== "").join(", ");
  const said = text.replace(/(?<!\s)\s*\n\s*/g, " ");
  const line = `- ${code(words("name"))}${known === "" ? "" : ` (${known})`}${said === "" ? "" : `: ${said}`}`;
  return isNested ? line : `\n${line}\n`;
}
