import { type DocsTree, folderOf, joinLocation } from "../docs-tree.ts";
import { type PythonFile, type PythonObject, readPythonFile } from "./python-file.ts";

export { plainDocstring } from "./docstring.ts";
export { readSignature } from "./parameters.ts";
export type { PythonFile, PythonObject } from "./python-file.ts";

/** Something that a program of the source defines. */
export interface FoundObject {
  object: PythonObject;
  /** The module that defines it, which need not be the one by which it was asked for. */
  module: string;
}

/** The Python programs that lie beside docs. They are read as text, and never run. */
export interface PythonSources {
  /** A class, a function or a value by its name: "acme.client.Client". */
  find(name: string): Promise<FoundObject | undefined>;
  module(name: string): Promise<PythonFile | undefined>;
  /** The members of a class, and those that it has from others, its own first. */
  membersOf(found: FoundObject): Promise<PythonObject[]>;
}

const HOPS_MAX = 8;
const BASES_MAX = 30;
/** A package may take all of each of its modules, and these all of others: of one place, each is tried once. */
const WHOLE_IMPORTS_MAX = 200;

/** `folders` are looked at first for packages. */
export function createPythonSources(tree: DocsTree, folders: readonly string[] = []): PythonSources {
  const files = createModuleFiles(tree, folders);
  return {
    find: (name) => find(files, name.split(".")),
    module: files.read,
    membersOf: (found) => membersOf(files, found),
  };
}

/** Where a docs' folder usually has its packages: beside it, and in `src`. */
export const usualFolders = (root: string) =>
  [folderOf(root), root].flatMap((folder) => [
    folder,
    joinLocation(folder, "src"),
    joinLocation(folder, "lib"),
  ]);

async function find(files: ModuleFiles, parts: readonly string[]): Promise<FoundObject | undefined> {
  const found = await resolve({ files, tried: new Set() }, parts, 0);
  const owner =
    found === undefined ? await resolve({ files, tried: new Set() }, parts.slice(0, -1), 0) : undefined;
  if (owner === undefined) return found;
  const inherited = (await membersOf(files, owner)).find(({ name }) => name === parts.at(-1));
  return inherited && { object: inherited, module: owner.module };
}

/** A name that is being looked for. */
interface Search {
  files: ModuleFiles;
  /** Where it was looked for: modules that take all of each other are many ways to the same place. */
  tried: Set<string>;
}

/** The longest part of a name that is a module is where the rest is looked for. */
async function resolve(
  search: Search,
  parts: readonly string[],
  hops: number,
): Promise<FoundObject | undefined> {
  for (let end = parts.length - 1; end > 0; end--) {
    const found = await within(search, parts.slice(0, end).join("."), parts.slice(end), hops);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Follows a name from a module through what that imports. */
async function within(
  search: Search,
  module: string,
  path: readonly string[],
  hops: number,
): Promise<FoundObject | undefined> {
  const { files, tried } = search;
  const place = `${module}:${path.join(".")}`;
  if (hops > HOPS_MAX || tried.has(place)) return undefined;
  tried.add(place);
  const [first, ...others] = path;
  const file = await files.read(module);
  if (file === undefined || first === undefined) return undefined;
  const own = memberAt(file.members, path);
  if (own !== undefined) return { object: own, module };
  const isPackage = files.isPackage(module);
  const imported = file.imports.get(first);
  if (imported !== undefined) {
    const name = absolute(imported, module, isPackage);
    return resolve(search, [...name.split("."), ...others], hops + 1);
  }
  for (const whole of file.wholeImports.slice(0, WHOLE_IMPORTS_MAX)) {
    const found = await within(search, absolute(whole, module, isPackage), path, hops + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

function memberAt(members: readonly PythonObject[], path: readonly string[]): PythonObject | undefined {
  let found: PythonObject | undefined;
  let here = members;
  for (const name of path) {
    found = here.find((each) => each.name === name);
    if (found === undefined) return undefined;
    here = found.members;
  }
  return found;
}

/** An import as it is written in a module, from the root: dots in front lead up from its package. */
function absolute(written: string, module: string, isPackage: boolean): string {
  const dots = /^\.+/.exec(written)?.[0].length ?? 0;
  if (dots === 0) return written;
  const parts = module.split(".");
  const up = dots - (isPackage ? 1 : 0);
  const above = up === 0 ? parts : parts.slice(0, -up);
  return [...above, ...written.slice(dots).split(".").filter(Boolean)].join(".");
}

async function membersOf(files: ModuleFiles, found: FoundObject): Promise<PythonObject[]> {
  const members = new Map<string, PythonObject>();
  const line: FoundObject[] = [found];
  for (let at = 0; at < Math.min(line.length, BASES_MAX); at++) {
    const next = line[at];
    if (next === undefined) break;
    for (const member of next.object.members) {
      const own = members.get(member.name);
      // A method without words of its own has those of the one that it replaces.
      if (own === undefined) members.set(member.name, member);
      else if (own.doc === "" && member.doc !== "") members.set(member.name, { ...own, doc: member.doc });
    }
    for (const base of next.object.bases) {
      const parent = await within({ files, tried: new Set() }, next.module, base.split("."), 0);
      if (parent !== undefined && !line.some(({ object }) => object === parent.object)) line.push(parent);
    }
  }
  return [...members.values()];
}

/** The modules of a source by their names. */
interface ModuleFiles {
  read(name: string): Promise<PythonFile | undefined>;
  /** Whether a module is a folder, from which dots in imports count otherwise. */
  isPackage(name: string): boolean;
}

/** What a program in another language offers to Python is described in a `.pyi`. */
const PACKAGES = ["/__init__.py", "/__init__.pyi"];
const MODULES = [".py", ".pyi"];
const FILES_MAX = 5_000;
const ROOTS_MAX = 5;
/** Where copies of a package lie that nobody imports. */
const ASIDE = /(?:^|\/)(?:tests?|testing|examples?|build|dist|vendor|_vendor|site-packages|node_modules)\//;

/** `likely` are the folders in which packages are looked for first. */
function createModuleFiles(tree: DocsTree, likely: readonly string[]): ModuleFiles {
  const python = tree.files.filter((file) => MODULES.some((ending) => file.endsWith(ending)));
  const roots = new Map<string, string[]>();
  const files = new Map<string, PythonFile | undefined>();

  function placesOf(name: string, endings: readonly string[]): string[] {
    if (!/^\w+(?:\.\w+)*$/.test(name)) return [];
    const [first = name] = name.split(".", 1);
    const folders = roots.get(first) ?? rootsOf(first, python, likely);
    roots.set(first, folders);
    const path = name.replaceAll(".", "/");
    return folders.flatMap((folder) => endings.map((ending) => joinLocation(folder, `${path}${ending}`)));
  }

  return {
    async read(name) {
      const location = placesOf(name, [...PACKAGES, ...MODULES]).find((each) => tree.has(each));
      if (location === undefined || files.has(location) || files.size > FILES_MAX)
        return location === undefined ? undefined : files.get(location);
      const text = await tree.text(location);
      const file = text === undefined ? undefined : readPythonFile(text);
      files.set(location, file);
      return file;
    },
    isPackage: (name) => placesOf(name, PACKAGES).some((each) => tree.has(each)),
  };
}

/** The folders in which a package or module of a name lies, the likeliest first. */
function rootsOf(name: string, files: readonly string[], likely: readonly string[]): string[] {
  const endings = [...PACKAGES, ...MODULES].map((ending) => name + ending);
  const found = files.flatMap((file) => {
    const ending = endings.find((each) => file === each || file.endsWith(`/${each}`));
    return ending === undefined ? [] : [file.slice(0, file.length - ending.length).replace(/\/$/, "")];
  });
  const cost = (folder: string) =>
    (likely.includes(folder) ? -100 : 0) +
    (ASIDE.test(`${folder}/`) ? 100 : 0) +
    (folder === "" ? 0 : folder.split("/").length);
  return [...new Set(found)].sort((a, b) => cost(a) - cost(b)).slice(0, ROOTS_MAX);
}
