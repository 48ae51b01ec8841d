import { describe, expect, test } from "bun:test";
import { join, posix } from "node:path";
import { longFunctions } from "./helpers/long-functions.ts";

const ROOT = join(import.meta.dir, "..");

/** What features may be imported by those that stand above all of them. */
const FEATURES = [
  "markdown",
  "documents",
  "generators",
  "connectors",
  "embed",
  "keys",
  "limits",
  "sites",
  "members",
  "identity",
  "readers",
  "audit",
  "threads",
  "pages",
  "curated",
  "ingest",
  "enrich",
  "search",
  "answer",
  "analytics",
  "golden",
  "handover",
  "backups",
  "notices",
];

/** What every part may import. `text` is pure and safe in a browser, so even `web` may have it. */
const FOR_ALL = ["errors", "text"];

/**
 * What each part may import besides those and itself: design.md's table. `types:` marks what may be imported for
 * its types alone. Where this differs from design.md, the reason stands beside it.
 */
const MAY_IMPORT: Record<string, string[]> = {
  errors: [],
  text: [],
  lib: [],
  config: [],
  markdown: [],
  // markdown: a document becomes Markdown, and what it holds may be HTML, as a mail and a book.
  documents: ["lib", "markdown"],
  generators: ["lib", "markdown", "pages"],
  // generators: what a server says of its markup is read as its export is.
  connectors: ["lib", "markdown", "generators"],
  embed: ["lib"],
  keys: ["lib"],
  limits: ["lib"],
  sites: ["lib"],
  // identity: who a provider or a proxy vouches for.
  members: ["lib", "identity"],
  identity: ["lib"],
  // pages: which groups' pages a reader sees.
  readers: ["lib", "identity", "sites", "pages"],
  audit: ["lib"],
  // pages: who asks is known by which pages are for them.
  threads: ["lib", "pages"],
  pages: ["lib"],
  // search: a question is compared with another by the words that search would look for, cut and stemmed as there.
  curated: ["lib", "markdown", "embed", "pages", "search"],
  // generators: a repository is read as its generator publishes it.
  ingest: ["lib", "markdown", "documents", "generators", "connectors", "embed", "sites", "pages", "curated"],
  search: ["lib", "embed", "pages"],
  // search: what a model wrote is compared with its passage by the words that search would look for.
  enrich: ["lib", "sites", "search"],
  // markdown: passages are Markdown, and the extractive responder cuts them into sentences and code.
  answer: ["lib", "markdown", "sites", "embed", "pages", "search", "threads", "curated"],
  // curated: a gap is answered by a curated answer as well, and questions are told apart by the words that it reads.
  analytics: ["lib", "embed", "pages", "search", "threads", "curated"],
  // ingest, types: it asks its questions of what a run has staged. curated and analytics: what is kept there becomes a
  // golden question.
  golden: ["lib", "markdown", "pages", "search", "sites", "curated", "analytics", "types:ingest"],
  handover: ["lib"],
  backups: ["lib"],
  notices: ["lib"],
  delivery: ["lib", "handover", "notices"],
  stream: ["types:answer"],
  // The features whose store interfaces it implements; of search also the keyword index, which an upgrade makes, of
  // embed the measure of nearness where sqlite-vec is not there, of markdown what formats a page may have, of answer the
  // shape of an answer that is kept to be given again, of enrich by what a passage's content is known.
  storage: [
    "lib",
    "markdown",
    "embed",
    "keys",
    "limits",
    "sites",
    "members",
    "identity",
    "readers",
    "audit",
    "threads",
    "pages",
    "curated",
    "ingest",
    "enrich",
    "search",
    "answer",
    "analytics",
    "golden",
    "notices",
  ],
  // What is carried to another machine: files, and nothing of what is in them.
  bundle: ["lib"],
  ollama: ["lib", "embed", "answer"],
  mcp: ["lib", "sites", "pages", "search"],
  http: ["lib", ...FEATURES, "stream", "mcp", "web"],
  // http: the shapes of replies, so that the dashboard says nothing of them anew. Nothing of it is left in the browser.
  web: ["types:http"],
  eval: ["lib", "markdown", "embed", "pages", "ingest", "search", "answer"],
  // ingest: docs are read and their links judged as those of a site; eval: kept questions are asked as there.
  check: ["lib", "markdown", "pages", "sites", "ingest", "search", "eval"],
  // eval: what a model writes for search counts only where the owner's questions are answered as well with it.
  app: [
    "lib",
    "config",
    ...FEATURES,
    "stream",
    "storage",
    "ollama",
    "delivery",
    "bundle",
    "mcp",
    "http",
    "web",
    "eval",
  ],
  // The features' pure functions: how a thing is shown as JSON, how a place is read. What is opened comes from app.
  // bundle: a bundle is shown and checked where nothing is opened.
  cli: ["lib", "config", "app", "eval", "bundle", "check", ...FEATURES],
  main: ["cli"],
};

interface Import {
  /** The file below src/, and the part of Docent that it belongs to. */
  file: string;
  target: string;
  from: string;
  to: string;
  /** Nothing of it is left when the program runs. */
  isTypeOnly: boolean;
}

const files = [...new Bun.Glob("src/**/*.{ts,tsx,js,jsx}").scanSync({ cwd: ROOT })]
  .map((file) => file.replaceAll("\\", "/"))
  .filter((file) => !file.endsWith(".d.ts"))
  .sort();
const sources = new Map(
  await Promise.all(files.map(async (file) => [file, await Bun.file(join(ROOT, file)).text()] as const)),
);

/** `src/http/messages/v1.ts` is part of `http`, `src/app.ts` of `app`. */
function partOf(file: string): string {
  return (file.split("/")[1] ?? "").replace(/\.\w+$/, "");
}

// Static imports and re-exports over one line or several, then imports that run later and those of types in place.
const STATIC = /^\s*(?:import|export)\s+(type\s)?([^;"'`]*?from\s*)?["']([^"']+)["']/gm;
const LATER = /(?<![\w.])(?:import|require)\s*\(\s*["'`]([^"'`]+)["'`]/g;

function importsOf(file: string, text: string): Import[] {
  const found = [
    ...[...text.matchAll(STATIC)].map(([, type, names = "", target = ""]) => ({
      target,
      isTypeOnly: type !== undefined || /^\{\s*(type\s+\w+[\w\s]*,?\s*)+\}\s*from\s*$/.test(names),
    })),
    ...[...text.matchAll(LATER)].map(([, target = ""]) => ({ target, isTypeOnly: false })),
  ];
  return found
    .filter(({ target }) => target.startsWith("."))
    .map(({ target, isTypeOnly }) => ({ target: posix.join(posix.dirname(file), target), isTypeOnly }))
    .filter(({ target }) => target.startsWith("src/"))
    .map(({ target, isTypeOnly }) => ({ file, target, from: partOf(file), to: partOf(target), isTypeOnly }));
}

const imports = [...sources].flatMap(([file, text]) => importsOf(file, text));

function isAllowed({ from, to, isTypeOnly }: Import): boolean {
  if (from === to || FOR_ALL.includes(to)) return true;
  const allowed = MAY_IMPORT[from] ?? [];
  return allowed.includes(to) || (isTypeOnly && allowed.includes(`types:${to}`));
}

describe("architecture", () => {
  test("the imports are found: what this test reads is what there is", () => {
    expect(files.length).toBeGreaterThan(80);
    expect(imports.length).toBeGreaterThan(200);
    const sample =
      'import {\n  a,\n  type B,\n} from "../keys/keys.ts";\nexport type { C } from "../sites/sites.ts";\n';
    const later =
      'const d = await import("../pages/pages.ts");\nlet e: import("../limits/limits.ts").F;\nimport "../web/w.ts";\n';
    const types = 'import { type G, type H } from "../threads/threads.ts";\n';
    const found = importsOf("src/http/x.ts", sample + later + types).map(({ to, isTypeOnly }) => [
      to,
      isTypeOnly,
    ]);
    expect(found).toEqual([
      ["keys", false],
      ["sites", true],
      ["web", false],
      ["threads", true],
      ["pages", false],
      ["limits", false],
    ]);
  });

  test("every folder and file of src is in the table", () => {
    const parts = new Set(files.map(partOf));
    expect([...parts].filter((part) => !(part in MAY_IMPORT))).toEqual([]);
  });

  test("nothing imports what it must not", () => {
    const wrong = imports
      .filter((each) => !isAllowed(each))
      .map(({ file, from, to, isTypeOnly }) => {
        const onlyTypes = !isTypeOnly && (MAY_IMPORT[from] ?? []).includes(`types:${to}`);
        return `${from} must not import ${to}${onlyTypes ? " except for its types" : ""} (${file})`;
      });
    expect(wrong).toEqual([]);
  });

  test("text imports nothing, and uses nothing but the language itself", () => {
    const OUTSIDE =
      /\b(?:Bun|process|document|window|location|navigator|localStorage|fetch)\b\s*[.(]|["']node:|["']bun/;
    const wrong = [...sources]
      .filter(([file]) => partOf(file) === "text")
      .filter(
        ([file, text]) =>
          OUTSIDE.test(withoutComments(text)) || importsOf(file, text).some(({ to }) => to !== "text"),
      )
      .map(([file]) => file);
    expect(wrong).toEqual([]);
  });

  test("there is no cycle of folders", () => {
    const edges = new Map<string, Set<string>>();
    for (const { from, to, isTypeOnly } of imports) {
      // The table says so where nothing but types is imported, of which nothing is left.
      const isGone = isTypeOnly && (MAY_IMPORT[from] ?? []).includes(`types:${to}`);
      if (from !== to && !isGone) edges.set(from, (edges.get(from) ?? new Set()).add(to));
    }
    const done = new Set<string>();
    const cycles: string[] = [];
    const visit = (part: string, path: string[]): void => {
      if (path.includes(part)) cycles.push([...path.slice(path.indexOf(part)), part].join(" → "));
      if (path.includes(part) || done.has(part)) return;
      for (const next of edges.get(part) ?? []) visit(next, [...path, part]);
      done.add(part);
    };
    for (const part of edges.keys()) visit(part, []);
    expect(cycles).toEqual([]);
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
    const done = new Set<string>();
    const cycles: string[] = [];
    const visit = (file: string, path: string[]): void => {
      if (path.includes(file)) cycles.push([...path.slice(path.indexOf(file)), file].join(" → "));
      if (path.includes(file) || done.has(file)) return;
      for (const next of edges.get(file) ?? []) visit(next, [...path, file]);
      done.add(file);
    };
    for (const file of edges.keys()) visit(file, []);
    expect(cycles).toEqual([]);
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
      /^src\/(?:cli\/terminal\/text|text\/decode-bytes)\.ts$/,
    ],
    [
      "SQLite is for storage/sqlite alone",
      /["']bun:sqlite["']|["']drizzle-orm\/bun-sqlite/,
      /^src\/storage\/sqlite\//,
    ],
    [
      "Drizzle describes tables for storage/sql, and nobody else knows it",
      /["']drizzle-orm/,
      /^src\/storage\/(?:sql|sqlite)\//,
    ],
    [
      "Bun's client of PostgreSQL is for storage/postgres alone",
      /\bSQL\b.*["']bun["']/,
      /^src\/storage\/postgres\//,
    ],
    ["Elysia is for http and mcp alone", /["']elysia["']|["']@elysiajs\//, /^src\/(?:http|mcp)\//],
    ["the AI SDK is for ollama alone", /from ["']ai["']|["']@ai-sdk\//, /^src\/ollama\//],
    ["what time it is, is passed in", /\bDate\.now\s*\(|\bnew Date\(\s*\)/, /^src\/lib\/clock\.ts$/],
    [
      "chance is passed in",
      /\bMath\.random\b|\bgetRandomValues\b|\brandomUUID\b|\brandomBytes\s*\(\s*\d/,
      /^src\/lib\/ids\.ts$/,
    ],
  ];
  for (const [what, pattern, allowed] of ONLY_IN) {
    test(what, () => {
      const found = [...sources]
        .filter(([file]) => !allowed.test(file) && !file.startsWith("src/web/"))
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
      .filter(({ target }) => target.startsWith("src/http/openapi/"))
      .filter(({ file }) => !file.startsWith("src/http/openapi/"))
      .map(({ file }) => file);
    expect(found).toEqual(["src/http/server.ts"]);
  });

  test("of http the browser knows the shapes of replies, one file for each door, and nothing else", () => {
    const found = imports
      .filter(({ from, to }) => from === "web" && to === "http")
      .map(({ target }) => target);
    expect([...new Set(found)].toSorted()).toEqual([
      "src/http/admin/golden/shapes.ts",
      "src/http/admin/notices/shapes.ts",
      "src/http/admin/shapes.ts",
      "src/http/analytics/shapes.ts",
      "src/http/session/shapes.ts",
      "src/http/sign-in/shapes.ts",
    ]);
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

const FUNCTION_LINES_MAX = 60;
const FOLDER_FILES_MAX = 20;

/** Folders from which everyone takes the file they need: nothing in them has one idea above it. */
const SHELVES =
  /^src\/(?:lib|text|storage\/rows|storage\/sql|web\/dom|web\/dashboard\/kit|web\/widget\/languages)(?:\/|$)/;

/**
 * What others may import of a room besides its face, because the name says what it is: the interface of what it wants
 * stored, what its things look like to clients, and a page of the dashboard.
 */
const OUTWARD = /(?:(?:^|\/|-)stores?\.ts|\/(?:json|shapes)\.ts|-page\.tsx)$/;

/** The other files of a room that are imported from outside of it, and why. The list only shrinks. */
const SIDE_DOORS: Record<string, [files: string, why: string]> = {
  "src/analytics/conversations": [
    "drafts export list turns",
    "what the list, one conversation and the export have in common, which other rooms of analytics and its doors need",
  ],
  "src/analytics/overview": ["days", "days are counted alike in the searches"],
  "src/answer": [
    "events model-line responder",
    "`responder` is the seam that ollama implements, `model-line` the one that it stands on, `events` is what every door encodes",
  ],
  "src/app": [
    "addresses bundle data-directory egress fidelity json-schemas move parts seal served-address surroundings",
    "app.ts is its face; commands name the types of parts, show addresses, lock the directory, move what is in it, seal the process, list what may be dialled, look at pages, and make bundles and install them",
  ],
  "src/app/doors": ["mcp", "`docent mcp` opens the one door that needs no server"],
  "src/app/upkeep": [
    "present-notices requested-runs scheduled-backups",
    "the admin door starts the same runs; how backups go, and what is wrong now, is told by it and by commands",
  ],
  "src/cli": ["failure", "main.ts tells what went wrong before there is a command"],
  "src/cli/terminal": ["text", "every command makes text safe to print"],
  "src/bundle/archive": [
    "files pieces read write",
    "making reads files and cuts them, installing reads parts of them; each is the one way to do so",
  ],
  "src/cli/commands/serve": ["own-docs", "a bundle brings the documentation along that is in the program"],
  "src/config": [
    "load setting settings unknown-variables",
    "settings, and how they are read and explained: four files, each asked for by name",
  ],
  "src/curated": ["answer-file", "ingest and storage tell by it which page is a curated answer"],
  "src/embed": [
    "builtin embedder quantize",
    "`embedder` is the interface, `builtin` the one inside, `quantize` what storage and search do with vectors",
  ],
  "src/enrich": ["enrichment", "the shape of what is written, and the key of what it was written for"],
  "src/eval": [
    "baseline docent-system evaluate known-places paired question tables",
    "`docent eval`, and what a server measures, are put together from them",
  ],
  "src/eval/datasets": ["spans-file", "spans are scored apart"],
  "src/golden": ["comparison", "its JSON is what is kept of it"],
  "src/http": [
    "front metrics probes server",
    "server.ts is its face, and front.ts what stands before it until somebody asks; metrics are wired by the composition root",
  ],
  "src/http/admin": ["guard", "the doors of analytics have the same guard"],
  "src/http/admin/sources": ["runs uploads", "two doors of the room beside it"],
  "src/http/chat": ["secrets", "a wrong one is told at the start, when the door itself is not loaded"],
  "src/http/dashboard": ["assets", "server.ts mounts its files apart from its pages"],
  "src/http/messages": [
    "question schema v2 v2-schema",
    "OpenAI's door and the playground speak dialects of the same question",
  ],
  "src/http/openai": ["errors", "the server writes errors as OpenAI does below its paths"],
  "src/http/public-site": ["host", "the server asks which host a request is for, before any door"],
  "src/http/reader-site": ["signed-links", "links to it are made without a server, too"],
  "src/http/request": ["body etag fields kept-question", "parts of reading a request, taken one by one"],
  "src/http/session": ["cookie guard", "the admin door and the reader site know members by them"],
  "src/http/stream": [
    "answering stream-response streams",
    "parts of answering in a stream, taken one by one",
  ],
  "src/ingest/reading-process": [
    "read-for-parent",
    "the program is it, in the process that reads for another",
  ],
  "src/ingest/sources": ["byte-source", "what two processes say to each other is read as an archive is"],
  "src/ingest": [
    "check-addresses docs-overview source-reader",
    "the seam that every source reader implements, the tests' included; the shapes of what a run keeps",
  ],
  "src/keys": ["admin-keys", "keys of two kinds, each with a face"],
  "src/limits": ["concurrency", "how many at once, and how many in a time, are asked apart"],
  "src/markdown": [
    "anchors callouts destinations front-matter html-text maths notebook page page-format plain-text txt unwrap-definitions",
    "page.ts is its face; the others read less than a whole page",
  ],
  "src/markdown/rst": ["tables", "tables that are drawn are drawn alike in Pandoc's Markdown"],
  "src/mcp": ["over-http", "loaded when an agent comes"],
  "src/mcp/stdio": ["line-transport", "the type of the streams that a command hands over"],
  "src/members": [
    "member sign-in",
    "`member` is the shape, `sign-in` is mounted apart from managing members",
  ],
  "src/notices": [
    "notice way",
    "the shape of a notice, which storage keeps, and the seam that delivery implements",
  ],
  "src/pages": [
    "audience images inventory page-link page-path written-place",
    "paths and links of pages are pure, and everyone writes them; images are stored and served apart from pages",
  ],
  "src/pages/navigation": [
    "menu redirects",
    "the menu and the redirects of a source are read with the pages that navigation stands on",
  ],
  "src/search": [
    "analyze explain highlight joined-words",
    "words are cut, and kept, alike wherever they are compared; explaining and highlighting are for the doors",
  ],
  "src/sites": [
    "directory phrases settings",
    "`directory` is what the guard asks, `settings` and `phrases` are shapes",
  ],
  "src/storage": [
    "backup-download open-storage",
    "`open-storage` chooses the engine; a finished backup is streamed without one",
  ],
  "src/storage/move": ["tables", "the seam that both engines implement"],
  "src/stream": [
    "data-stream openai-chat openai-reply openai-response openai-response-id ui-message",
    "an encoder for each dialect of the wire",
  ],
  "src/threads": ["retention", "retention is a feature of its own"],
  "src/web": [
    "assets bundled",
    "browser code is bundled and served, and nothing else of it is known to the server",
  ],
  "src/web/conversation": [
    "connection state stream",
    "the state and the connection are what every chat draws from",
  ],
  "src/web/dashboard/content/add-source": [
    "source-fields",
    "one page of the dashboard borrows a part of another",
  ],
  "src/web/dashboard/content/upload": ["upload-form", "one page of the dashboard borrows a part of another"],
  "src/web/dashboard/conversations/evaluation": [
    "evaluation-dialog",
    "one page of the dashboard borrows a part of another",
  ],
  "src/web/dashboard/runs": [
    "ledger-table recognized run-watch run-words",
    "one page of the dashboard borrows a part of another",
  ],
  "src/web/dashboard/shell": ["pages", "one page of the dashboard borrows a part of another"],
  "src/web/dashboard/sign-in": ["sign-in-again", "one page of the dashboard borrows a part of another"],
  "src/web/widget": ["labels", "the dashboard edits the same labels"],
};

/** Functions that are longer, and folders that are wider, with why. The lists only shrink. */
const LONG_FUNCTIONS: Record<string, string> = {};
const WIDE_FOLDERS: Record<string, string> = {};

/** `src/answer/cache/` is entered by `src/answer/cache/cache.ts`, and `src/app/` by `src/app.ts`. */
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

  test("the inside of a room is its own: what is outside imports its face", () => {
    const found = new Map<string, Set<string>>();
    for (const { file, target } of imports) {
      const room = posix.dirname(target);
      if (room === "src" || isInside(file, room) || !/\.tsx?$/.test(target)) continue;
      if (isFace(target) || SHELVES.test(room) || OUTWARD.test(target)) continue;
      const name = posix.basename(target).replace(/\.\w+$/, "");
      found.set(room, (found.get(room) ?? new Set()).add(name));
    }
    const doors = [...found].map(([room, names]) => [room, [...names].sort().join(" ")] as const);
    const known = Object.entries(SIDE_DOORS).map(([room, [names]]) => [room, names] as const);
    expect(Object.fromEntries(doors)).toEqual(Object.fromEntries(known));
  });
});

/** The text without its comments; strings stay, so that what they hold is seen. */
function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, "").replace(/^\s*\/\/.*$/gm, "");
}
