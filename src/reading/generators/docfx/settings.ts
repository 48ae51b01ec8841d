import { asList, asRecord, asText, isRecord } from "@docent/kernel/text/json";
import { readConfig } from "../config/config.ts";
import type { Unknown } from "../docs-site.ts";
import { type DocsTree, joinLocation, resolveLocation } from "../docs-tree.ts";

/** What `docfx.json` says of where pages are. */
export interface DocfxSettings {
  root: string;
  content: ContentPart[];
  /** Files that are put into pages of an API. */
  overwrite: ContentPart[];
  /** Whether the site is published as Microsoft Learn is, where addresses have no `.html`. */
  isPlain: boolean;
  /** Kinds of callouts that the site has besides the usual ones. */
  alerts: ReadonlySet<string>;
  /** The file that a name means, which may be written in another case: DocFX runs on Windows. */
  fileOf: (place: string) => string;
  unknowns: Unknown[];
}

/** Files of one folder, and where they are published. */
interface ContentPart {
  /** The folder that the patterns are below. */
  folder: string;
  /** What addresses begin with in its place. */
  dest: string;
  files: string[];
  exclude: string[];
  /** Which of several versions of the same pages these are. */
  group: string;
}

const PARTS_MAX = 500;
const PATTERNS_MAX = 500;

export async function readSettings(tree: DocsTree, root: string): Promise<DocfxSettings | undefined> {
  const file = await readConfig(tree, joinLocation(root, "docfx.json"));
  if (file === undefined) return undefined;
  const unknowns: Unknown[] = [];
  if (file.fault !== undefined) unknowns.push({ question: file.fault, guess: "every page below it" });
  const build = asRecord(asRecord(file.value)["build"]);
  if (file.fault === undefined && !isRecord(asRecord(file.value)["build"])) return undefined;
  const content = partsOf(root, build["content"]);
  const metadata = asRecord(build["globalMetadata"]);
  const engine = asRecord(build["markdownEngineProperties"]);
  return {
    root,
    content: file.fault === undefined ? content : partsOf(root, "**/*.{md,yml}"),
    overwrite: partsOf(root, build["overwrite"]),
    isPlain: ["breadcrumb_path", "uhfHeaderId", "feedback_system"].some(
      (name) => metadata[name] !== undefined,
    ),
    alerts: new Set(Object.keys(asRecord(engine["alerts"])).map((name) => name.toUpperCase())),
    fileOf: createFileFinder(tree),
    unknowns,
  };
}

function createFileFinder(tree: DocsTree): DocfxSettings["fileOf"] {
  const byLowerCase = new Map(tree.files.map((file) => [file.toLowerCase(), file]));
  return (place) => (tree.has(place) ? place : (byLowerCase.get(place.toLowerCase()) ?? place));
}

/** One pattern, a list of them, or a list of what says more. */
function partsOf(root: string, value: unknown): ContentPart[] {
  const list = Array.isArray(value) ? value : value === undefined ? [] : [value];
  return list.slice(0, PARTS_MAX).flatMap((each): ContentPart[] => {
    const part = typeof each === "string" ? { files: [each] } : asRecord(each);
    const folder = resolveLocation(root, asText(part["src"]) ?? asText(part["cwd"]) ?? "");
    // What is above the source is not here.
    if (folder === undefined) return [];
    const dest = resolveLocation("", asText(part["dest"]) ?? "") ?? "";
    const group = asText(part["group"]) ?? asText(part["version"]) ?? "";
    return [{ folder, dest, files: textsIn(part["files"]), exclude: textsIn(part["exclude"]), group }];
  });
}

const textsIn = (value: unknown): string[] =>
  (typeof value === "string" ? [value] : asList(value))
    .slice(0, PATTERNS_MAX)
    .flatMap((each) => asText(each) ?? []);

/** Whether a file below a part's folder belongs to it. */
export function partMatcher({ files, exclude }: ContentPart): (below: string) => boolean {
  const [wanted, unwanted] = [globsOf(files), globsOf(exclude)];
  return (below) => {
    const lower = below.toLowerCase();
    return wanted.some((glob) => glob.match(lower)) && !unwanted.some((glob) => glob.match(lower));
  };
}

const globsOf = (patterns: readonly string[]) =>
  patterns.map(
    (pattern) =>
      new Bun.Glob(
        pattern
          .toLowerCase()
          .replaceAll("\\", "/")
          .replace(/^(?:\.?\/)+/, ""),
      ),
  );
