import { linesOfRegion, readIncluded, withoutCommonIndent } from "../writing/writing.ts";
import type { PagePlace } from "./includes.ts";
import { locate } from "./includes.ts";

const CHARACTERS_MAX = 200_000;

/** The code that `<<< path#region{1,3 js} [name]` names, with what a fence around it says. */
export async function readSnippet(
  { inclusions, contentRoot, location, faults }: PagePlace,
  written: string,
): Promise<{ info: string; lines: string[] }> {
  const { path, region, language, title } = partsOf(written);
  const target = locate(contentRoot, location, path);
  const file = await readIncluded(inclusions, target, []);
  const info = `${language} [${title}]`;
  if (file.fault !== undefined) {
    faults.push(`${path}, whose code it shows, ${file.fault}`);
    return { info, lines: [] };
  }
  const { text } = file;
  if (text.length > CHARACTERS_MAX)
    faults.push(`${path}, whose code it shows, is too large: its end is left out`);
  const all = text.slice(0, CHARACTERS_MAX).replace(/\r\n/g, "\n").replace(/\n$/, "").split("\n");
  const chosen = region === "" ? all : linesOfRegion(all, region);
  if (chosen === undefined)
    faults.push(`${path}, whose code it shows, has no region ${region}: all of it is shown`);
  return { info, lines: region === "" || chosen === undefined ? all : withoutCommonIndent(chosen) };
}

/** `path[#region][{[lines] [language] [more]}] [[name]]`, from its end, because a path may contain anything. */
function partsOf(written: string): { path: string; region: string; language: string; title: string } {
  const [, before = written, title = ""] = /^([^[]*)\[(.+)\]$/.exec(written.trim()) ?? [];
  let rest = before.trim();
  const brace = rest.endsWith("}") ? rest.lastIndexOf("{") : -1;
  const inside = brace > 0 ? rest.slice(brace + 1, -1).trim() : "";
  if (brace > 0) rest = rest.slice(0, brace).trimEnd();
  const language = /^[\d,\s-]*$/.test(inside)
    ? ""
    : (inside.replace(/^[\d,-]+\s+/, "").split(/\s+/, 1)[0] ?? "");
  const region = /#([\w.-]+)$/.exec(rest)?.[1] ?? "";
  const path = region === "" ? rest : rest.slice(0, -region.length - 1);
  const name = path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1);
  const extension = /\.([a-zA-Z\d]+)$/.exec(name)?.[1] ?? "";
  return { path, region, language: language || extension, title: title || name };
}
