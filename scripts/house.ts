import { join, resolve } from "node:path";
import { longFunctions } from "../test/helpers/long-functions.ts";
import { districtOf, readTree, type SourceFile } from "./house/tree.ts";
import { measureWay } from "./house/ways.ts";

// Measures the house: `bun scripts/house.ts [root]` prints a line for each figure, of this checkout or another one.

const FUNCTION_LINES_MAX = 60;

/** Lines by what they are. Tables of words and the like count as code. */
interface Lines {
  code: number;
  comments: number;
  blank: number;
}

function linesOf(text: string): Lines {
  const lines: Lines = { code: 0, comments: 0, blank: 0 };
  let isComment = false;
  for (const line of text.split("\n")) {
    const trimmed = line.trim();
    if (!isComment && trimmed === "") lines.blank++;
    else if (isComment || trimmed.startsWith("//") || trimmed.startsWith("/*")) lines.comments++;
    else lines.code++;
    if (trimmed.startsWith("/*") || isComment) isComment = !trimmed.includes("*/");
  }
  return lines;
}

const quantile = (values: readonly number[], share: number) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? 0;

/** How many files one reaches by its imports, itself included. */
function closureOf(files: ReadonlyMap<string, SourceFile>, starts: readonly string[]): number {
  const seen = new Set<string>();
  const waiting = [...starts];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop())
    if (!seen.has(path)) {
      seen.add(path);
      waiting.push(...(files.get(path)?.imports ?? []));
    }
  return seen.size;
}

/** How many files stand behind one another in the longest chain of imports from a file. */
function longestChain(files: ReadonlyMap<string, SourceFile>): number {
  const lengths = new Map<string, number>();
  const lengthOf = (path: string): number => {
    const known = lengths.get(path);
    if (known !== undefined) return known;
    lengths.set(path, 0);
    const length = 1 + Math.max(0, ...(files.get(path)?.imports ?? []).map(lengthOf));
    lengths.set(path, length);
    return length;
  };
  return Math.max(...[...files.keys()].map(lengthOf));
}

/** Statements of SQL, by the folders that they stand in: for both databases, or for one engine alone. */
function statementsIn(files: readonly SourceFile[]): { both: number; sqlite: number; postgres: number } {
  const count = (room: RegExp, mark: RegExp) =>
    files
      .filter(({ path }) => room.test(path))
      .reduce((sum, { text }) => sum + (text.match(mark)?.length ?? 0), 0);
  return {
    both: count(/^src\/storage\/(?!sqlite\/|postgres\/|sql\/)/, DECLARED),
    sqlite: count(/^src\/storage\/sqlite\//, WRITTEN),
    postgres: count(/^src\/storage\/postgres\//, WRITTEN),
  };
}

const DECLARED = /\b(?:statement|select)(?:<[^;]*?>)?\(\s*(?:["`(]|\w+,)/g;
/** The beginning of a text of SQL that reads or writes rows. */
const WRITTEN = /["`]\s*(?:SELECT|INSERT INTO|INSERT OR \w+ INTO|UPDATE|DELETE FROM|WITH)\b/g;

async function testLines(root: string): Promise<{ files: number; lines: number }> {
  const paths = [...new Bun.Glob("test/**/*.{ts,tsx}").scanSync({ cwd: root })].filter(
    (path) => !path.includes("fixtures/"),
  );
  const texts = await Promise.all(paths.map((path) => Bun.file(join(root, path)).text()));
  return { files: paths.length, lines: texts.reduce((sum, text) => sum + text.split("\n").length, 0) };
}

async function measure(root: string): Promise<[what: string, figure: string | number][]> {
  const { files, districts } = await readTree(root);
  const byPath = new Map(files.map((file) => [file.path, file]));
  const lines = files.map(({ text }) => linesOf(text));
  const sum = (key: keyof Lines) => lines.reduce((all, each) => all + each[key], 0);
  const sizes = files.map(({ text }) => text.split("\n").length);
  const crossing = new Set(
    files.flatMap(({ path, imports }) => imports.filter((to) => districtOf(to) !== districtOf(path))),
  );
  const tests = await testLines(root);
  const statements = statementsIn(files);
  const page = await measureWay(root, files, "page");
  const question = await measureWay(root, files, "question");
  const saidOf = ({ places, returns, climbs }: typeof page.rooms) => `${places}, ${returns}, ${climbs}`;
  const closure = (start: RegExp) =>
    closureOf(
      byPath,
      [...byPath.keys()].filter((path) => start.test(path)),
    );
  return [
    ["folders at the top of src", districts.size],
    ["files that other folders of the top import", crossing.size],
    ["doors that package.json names", [...districts.values()].flat().length],
    ["files of src", files.length],
    ["lines of src", sizes.reduce((all, each) => all + each, 0)],
    ["lines of code, comments, blank", `${sum("code")}, ${sum("comments")}, ${sum("blank")}`],
    ["lines of a file, median and 90th percentile", `${quantile(sizes, 0.5)}, ${quantile(sizes, 0.9)}`],
    ["files under 30 lines", sizes.filter((size) => size < 30).length],
    [
      `functions over ${FUNCTION_LINES_MAX} lines`,
      files.flatMap(({ text }) => longFunctions(text, FUNCTION_LINES_MAX)).length,
    ],
    ["files of test, lines", `${tests.files}, ${tests.lines}`],
    ["longest chain of imports", longestChain(byPath)],
    ["rooms on the way of a page, returns, climbs", saidOf(page.rooms)],
    ["files of its first room, returns, climbs", saidOf(page.files)],
    ["rooms on the way of a question, returns, climbs", saidOf(question.rooms)],
    ["statements of SQL for both databases", statements.both],
    [
      "statements of SQL for SQLite alone, for PostgreSQL alone",
      `${statements.sqlite}, ${statements.postgres}`,
    ],
    ["files that answer.ts reaches", closure(/\/answer\/answer\.ts$/)],
    ["files that ingest.ts reaches", closure(/\/ingest\/ingest\.ts$/)],
    ["files that reading reaches", closure(/^src\/reading\//)],
    ["files that answering reaches", closure(/^src\/answering\//)],
  ];
}

if (import.meta.main) {
  const root = resolve(process.argv[2] ?? join(import.meta.dir, ".."));
  for (const [what, figure] of await measure(root)) process.stdout.write(`${what}: ${figure}\n`);
}
