import { isRecord, jsonIn } from "@docent/kernel/text/json";
import { fenceMarks } from "@docent/kernel/text/markdown-lines";
import { codeFence } from "@docent/kernel/text/write-markdown";
import { languageOf } from "./files.ts";
import type { Shortcode } from "./scan.ts";
import { argumentOf, labelled, type ShortcodeContext, type Written, withoutOuterLines } from "./writing.ts";

/** What is inside of a shortcode as code, of the language that it says or that it is data of. */
export async function writeCode(shortcode: Shortcode, context: ShortcodeContext): Promise<Written> {
  const text = withoutOuterLines(await context.code(shortcode));
  return fenced(shortcode, text, saidLanguage(shortcode) ?? dataLanguage(text) ?? "");
}

/** The same where a shortcode is not known; undefined where nothing says that it holds code, or there are others in it. */
export async function innerAsCode(
  shortcode: Shortcode,
  context: ShortcodeContext,
): Promise<Written | undefined> {
  if (!shortcode.inner?.every(({ kind }) => kind === "text")) return undefined;
  const text = withoutOuterLines(await context.code(shortcode));
  if (text === "" || fenceMarks(text.trimStart()) !== "") return undefined;
  const language = saidLanguage(shortcode) ?? dataLanguage(text);
  return language === undefined ? undefined : fenced(shortcode, text, language);
}

function fenced(shortcode: Shortcode, text: string, language: string): Written {
  const label = argumentOf(shortcode, ["title", "caption", "file", "filename"]) ?? "";
  return { block: labelled(label, codeFence(text, language)) };
}

function saidLanguage(shortcode: Shortcode): string | undefined {
  const said = argumentOf(shortcode, ["lang", "language", "codelang", "syntax"]);
  if (said !== undefined) return said;
  const file = argumentOf(shortcode, ["file", "filename"]) ?? "";
  return /\.\w{1,8}$/.test(file) ? languageOf(file) : undefined;
}

const CHARACTERS_MAX = 100_000;
const TOML_LINE = /^(?:\[{1,2}[\w.'"-]+\]{1,2}|["']?[\w.-]+["']?\s*=)/;

/** The notation of text that is data as configurations have it; undefined for any other, prose with a colon included. */
function dataLanguage(text: string): "json" | "toml" | "yaml" | undefined {
  if (text.length > CHARACTERS_MAX) return undefined;
  const [, fence, between] = /^(---|\+\+\+)\n([\s\S]*)\n\1$/.exec(text) ?? [];
  const data = between ?? text;
  const first = data.split("\n").find((line) => line.trim() !== "" && !/^\s*#/.test(line)) ?? "";
  if (/^\s*[[{]/.test(first) && isData(jsonIn(data))) return "json";
  if (fence !== "---" && TOML_LINE.test(first) && isData(parsed(Bun.TOML.parse, data))) return "toml";
  const yaml = fence === "+++" || !/:(?:\s|$)/.test(first) ? undefined : parsed(Bun.YAML.parse, data);
  return isData(yaml) && recordsIn(yaml).every(isNamedAsData) ? "yaml" : undefined;
}

function parsed(parse: (text: string) => unknown, text: string): unknown {
  try {
    return parse(text);
  } catch {
    return undefined;
  }
}

const recordsIn = (value: unknown): unknown[] => (Array.isArray(value) ? value : [value]);

/** Names with values, or a list of such. */
const isData = (value: unknown) =>
  recordsIn(value).length > 0 &&
  recordsIn(value).every((each) => isRecord(each) && Object.keys(each).length > 0);

/** Words before a colon begin with a capital where a person reads them, and a name in a configuration seldom does. */
const isNamedAsData = (record: unknown) =>
  isRecord(record) &&
  Object.entries(record).every(
    ([name, value]) => isRecord(value) || /^(?:[a-z_$][^\s]*|[A-Z][A-Z0-9_]*)$/.test(name),
  );
