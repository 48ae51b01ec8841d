import { isCalloutName } from "../../markdown/callouts.ts";
import { folderOf, resolveLocation } from "../docs-tree.ts";
import {
  codeAt,
  type Inclusions,
  readIncluded,
  shownCode,
  type WrittenCode,
  writeCode,
} from "../writing/writing.ts";
import type { RspressSettings } from "./settings.ts";

interface Place {
  inclusions: Inclusions;
  settings: RspressSettings;
  location: string;
  faults: string[];
}

const CONTAINER = /^([ \t]*):::[ \t]*([A-Za-z]\w*)[ \t]*(?![ \t])(|.+?(?<![ \t]))[ \t]*$/;

/** A page with code from other files in it, and containers as other pages have them. */
export async function readBlocks(place: Place, markdown: string): Promise<string> {
  const lines = markdown.split("\n");
  const out: string[] = [];
  for (let at = 0; at < lines.length; ) {
    const code = codeAt(lines, at);
    if (code !== undefined) {
      out.push(...(await codeOf(place, code)));
      at += code.length;
      continue;
    }
    out.push(containerLine(lines[at] ?? ""));
    at += 1;
  }
  return out.join("\n");
}

/** `:::tip{title="x"}`, and `:::tip x`; a part that folds is a callout with its title. */
function containerLine(line: string): string {
  const [whole, indent = "", name = "", given = ""] = CONTAINER.exec(line) ?? [];
  if (whole === undefined) return line;
  const kind = name === "details" ? "note" : name;
  if (!isCalloutName(kind)) return line;
  const braced = /^\{?\s*title\s*=\s*["']?(.*?)["']?\s*\}?$/.exec(given)?.[1];
  const title = (braced ?? given).replace(/^\[|\]$/g, "").replace(/[[\]]/g, "");
  const words = title === "" && name === "details" ? "Details" : title;
  return `${indent}:::${kind}${words === "" ? "" : `[${words}]`}`;
}

/** Code with its language alone; the name of its file is written above it. */
async function codeOf(place: Place, code: WrittenCode): Promise<string[]> {
  const { info, indent } = code;
  const language = /^[\w+#.-]+/.exec(info)?.[0] ?? "";
  const title =
    /\btitle=(?:"([^"]*)"|'([^']*)'|(\S+))/
      .exec(info)
      ?.slice(1)
      .find((each) => each !== undefined) ?? "";
  const file = /(?:^|\s)file=["'`]?([^"'`\s]+)/.exec(info)?.[1];
  const lines = file === undefined ? code.lines : await linesOf(place, file);
  const shown = shownCode(language, lines);
  const written = writeCode(shown.language, shown.lines, indent);
  return title === "" ? written : [`${indent}**${title.replaceAll("*", "\\*")}**`, "", ...written];
}

/** The lines of another file: beside the page, below the folder of pages, or below the site. */
async function linesOf(
  { inclusions, settings, location, faults }: Place,
  written: string,
): Promise<string[]> {
  const place = written.startsWith("<root>/")
    ? resolveLocation(settings.root, `./${written.slice("<root>/".length)}`)
    : written.startsWith("/")
      ? resolveLocation(settings.content, `.${written}`)
      : resolveLocation(folderOf(location), written);
  const file = await readIncluded(inclusions, place, [location]);
  if (file.fault === undefined) return file.text.trimEnd().split("\n");
  faults.push(`${written}, whose code it shows, ${file.fault}`);
  return [];
}
