import { readRstDirective, writeImage } from "./directives.ts";
import { findFootnotes } from "./footnotes.ts";
import { nameOf, type RstNames } from "./inline.ts";
import { indentedEnd, isBlank } from "./lines.ts";
import type { RstSite } from "./site.ts";

const TARGET = /^(\s*)\.\. _(?:`([^`]{1,300})`|([^`:_][^:]{0,300}?)):(?:\s+(\S.*)|\s*)$/;
const ANONYMOUS = /^(\s*)(?:__|\.\. __:)\s+(\S.*)$/;
const SUBSTITUTION = /^(\s*)\.\. \|([^|]{1,100})\| (replace|unicode|image)::\s*(.*)$/;

/** Collects reference targets before anything is written, because they may follow the references. */
export function readNames(lines: readonly string[], site: RstSite | undefined): RstNames {
  const names: RstNames = {
    targets: new Map(),
    anonymous: [],
    substitutions: new Map(),
    images: new Map(),
    footnotes: findFootnotes(lines),
    ...(site === undefined ? {} : { site }),
  };
  for (const [name, id] of site?.anchors ?? []) if (id !== undefined) names.targets.set(name, `#${id}`);
  const aliases = new Map<string, string>();
  /** Names that stand above an address with a name of its own, and mean the same. */
  let above: string[] = [];
  for (const [at, line] of lines.entries()) {
    const anonymous = ANONYMOUS.exec(line);
    if (anonymous !== null)
      names.anonymous.push(withMore(anonymous[2], lines, at, anonymous[1]).replace(/\s+/g, ""));
    const substitution = SUBSTITUTION.exec(line);
    if (substitution?.[3] === "image") {
      const block = lines.slice(at + 1, indentedEnd(lines, at + 1));
      const image = writeImage(readRstDirective("image", substitution[4] ?? "", block));
      names.images.set(nameOf(substitution[2] ?? ""), image);
    } else if (substitution?.[2] !== undefined) {
      const text = substitution[3] === "replace" ? withMore(substitution[4], lines, at, substitution[1]) : "";
      names.substitutions.set(nameOf(substitution[2]), text);
    }
    const target = line.includes(".. _") ? TARGET.exec(line) : null;
    const name = nameOf((target?.[2] ?? target?.[3] ?? "").replaceAll("\\", ""));
    if (target === null || name === "") {
      if (!isBlank(line)) above = [];
      continue;
    }
    const written = withMore(target[4], lines, at, target[1]);
    const address = written.replace(/\s+/g, "");
    if (address === "") above.push(name);
    else if (/^(?:`[^`]+`|[^\s:/]+)_$/.test(written))
      aliases.set(name, nameOf(written.replace(/^`|`?_$/g, "")));
    else for (const each of [name, ...above.splice(0)]) names.targets.set(each, address);
  }
  for (const [name, other] of aliases) {
    const address = names.targets.get(aliases.get(other) ?? other);
    if (address !== undefined) names.targets.set(name, address);
  }
  return names;
}

/** What a mark says on its line, with the lines below that are further in. */
function withMore(first: string | undefined, lines: readonly string[], at: number, indent = ""): string {
  const said = first === undefined || first === "" ? [] : [first.trim()];
  for (let next = at + 1; !isBlank(lines[next]); next++) {
    const line = lines[next] ?? "";
    if (line.length - line.trimStart().length <= indent.length) break;
    said.push(line.trim());
  }
  return said.join(" ");
}
