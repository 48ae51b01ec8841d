import type { DocsTree } from "../docs-tree.ts";
import type { ExDocSettings } from "./settings.ts";

/** A module of the project that has a page. */
interface ModulePage {
  isHidden: boolean;
  /** What it has, by kind and name: "f:run", "t:option", "c:init". */
  members: Set<string>;
}

/** Where references lead: to modules of the project, and to what they have. */
export interface References {
  /** Its address; undefined where nothing of this project is meant. */
  hrefOf(reference: string): string | undefined;
}

const FILES_MAX = 5_000;
const NESTED_MAX = 20;
const MODULE = /^(\s*)def(?:module|protocol|exception)\s+([A-Z][\w.]*)\s+do\b/;
const MEMBER =
  /^\s*(?:(def|defmacro|defdelegate|defguard)\s+|@(type|opaque|callback|macrocallback)\s+)([a-z_]\w*[?!]?)/;

/** The modules that are written in the project's programs. What macros make is not known. */
export async function readReferences(
  tree: DocsTree,
  { root, hasAllModules }: ExDocSettings,
): Promise<References> {
  const modules = new Map<string, ModulePage>();
  const start = root === "" ? 0 : root.length + 1;
  const files = tree
    .below(root)
    .filter((file) => file.endsWith(".ex") && /^(?:apps\/[^/]+\/)?lib\//.test(file.slice(start)));
  if (hasAllModules)
    for (const file of files.slice(0, FILES_MAX)) readModules((await tree.text(file)) ?? "", modules);
  return { hrefOf: (reference) => hrefOf(modules, reference) };
}

function readModules(text: string, modules: Map<string, ModulePage>): void {
  const open: { indent: number; name: string }[] = [];
  let quotes: string | undefined;
  let isHidden = false;
  for (const line of text.split("\n")) {
    if (quotes === undefined && /^\s*@(?:doc|typedoc)\b/.test(line))
      isHidden = /^\s*@\w+\s+false\b/.test(line);
    const marks = line.match(/"""|'''/g) ?? [];
    if (quotes !== undefined || marks.length > 0) {
      if (marks.length % 2 === 1) quotes = quotes === undefined ? marks[0] : undefined;
      continue;
    }
    const [whole, indent = "", name = ""] = MODULE.exec(line) ?? [];
    if (whole !== undefined) {
      while ((open.at(-1)?.indent ?? -1) >= indent.length) open.pop();
      const above = open.at(-1)?.name;
      const full = above === undefined ? name : `${above}.${name}`;
      if (open.length < NESTED_MAX) open.push({ indent: indent.length, name: full });
      modules.set(full, { isHidden: false, members: new Set() });
      isHidden = false;
      continue;
    }
    const shift = /^\s*/.exec(line)?.[0].length ?? 0;
    while (line.trim() !== "" && open.length > 1 && shift <= (open.at(-1)?.indent ?? 0)) open.pop();
    const current = modules.get(open.at(-1)?.name ?? "");
    if (current === undefined) continue;
    if (/^\s*@moduledoc\s+false\b/.test(line)) current.isHidden = true;
    const [, defined, said = "", member] = MEMBER.exec(line) ?? [];
    if (member === undefined) continue;
    const kind = defined !== undefined ? "f" : said.endsWith("callback") ? "c" : "t";
    if (!isHidden) current.members.add(`${kind}:${member}`);
    if (!isHidden || defined === undefined) isHidden = false;
  }
}

const MEMBER_REFERENCE = /^([ct]:)?(?:([A-Z][\w.]*)\.)([a-z_]\w*[?!]?)\/(\d+)(#.*)?$/;
const MODULE_REFERENCE = /^(?:m:)?([A-Z]\w*(?:\.[A-Z]\w*)*)(#.*)?$/;
const TASK = /^mix (?:help )?([a-z]\w*(?:\.[a-z]\w*)*)$/;

function hrefOf(modules: ReadonlyMap<string, ModulePage>, reference: string): string | undefined {
  const [member, prefix = "", of = "", name = "", arity = "", place = ""] =
    MEMBER_REFERENCE.exec(reference) ?? [];
  if (member !== undefined) {
    const isThere = modules.get(of)?.members.has(`${prefix.slice(0, 1) || "f"}:${name}`) === true;
    const rest = place === "" ? "" : `-${place.slice(1)}`;
    return isThere && isShown(modules, of)
      ? `/${of}.html#${prefix}${encodeURI(name)}/${arity}${rest}`
      : undefined;
  }
  const [, module, anchor = ""] = MODULE_REFERENCE.exec(reference) ?? [];
  if (module !== undefined) return isShown(modules, module) ? `/${module}.html${anchor}` : undefined;
  const task = TASK.exec(reference)?.[1];
  if (task === undefined) return undefined;
  const named = `Mix.Tasks.${task.split(".").map(camelized).join(".")}`;
  return isShown(modules, named) ? `/${named}.html` : undefined;
}

const isShown = (modules: ReadonlyMap<string, ModulePage>, name: string) =>
  modules.get(name)?.isHidden === false;

const camelized = (word: string) =>
  word.replace(/(?:^|_)([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
