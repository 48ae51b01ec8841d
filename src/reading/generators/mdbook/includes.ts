import { type DocsTree, folderOf, resolveLocation } from "../docs-tree.ts";
import { createInclusions, type Inclusions, readIncluded } from "../writing/writing.ts";

/** A page that is being read. */
interface Including {
  inclusions: Inclusions;
  faults: Set<string>;
  /** The title that the page gives itself. */
  title: string | undefined;
}

const DIRECTIVE = /(\\?)\{\{\s{0,20}#([a-z_]+)\s{1,20}([^}\n]{1,500}?)\s{0,20}\}\}/g;

/** A chapter with the files that it takes in, and the title that it gives itself. */
export async function expandChapter(
  tree: DocsTree,
  location: string,
  text: string,
): Promise<{ markdown: string; title: string | undefined; faults: string[] }> {
  const including: Including = { inclusions: createInclusions(tree), faults: new Set(), title: undefined };
  const markdown = await expand(text, location, including, [location]);
  return { markdown, title: including.title, faults: [...including.faults] };
}

async function expand(
  text: string,
  location: string,
  including: Including,
  above: readonly string[],
): Promise<string> {
  const pieces: string[] = [];
  let at = 0;
  for (const match of text.matchAll(DIRECTIVE)) {
    const [whole, escaped, name = "", written = ""] = match;
    pieces.push(text.slice(at, match.index));
    at = match.index + whole.length;
    if (escaped !== "") pieces.push(whole.slice(1));
    else if (name === "title") including.title = written;
    else if (name === "include" || name === "rustdoc_include")
      pieces.push(await readPart(written, location, including, above));
    else if (name === "playground" || name === "playpen") {
      const code = await readPart(written.split(/\s+/)[0] ?? "", location, including, above);
      pieces.push(`\`\`\`rust\n${code}\n\`\`\``);
    } else {
      including.faults.add(`${whole} is not known, and left out`);
    }
  }
  return [...pieces, text.slice(at)].join("");
}

async function readPart(
  written: string,
  location: string,
  including: Including,
  above: readonly string[],
): Promise<string> {
  const [path = "", from, to] = written.split(":");
  const place = resolveLocation(folderOf(location), `./${path}`);
  const why = (reason: string) => {
    including.faults.add(`${path}, which it includes, ${reason}`);
    return "";
  };
  const included = await readIncluded(including.inclusions, place, above);
  if (included.fault !== undefined) return why(included.fault);
  const part = partOf(included.text.replace(/\n$/, ""), from, to);
  if (part === undefined) return why(`has no part that is called ${from}`);
  return expand(part, included.location, including, [...above, included.location]);
}

/** The lines that `2:5`, `:5`, `2:` or a name mean. */
function partOf(text: string, from: string | undefined, to: string | undefined): string | undefined {
  if (from === undefined) return text;
  const lines = text.split("\n");
  if (/^\d*$/.test(from)) {
    const start = from === "" ? 1 : Number(from);
    const end =
      to === undefined ? (from === "" ? lines.length : start) : to === "" ? lines.length : Number(to);
    return lines.slice(Math.max(0, start - 1), end).join("\n");
  }
  const start = lines.findIndex((line) => anchorIn(line)?.opens === from);
  if (start < 0) return undefined;
  const length = lines.slice(start + 1).findIndex((line) => anchorIn(line)?.closes === from);
  return lines
    .slice(start + 1, length < 0 ? undefined : start + 1 + length)
    .filter((line) => anchorIn(line) === undefined)
    .join("\n");
}

function anchorIn(line: string): { opens?: string; closes?: string } | undefined {
  const [, end, name] = line.includes("ANCHOR") ? (/ANCHOR(_END)?:\s{0,20}([\w-]+)/.exec(line) ?? []) : [];
  if (name === undefined) return undefined;
  return end === undefined ? { opens: name } : { closes: name };
}
