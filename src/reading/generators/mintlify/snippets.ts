import { isRecord } from "@docent/kernel/text/json";
import { splitFrontMatter } from "../../markdown/front-matter.ts";
import { readScript } from "../config/config.ts";
import { type DocsTree, joinLocation } from "../docs-tree.ts";
import {
  createInclusions,
  eachOutsideCode,
  type Inclusions,
  readIncluded,
  takenIn,
} from "../writing/writing.ts";
import { markFilled } from "./filled-words.ts";
import { locateImport } from "./pages.ts";

/** A page that is being read with what it takes from others. */
interface Including {
  inclusions: Inclusions;
  root: string;
  faults: Set<string>;
}

const TOO_MUCH = "it takes in more than can be read";
const IMPORT = /^import\s+(?!\s)([^"'\n;]+?)(?<!\s)\s+from\s+["']([^"'\n]+\.mdx?)["'];?[ \t]*$/gm;

/** A page's body with the snippets that it imports in the places of their tags. */
export async function withSnippets(
  { tree, root }: { tree: DocsTree; root: string },
  location: string,
  body: string,
): Promise<{ body: string; faults: string[] }> {
  const including: Including = {
    inclusions: createInclusions(tree, { loop: "imports itself" }),
    root,
    faults: new Set(),
  };
  const whole = await expand(including, location, body, [location]);
  return { body: whole, faults: [...including.faults] };
}

async function expand(
  including: Including,
  location: string,
  body: string,
  above: readonly string[],
): Promise<string> {
  let text = body;
  const imports: [string, string][] = [];
  eachOutsideCode(body, (part) => {
    for (const [, names = "", specifier = ""] of part.matchAll(IMPORT)) imports.push([names, specifier]);
    return part;
  });
  for (const [names, specifier] of imports) {
    const snippet = await readSnippet(including, locateImport(including.root, location, specifier), {
      specifier,
      above,
    });
    if (snippet === undefined) continue;
    const { own, parts } = namesIn(names);
    if (own !== undefined) text = replaceUses(including, text, own, snippet);
    if (parts.length > 0) text = await withValues(text, snippet, parts);
  }
  return withOldSnippets(including, text, above);
}

/** `<Snippet file="x.mdx" />` takes a file of the folder of snippets. */
async function withOldSnippets(
  including: Including,
  body: string,
  above: readonly string[],
): Promise<string> {
  let text = body;
  const files = new Set<string>();
  eachOutsideCode(body, (part) => {
    for (const [, file = ""] of part.matchAll(/<Snippet\s+file=["']([^"'\n]+)["']\s*\/>/g)) files.add(file);
    return part;
  });
  for (const file of files) {
    const places = ["_snippets", "snippets"].map((folder) =>
      joinLocation(including.root, `${folder}/${file}`),
    );
    const place = places.find((each) => including.inclusions.tree.has(each)) ?? places[0];
    const snippet = await readSnippet(including, place, { specifier: file, above });
    if (snippet === undefined) continue;
    const tag = `<Snippet\\s+file=["']${escaped(file)}["']\\s*/>`;
    const use = new RegExp(`^([ \\t]*)${tag}|${tag}`, "gm");
    text = eachOutsideCode(text, (part) =>
      part.replace(use, (_, indent = "") => spent(including, indented(snippet, indent))),
    );
  }
  return text;
}

async function readSnippet(
  including: Including,
  place: string | undefined,
  { specifier, above }: { specifier: string; above: readonly string[] },
): Promise<string | undefined> {
  const file = await readIncluded(including.inclusions, place, above);
  if (file.fault !== undefined) {
    including.faults.add(`${specifier}, which it imports, ${file.fault}`);
    return undefined;
  }
  return expand(including, file.location, splitFrontMatter(file.text).body, [...above, file.location]);
}

/** `Name`, `{ first, second }` or `Name, { first }`. */
function namesIn(written: string): { own: string | undefined; parts: string[] } {
  const parts = /\{([^}]*)\}/.exec(written)?.[1] ?? "";
  return {
    own: /^[A-Za-z_$][\w$]*/.exec(written)?.[0],
    parts: parts.split(",").flatMap((name) => /^[A-Za-z_$][\w$]*$/.exec(name.trim())?.[0] ?? []),
  };
}

function replaceUses(including: Including, text: string, name: string, snippet: string): string {
  const use = new RegExp(`(^[ \\t]*)?<${escaped(name)}(\\s[^<>]*)?(?:/>|>\\s*</${escaped(name)}>)`, "gm");
  return eachOutsideCode(text, (part) =>
    part.replace(use, (_, indent = "", attributes = "") =>
      spent(including, indented(withProperties(snippet, attributes), indent)),
    ),
  );
}

/**
 * A snippet with the words that its tag gives it, `<Hello name="you" />`, in place of `{name}`, in code too. A name
 * without a word shows nothing.
 */
function withProperties(snippet: string, attributes: string): string {
  const given = new Map<string, string>();
  for (const [, name = "", quoted, single, braced] of attributes.matchAll(
    /([A-Za-z_$][\w$]*)=(?:"([^"]*)"|'([^']*)'|\{["'`]?([^{}"'`]*)["'`]?\})/g,
  ))
    given.set(name, quoted ?? single ?? braced ?? "");
  const own = new Set([...snippet.matchAll(EXPORTED)].map(([, name = ""]) => name));
  const inText = (part: string) =>
    part.replace(PROPERTY, (whole, name: string) =>
      own.has(name) ? whole : markFilled(given.get(name) ?? ""),
    );
  const inFence = (code: string) => code.replace(PROPERTY, (whole, name: string) => given.get(name) ?? whole);
  return eachOutsideCode(snippet, inText, inFence);
}

const PROPERTY = /\{\s*(?:props\.)?([A-Za-z_$][\w$]*)\s*\}/g;
const EXPORTED = /^export\s+(?:const|let|function)\s+([A-Za-z_$][\w$]*)/gm;

const EXPORT = /^export\s+const\s+([A-Za-z_$][\w$]*)\s*=[\s\S]*?(?=\n[ \t]*\n|$(?![\s\S]))/gm;

/** A page with the constants of a snippet, `{name}` and `{name.part}`, as what they are. */
async function withValues(text: string, snippet: string, wanted: readonly string[]): Promise<string> {
  const values = new Map<string, unknown>();
  for (const [statement, name = ""] of snippet.matchAll(EXPORT)) {
    if (!wanted.includes(name)) continue;
    const { named, fault } = await readScript(statement, async () => undefined);
    if (fault === undefined) values.set(name, named[name]);
  }
  if (values.size === 0) return text;
  return eachOutsideCode(text, (part) =>
    part.replace(
      /\{([A-Za-z_$][\w$]*)(?:\.([A-Za-z_$][\w$]*))?\}/g,
      (whole, name: string, inner?: string) => {
        const value = values.get(name);
        const found = inner === undefined ? value : isRecord(value) ? value[inner] : undefined;
        if (typeof found === "number") return markFilled(String(found));
        return typeof found === "string" ? markFilled(found) : whole;
      },
    ),
  );
}

/** Counts what is taken in: a page that takes in too much has no more. */
function spent(including: Including, text: string): string {
  const taken = takenIn(including.inclusions, text);
  if (taken !== text) including.faults.add(TOO_MUCH);
  return taken;
}

const indented = (text: string, indent: string) =>
  indent === "" ? `\n${text}\n` : text.replace(/^(?=.)/gm, indent);

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
