import { type DocsTree, joinLocation } from "../docs-tree.ts";
import { type PythonFile, readPythonFile } from "./python-file.ts";

/** The modules of a source by their names. */
export interface ModuleFiles {
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
export function createModuleFiles(tree: DocsTree, likely: readonly string[]): ModuleFiles {
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
