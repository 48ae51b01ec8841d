import { codeSpan } from "@docent/kernel/text/write-markdown";
import { placeMark } from "../anchors.ts";
import { pushHeading, type RstDirective, type RstWriting } from "./writing.ts";

const DESCRIBED =
  /^(?:(?:py|c|cpp|js|rst|http|std):[\w:-]+|function|method|class|classmethod|staticmethod|attribute|data|exception|decorator|describe|object|option|cmdoption|program-option|envvar|confval|setting|property|macro|member|type|var|struct|enum|enumerator|cmacro|cfunction|ctype|cvar|opcode|2to3fixer|pdbcommand|django-admin|templatetag|templatefilter|fieldlookup|auto\w+)$/;

const PYTHON =
  /^(?:py:.+|auto\w+|function|method|class|classmethod|staticmethod|attribute|data|exception|decorator|property)$/;

const NAMELESS = /^(?:describe|object)$/;

/** Options of descriptions; other fields under one document parameters. */
export const DESCRIPTION_OPTIONS = new Set(
  (
    "module noindex no-index type value default required annotation canonical async abstractmethod staticmethod " +
    "classmethod property members undoc-members private-members inherited-members show-inheritance member-order"
  ).split(" "),
);

/** Whether a directive describes a named thing: a function, an option, a setting. */
export function isDescription(name: string): boolean {
  return DESCRIBED.test(name);
}

/** Writes a description under a heading of its own, because people search for its name. */
export function writeDescription(
  directive: RstDirective,
  depth: number,
  out: string[],
  writing: RstWriting,
): void {
  const { name, argument, options, content } = directive;
  const [first, ...others] = argument
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);
  const { headingLevel, module, isInClass } = writing;
  // What has no address of its own would take all that is said of the class after it: operators, as `x == y`.
  if (first !== undefined && isInClass && NAMELESS.test(name))
    out.push([first, ...others].map(codeSpan).join("\\\n"));
  else if (first !== undefined) {
    const isPython = PYTHON.test(name);
    const said = options.get("module");
    const owner = said === undefined ? module : said === "None" ? "" : said;
    const path = isPython ? withModule(first, owner) : first;
    // Sphinx' ids have a module in front of names that begin with it already.
    const isPrefixed = isPython && owner !== "" && !isInClass && !/^auto/.test(name);
    const named = isPrefixed ? afterQualifiers(first, `${owner}.`) : path;
    const isIndexed = !options.has("no-index") && !options.has("noindex");
    const [known, ...alike] = isIndexed ? (writing.names.site?.object(name, named) ?? []) : [""];
    const id = known ?? (isPython ? nameIn(path) : name.endsWith("envvar") ? `envvar-${first}` : undefined);
    const words = alike.map(placeMark).join("") + codeSpan(path);
    pushHeading(out, headingLevel + 1, words, writing, id ?? (writing.names.site && ""));
    for (const other of others) out.push(codeSpan(isPython ? withModule(other, owner) : other));
    if (/class|exception/.test(name)) {
      writing.module = nameIn(path);
      writing.isInClass = true;
    }
  }
  writing.body(content, depth + 1, out);
  writing.headingLevel = headingLevel;
  writing.module = module;
  writing.isInClass = isInClass;
}

/** The name in a signature, as Python would import it. */
function nameIn(signature: string): string {
  return signature.replace(QUALIFIERS, "").replace(/[\s(:=[].*$/, "");
}

/** Adds the module or class, which names under it often leave out. */
function withModule(signature: string, module: string): string {
  const name = nameIn(signature);
  const last = module.slice(module.lastIndexOf(".") + 1);
  if (module === "" || name === module || name.startsWith(`${module}.`)) return signature;
  const owner = name.startsWith(`${last}.`) ? module.slice(0, module.length - last.length) : `${module}.`;
  return afterQualifiers(signature, owner);
}

function afterQualifiers(signature: string, added: string): string {
  const start = QUALIFIERS.exec(signature)?.[0].length ?? 0;
  return `${signature.slice(0, start)}${added}${signature.slice(start)}`;
}

const QUALIFIERS = /^(?:(?:abstract|async|class|static|final|property)\s+)+/;
