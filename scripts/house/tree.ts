import { join, posix } from "node:path";

/** What `src` of a checkout is made of. */
export interface SourceTree {
  files: SourceFile[];
  /** The first-level folders, each with what its package.json names as doors; none where it has no package.json. */
  districts: Map<string, string[]>;
}

export interface SourceFile {
  path: string;
  text: string;
  /** The files of `src` that it imports, types included. */
  imports: string[];
}

const ASKED = /(?:\bfrom|\bimport)\s*\(?\s*["']([^"']+)["']/g;
const BY_NAME = /^@docent\/(\w+)\/(.+)$/;

export const districtOf = (path: string) =>
  path.split("/").length > 2 ? (path.split("/")[1] ?? "") : posix.basename(path);

/** Reads the code of a checkout, before there were districts or after. */
export async function readTree(root: string): Promise<SourceTree> {
  const paths = [...new Bun.Glob("src/**/*.{ts,tsx}").scanSync({ cwd: root })]
    .map((path) => path.replaceAll("\\", "/"))
    .filter((path) => !path.endsWith(".d.ts"))
    .sort();
  const known = new Set(paths);
  const files = await Promise.all(
    paths.map(async (path) => {
      const text = await Bun.file(join(root, path)).text();
      const asked = [...text.matchAll(ASKED)].map(([, target = ""]) => targetOf(path, target, known));
      return { path, text, imports: [...new Set(asked.filter((each) => each !== undefined))] };
    }),
  );
  const names = [...new Set(paths.filter((path) => path.split("/").length > 2).map(districtOf))].sort();
  const districts = new Map(
    await Promise.all(names.map(async (name) => [name, await doorsOf(root, name)] as const)),
  );
  return { files, districts };
}

function targetOf(path: string, asked: string, known: ReadonlySet<string>): string | undefined {
  const [, name, door] = BY_NAME.exec(asked) ?? [];
  if (name !== undefined && door !== undefined)
    return [`src/${name}/${door}.ts`, `src/${name}/${door}.tsx`].find((each) => known.has(each));
  const target = posix.join(posix.dirname(path), asked);
  return asked.startsWith(".") && known.has(target) ? target : undefined;
}

async function doorsOf(root: string, name: string): Promise<string[]> {
  const file = Bun.file(join(root, "src", name, "package.json"));
  if (!(await file.exists())) return [];
  const { exports = {} } = (await file.json()) as { exports?: Record<string, string> };
  return Object.keys(exports);
}
