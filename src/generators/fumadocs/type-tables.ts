import { expressionEnd } from "../../markdown/mdx/mdx.ts";
import { asRecord, asText } from "../../text/json.ts";
import { isComputed, readScript } from "../config/config.ts";

const TABLE = /<TypeTable\s+type=(?=\{)/g;
const TABLES_MAX = 500;
/** Tables that a program makes of types in TypeScript. */
const AUTOMATIC = /<(?:auto-type-table|AutoTypeTable)\b[^>]{0,1000}?\/>/g;

/** `<TypeTable>` as the fields that it lists. What a program would make of TypeScript is a fault of the page. */
export async function writeTypeTables(mdx: string, faults: string[]): Promise<string> {
  const automatic = mdx.match(AUTOMATIC) ?? [];
  if (automatic.length > 0)
    faults.push(`${automatic.length} of its tables are made from TypeScript, which is not done here`);
  const plain = mdx.replace(AUTOMATIC, "");
  const parts: string[] = [];
  const budget = { left: plain.length * 4 + 10_000 };
  let from = 0;
  for (const found of [...plain.matchAll(TABLE)].slice(0, TABLES_MAX)) {
    const start = found.index + found[0].length;
    const end = found.index < from ? undefined : expressionEnd(plain, start, budget);
    const closing = end === undefined ? null : /^\s*\/>/.exec(plain.slice(end, end + 100));
    if (end === undefined || closing === null) continue;
    parts.push(plain.slice(from, found.index), await fieldsIn(plain.slice(start + 1, end - 1)));
    from = end + closing[0].length;
  }
  return [...parts, plain.slice(from)].join("");
}

async function fieldsIn(literal: string): Promise<string> {
  const { value } = await readScript(`export default ${literal};`, async () => undefined);
  const fields = Object.entries(asRecord(value)).map(([name, said]) => fieldOf(name, asRecord(said)));
  return `\n\n${fields.join("\n\n")}\n\n`;
}

function fieldOf(name: string, said: Readonly<Record<string, unknown>>): string {
  const code = (value: unknown) => {
    const text = isComputed(value)
      ? value.source
      : ["number", "boolean"].includes(typeof value)
        ? `${value}`
        : asText(value);
    return text === undefined || text.trim() === ""
      ? ""
      : `\`${text.replaceAll("`", "").replace(/\s+/g, " ")}\``;
  };
  const facts = [
    code(said["type"]),
    said["required"] === true ? "required" : "",
    said["deprecated"] === true ? "deprecated" : "",
    code(said["default"]) && `default: ${code(said["default"])}`,
  ].filter((fact) => fact !== "");
  const description = asText(said["description"])?.replace(/\s+/g, " ").trim() ?? "";
  return [[`**${code(name)}**`, ...facts].join(", "), description].filter((part) => part !== "").join("\n\n");
}
