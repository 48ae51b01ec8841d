import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join, posix } from "node:path";
import { z } from "zod";
import { longFunctions } from "./helpers/long-functions.ts";

const ROOT = join(import.meta.dir, "..");

/**
 * The districts of src, each above those that it may import. What a district imports is said by its package.json, and so
 * are its doors.
 */
const DISTRICTS = [
  "kernel",
  "reading",
  "sites",
  "people",
  "finding",
  "answering",
  "measuring",
  "models",
  "storage",
  "doors",
  "faces",
  "running",
  "cli",
];

/** Of the kernel everyone takes the file that they need, and `text` is safe in a browser: nothing is above either. */
const OPEN_SHELVES = ["./lib/*", "./text/*"];

const packageSchema = z.object({
  name: z.string(),
  exports: z.record(z.string(), z.string()),
  dependencies: z.record(z.string(), z.literal("workspace:*")).default({}),
});
const packages = new Map(
  await Promise.all(
    DISTRICTS.map(async (name) => {
      const file = Bun.file(join(ROOT, "src", name, "package.json"));
      return [name, packageSchema.parse(await file.json())] as const;
    }),
  ),
);

interface Import {
  /** The file that imports, the one that is imported, and the district of each; empty for main.ts. */
  file: string;
  target: string;
  from: string;
  to: string;
  /** Whether it is asked for by the district's name, not by a path. */
  isByName: boolean;
}

const files = [...new Bun.Glob("src/**/*.{ts,tsx,js,jsx}").scanSync({ cwd: ROOT })]
  .map((file) => file.replaceAll("\\", "/"))
  .filter((file) => !file.endsWith(".d.ts"))
  .sort();
const sources = new Map(
  await Promise.all(files.map(async (file) => [file, await Bun.file(join(ROOT, file)).text()] as const)),
);

/** `src/doors/messages/v1.ts` is in `doors`; main.ts is in none. */
const districtOf = (file: string) => (file.split("/").length > 2 ? (file.split("/")[1] ?? "") : "");

// Static imports and re-exports over one line or several, then imports that run later and those of types in place.
const STATIC = /^\s*(?:import|export)\s+(type\s)?([^;"'`]*?from\s*)?["']([^"']+)["']/gm;
const LATER = /(?<![\w.])(?:import|require)\s*\(\s*["'`]([^"'`]+)["'`]/g;
const BY_NAME = /^@docent\/(\w+)\/(.+)$/;

function importsOf(file: string, text: string): Import[] {
  const asked = [
    ...[...text.matchAll(STATIC)].map(([, , , target = ""]) => target),
    ...[...text.matchAll(LATER)].map(([, target = ""]) => target),
  ];
  return asked.flatMap((asFor) => {
    const isByName = BY_NAME.test(asFor);
    if (!isByName && !asFor.startsWith(".")) return [];
    const target = isByName ? fileBehind(asFor) : posix.join(posix.dirname(file), asFor);
    if (!target.startsWith("src/")) return [];
    return [{ file, target, from: districtOf(file), to: districtOf(target), isByName }];
  });
}

/** The file that a district's package.json has behind a door. */
function fileBehind(asked: string): string {
  const [, name = "", door = ""] = BY_NAME.exec(asked) ?? [];
  const { exports = {} } = packages.get(name) ?? {};
  const shelf = OPEN_SHELVES.find((each) => each in exports && `./${door}`.startsWith(each.slice(0, -1)));
  const behind = shelf === undefined ? exports[`./${door}`] : `./${door}.ts`;
  return posix.join("src", name, behind ?? `no door/${door}`);
}

const imports = [...sources].flatMap(([file, text]) => importsOf(file, text));

/** How many parts the path of a room has: `src/finding/search`. */
const ROOM_DEPTH = 3;

/** `src/doors/admin/sources/sources.ts` is in the room `src/doors/admin`; a file at the top of a district is a room of its own. */
const roomOf = (file: string) => file.split("/").slice(0, ROOM_DEPTH).join("/");

function cyclesOf(edges: ReadonlyMap<string, Iterable<string>>): string[] {
  const done = new Set<string>();
  const cycles: string[] = [];
  const visit = (one: string, path: string[]): void => {
    if (path.includes(one)) cycles.push([...path.slice(path.indexOf(one)), one].join(" → "));
    if (path.includes(one) || done.has(one)) return;
    for (const next of edges.get(one) ?? []) visit(next, [...path, one]);
    done.add(one);
  };
  for (const one of edges.keys()) visit(one, []);
  return cycles;
}

describe("architecture", () => {
  test("the imports are found: what this test reads is what there is", () => {
    expect(files.length).toBeGreaterThan(80);
    expect(imports.length).toBeGreaterThan(200);
    const sample =
      'import {\n  a,\n  type B,\n} from "@docent/people/keys/keys";\nexport type { C } from "./sites.ts";\n';
    const later =
      'const d = await import("@docent/kernel/text/groups/groups");\nlet e: import("../pages/pages.ts").F;\nimport "./w.ts";\n';
    const found = importsOf("src/doors/guard/x.ts", sample + later);
    expect(found.map(({ target, isByName }) => [target, isByName])).toEqual([
      ["src/people/keys/keys.ts", true],
      ["src/doors/guard/sites.ts", false],
      ["src/doors/guard/w.ts", false],
      ["src/kernel/text/groups/groups.ts", true],
      ["src/doors/pages/pages.ts", false],
    ]);
  });

  test("every folder of src is a district, and tells what it is for on one screen", async () => {
    const folders = new Set(files.map(districtOf).filter((name) => name !== ""));
    expect([...folders].toSorted()).toEqual(DISTRICTS.toSorted());
    for (const name of DISTRICTS) {
      expect(packages.get(name)?.name).toBe(`@docent/${name}`);
      const readme = await Bun.file(join(ROOT, "src", name, "README.md")).text();
      expect(readme).toStartWith(`# ${name}\n`);
      expect(readme.split("\n").length).toBeLessThanOrEqual(README_LINES_MAX);
      expect(readme).toContain(`make test-${name}`);
      const named = [...readme.matchAll(/`([\w./-]+(?:\.tsx?|\/))`/g)].map(([, path = ""]) => path);
      const isThere = (path: string) =>
        [ROOT, join(ROOT, "src", name)].some((from) => existsSync(join(from, path)));
      expect(named.filter((path) => !isThere(path))).toEqual([]);
    }
  });

  test("a district is entered by its name, and only through the doors of its package.json", () => {
    const wrong = imports
      .filter(({ target }) => /\.tsx?$|\/no door\//.test(target))
      .filter(({ from, to, isByName, target }) => (from !== to) !== isByName || !sources.has(target))
      .map(({ file, target }) => `${file} imports ${target}`);
    expect(wrong).toEqual([]);
  });

  test("a door that nobody uses is walled up", () => {
    const used = new Set(imports.filter(({ from, to }) => from !== to).map(({ target }) => target));
    const doors = [...packages].flatMap(([name, { exports }]) =>
      Object.values(exports)
        .filter((file) => !file.includes("*"))
        .map((file) => posix.join("src", name, file)),
    );
    expect(doors.filter((door) => !used.has(door) && !/\.(?:css|txt)$/.test(door))).toEqual([]);
  });

  test("a package.json names the districts that are imported, and those stand below its own", () => {
    for (const [name, { dependencies }] of packages) {
      const imported = new Set(
        imports.filter(({ from, to }) => from === name && to !== name).map(({ to }) => to),
      );
      expect([name, Object.keys(dependencies)]).toEqual([
        name,
        [...imported].toSorted().map((each) => `@docent/${each}`),
      ]);
      const above = [...imported].filter((each) => DISTRICTS.indexOf(each) >= DISTRICTS.indexOf(name));
      expect([name, above]).toEqual([name, []]);
    }
  });

  const TEXT = "src/kernel/text/";
  test("text imports nothing, and uses nothing but the language itself", () => {
    const OUTSIDE =
      /\b(?:Bun|process|document|window|location|navigator|localStorage|fetch)\b\s*[.(]|["']node:|["']bun/;
    const wrong = [...sources]
      .filter(([file]) => file.startsWith(TEXT))
      .filter(
        ([file, text]) =>
          OUTSIDE.test(withoutComments(text)) ||
          importsOf(file, text).some(({ target }) => !target.startsWith(TEXT)),
      )
      .map(([file]) => file);
    expect(wrong).toEqual([]);
  });

  test("there is no cycle of rooms inside a district, type imports included", () => {
    const edges = new Map<string, Set<string>>();
    for (const { file, target } of imports) {
      const [from, to] = [roomOf(file), roomOf(target)];
      if (from !== to) edges.set(from, (edges.get(from) ?? new Set()).add(to));
    }
    expect(cyclesOf(edges)).toEqual([]);
  });

  test("there is no cycle of files, inside a folder either", () => {
    const edges = new Map(
      [...sources].map(([file, text]) => [
        file,
        [...text.matchAll(STATIC)]
          .filter(
            ([, type, names = "", target = ""]) =>
              target.startsWith(".") && type === undefined && !/^\{\s*type\s+\w+\s*\}/.test(names),
          )
          .map(([, , , target = ""]) => posix.join(posix.dirname(file), target)),
      ]),
    );
    expect(cyclesOf(edges)).toEqual([]);
  });

  const ONLY_IN: [what: string, pattern: RegExp, allowed: RegExp][] = [
    [
      "process.argv, process.env and process.exit are for main.ts alone",
      /\b(?:process|Bun)\s*\.\s*(?:argv|env|exit)\b|import\.meta\.env/,
      /^src\/main\.ts$/,
    ],
    ["nothing writes to the console", /\bconsole\s*\./, /^$/],
    [
      "the process's own streams are for main.ts alone: a command has the terminal, which prints nothing as an order",
      /\b(?:process|Bun)\s*\.\s*(?:stdout|stderr|stdin)\b|\/dev\/(?:stdout|stderr|tty|fd)\b/,
      /^src\/main\.ts$/,
    ],
    [
      "only the terminal's styles are orders to it",
      /\\(?:u001b|x1b|u009b|x9b|033)/i,
      // The other takes such characters out of text.
      /^src\/(?:cli\/terminal\/text|kernel\/text\/decode-bytes)\.ts$/,
    ],
    [
      "SQLite is for storage/sqlite alone",
      /["']bun:sqlite["']|["']drizzle-orm\/bun-sqlite/,
      /^src\/storage\/sqlite\//,
    ],
    ["Drizzle describes tables for storage, and nobody else knows it", /["']drizzle-orm/, /^src\/storage\//],
    [
      "Bun's client of PostgreSQL is for storage/postgres alone",
      /\bSQL\b.*["']bun["']/,
      /^src\/storage\/postgres\//,
    ],
    ["Elysia is for doors alone", /["']elysia["']|["']@elysiajs\//, /^src\/doors\//],
    ["the AI SDK is for models alone", /from ["']ai["']|["']@ai-sdk\//, /^src\/models\//],
    ["what time it is, is passed in", /\bDate\.now\s*\(|\bnew Date\(\s*\)/, /^src\/kernel\/lib\/clock\.ts$/],
    [
      "chance is passed in",
      /\bMath\.random\b|\bgetRandomValues\b|\brandomUUID\b|\brandomBytes\s*\(\s*\d/,
      /^src\/kernel\/lib\/ids\.ts$/,
    ],
  ];
  for (const [what, pattern, allowed] of ONLY_IN) {
    test(what, () => {
      const found = [...sources]
        .filter(([file]) => !allowed.test(file) && !file.startsWith("src/faces/"))
        .filter(([, text]) => pattern.test(withoutComments(text)))
        .map(([file]) => file);
      expect(found).toEqual([]);
    });
  }

  test("no file only passes on what others export: a room's face may pass on some of it beside code of its own", () => {
    const ALL = /^\s*export\s+(?:type\s+)?\*/m;
    const SOME = /^\s*export\s+(?:type\s+)?\{[^}]*\}\s*from/m;
    const OWN = /^(?:export\s+)?(?:(?:async\s+)?function\b|const\s|interface\s|type\s+\w+(?:<[^=]*>)?\s*=)/m;
    const barrels = [...sources]
      .filter(([, text]) => ALL.test(text) || (SOME.test(text) && !OWN.test(text)))
      .map(([file]) => file);
    expect(barrels).toEqual([]);
  });

  test("operations are stated at their doors: openapi/ reads them, and nothing but the server imports it", () => {
    const found = imports
      .filter(({ target }) => target.startsWith("src/doors/openapi/"))
      .filter(({ file }) => !file.startsWith("src/doors/openapi/"))
      .map(({ file }) => file);
    expect(found).toEqual(["src/doors/server.ts"]);
  });

  test("of the doors the browser knows the shapes of replies, one file for each door, and nothing else", () => {
    const found = imports
      .filter(({ from, to }) => from === "faces" && to === "doors")
      .filter(({ file }) => !/^src\/faces\/bundled?\.ts$/.test(file))
      .map(({ target }) => target);
    expect([...new Set(found)].toSorted()).toEqual([
      "src/doors/admin/golden/shapes.ts",
      "src/doors/admin/notices/shapes.ts",
      "src/doors/admin/shapes.ts",
      "src/doors/analytics/shapes.ts",
      "src/doors/session/shapes.ts",
      "src/doors/sign-in/shapes.ts",
    ]);
  });

  test("of reading the browser knows the names of files by which docs are configured, and nothing else", () => {
    const found = imports.filter(({ from, to }) => from === "faces" && to === "reading");
    const known = [...new Set(found.map(({ target }) => target))];
    expect(known).toEqual(["src/reading/generators/site-files.ts"]);
    const behind = imports.filter(({ file }) => known.includes(file)).map(({ target }) => target);
    expect(behind).toEqual(["src/reading/generators/name-patterns.ts", "src/reading/generators/ordered.ts"]);
    expect(imports.filter(({ file }) => behind.includes(file))).toEqual([]);
  });

  test.each(["sqlite", "postgres"])(
    "storage/%s is opened by storage/open-storage.ts, and by nobody else",
    (kind) => {
      const room = `src/storage/${kind}/`;
      const found = imports
        .filter(({ target }) => target.startsWith(room))
        .filter(({ file }) => !file.startsWith(room))
        .map(({ file }) => file);
      expect([...new Set(found)]).toEqual(["src/storage/open-storage.ts"]);
    },
  );
});

const README_LINES_MAX = 45;
const FUNCTION_LINES_MAX = 60;
const FOLDER_FILES_MAX = 20;

/** Folders from which their neighbours take the file that they need: nothing in them has one idea above it. */
const SHELVES = /^src\/(?:kernel\/(?:lib|text)|faces\/dashboard\/kit|faces\/widget\/languages)(?:\/|$)/;

/**
 * What others may import of a room besides its face, because the name says what it is: the interface of what it wants
 * stored, what its things look like to clients, and a page of the dashboard.
 */
const OUTWARD = /(?:(?:^|\/|-)stores?\.ts|\/(?:json|shapes)\.ts|-page\.tsx)$/;

/** Functions that are longer, and folders that are wider, with why. The lists only shrink. */
const LONG_FUNCTIONS: Record<string, string> = {};
const WIDE_FOLDERS: Record<string, string> = {};

/** `answer/cache/` is entered by `answer/cache/cache.ts`. */
function isFace(file: string): boolean {
  return posix.basename(posix.dirname(file)) === posix.basename(file).replace(/\.\w+$/, "");
}

const isInside = (file: string, room: string) => file.startsWith(`${room}/`) || file === `${room}.ts`;

describe("rooms", () => {
  test(`a function has at most ${FUNCTION_LINES_MAX} lines`, () => {
    const sample = `export function long() {\n${"  work();\n".repeat(FUNCTION_LINES_MAX)}}\n`;
    expect(longFunctions(sample, FUNCTION_LINES_MAX)).toHaveLength(1);
    expect(longFunctions(sample.replace("  work();\n  work();\n", ""), FUNCTION_LINES_MAX)).toEqual([]);
    const long = [...sources].flatMap(([file, text]) =>
      longFunctions(text, FUNCTION_LINES_MAX).map(({ line, lines }) => `${file}:${line}: ${lines} lines`),
    );
    const isKnown = (each: string) => (each.split(":")[0] ?? "") in LONG_FUNCTIONS;
    expect(long.filter((each) => !isKnown(each))).toEqual([]);
    expect(
      Object.keys(LONG_FUNCTIONS).filter((file) => !long.some((each) => each.startsWith(`${file}:`))),
    ).toEqual([]);
  });

  test(`a folder has at most ${FOLDER_FILES_MAX} files`, () => {
    const wide = [...Map.groupBy(files, (file) => posix.dirname(file))]
      .filter(([, inside]) => inside.length > FOLDER_FILES_MAX)
      .map(([folder]) => folder);
    expect(wide).toEqual(Object.keys(WIDE_FOLDERS));
  });

  test("inside a district, a room shows its files to its neighbours, and a room within it shows them its face", () => {
    const wrong = imports
      .filter(({ from, to, target }) => from === to && /\.tsx?$/.test(target))
      .filter(({ file, target }) => {
        const room = posix.dirname(target);
        const isDeep = room.split("/").length > ROOM_DEPTH;
        return isDeep && !isInside(file, room) && !SHELVES.test(room);
      })
      .filter(({ target }) => !isFace(target) && !OUTWARD.test(target))
      .map(({ file, target }) => `${file} imports ${target}`);
    expect(wrong).toEqual([]);
  });
});

/** The text without its comments; strings stay, so that what they hold is seen. */
function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, "").replace(/^\s*\/\/.*$/gm, "");
}
