import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import type { SearchQuery } from "../../../src/finding/search/search.ts";
import { readIdentifierSet } from "../../../src/measuring/eval/identifiers/identifiers.ts";
import { canonicalPath } from "../../../src/measuring/eval/question.ts";
import { createBuiltinEmbedder, readBuiltinAsset } from "../../../src/models/builtin/builtin.ts";
import { createFolderReader } from "../../../src/reading/sources/folder/folder.ts";
import { openIngestSite } from "../../helpers/ingest-site.ts";
import { openSearch } from "../../helpers/open-search.ts";

const FOLDER = join(import.meta.dir, "../../fixtures/conversations/docs");

/** Pages that speak of the same things in other words, so that what is near is not what has the name. */
const PAGES: Record<string, string> = {
  linker:
    "# Linker errors\n\nThe linker cannot find a symbol.\n\n## LNK2019\n\nAn unresolved external symbol. Add the library.",
  compiler:
    "# Compiler errors\n\nThe compiler stops at errors.\n\n## C2065\n\nAn undeclared identifier. Include the header.",
  fatal: "# Fatal errors\n\nErrors that end the build: the compiler, the linker and error C2066 of both.",
  debug:
    "# Debugging\n\nThe compiler option `/Zi` writes debugging information, and `/ZI` too, for a debugger.",
  optimize:
    "# Optimizing\n\nThe compiler option `/GX` is for exceptions; debugging information comes from another option.",
  warnings: "# Warnings\n\nWarnings are turned on by `-Wall`. A compiler option for all warnings.",
  deploy:
    "# Deploying\n\n`deploy --dry-run` shows what a deployment would do, and does nothing. A trial of the deployment.",
  trial:
    "# Trials\n\nA trial run before a deployment is a dry practice: run it to see what a deployment would do.",
  settings:
    "# Settings\n\nWhat to retry: `max_retry_count` says how often, `retry.delayMs` how long to wait.",
  retries:
    "# Retries\n\nThe count of retries is limited to a maximum. How often a retry is made, and how long to wait.",
  hooks: "# Hooks\n\nIn a component, `useChatStream()` gives the messages of a chat while they stream.",
  streaming: "# Streaming\n\nTo use a chat as a stream, open the connection and read the chat's messages.",
  containers:
    "# Containers\n\n`std::vector` grows; `std::span` does not. Printing a container takes `operator<<`, comparing it `operator ==`.",
  algorithms:
    "# Algorithms\n\nA vector grows as it is filled. An operator may be overloaded for a container.",
  processes: "# Processes\n\n`Get-Process` lists what runs. `Stop-Process` ends it.",
  listing: "# Listing\n\nTo get each process that runs, list the processes. To stop a process, end it.",
  manifest:
    "# The manifest\n\n`package.json` names what the program needs. `tsconfig.base.json` is for the compiler.",
  packages: "# Packages\n\nA package is described in JSON: its name, its version, what the program needs.",
  environment: "# Environment\n\n`DOCENT_LOG_LEVEL` is the level of the log. `$HOME` is where it writes.",
  logging: "# Logging\n\nThe log has a level in the environment: what is below the level is not logged.",
  releases:
    "# Releases\n\n## v1.2.3\n\nA faster index.\n\n## v1.2.4\n\nA smaller index.\n\n## 10.0.19041\n\nThe first one.",
  history:
    "# History\n\nEvery version of the index since version 1.2 was faster, and smaller, than the one before.",
  languages:
    "# Languages\n\nC++17 has structured bindings. C# and F# run on .NET. Both `&&` and `||` are lazy.",
  preprocessor: "# Preprocessor\n\n`#pragma once` guards a header. It is a directive.",
  joining: "# Joining\n\nFlags are read as `dryRun` by the library. Both are a flag of the library.",
  quotes:
    "# Words\n\nThe engine is turned off only after the last passenger has left. Turn the light off behind them.",
  engines:
    "# Engines\n\nTurn the engine off after a journey. The last passenger turned the engine off and left.",
  中文: "# 数据库\n\n数据库连接失败时，请检查配置文件中的端口。",
  安装: "# 安装\n\n下载安装程序并运行。选择一个端口。",
};

async function opened() {
  const embedder = createBuiltinEmbedder(readBuiltinAsset);
  const it = await openIngestSite({ embedder });
  await it.run(PAGES);
  await it.run(createFolderReader({ root: FOLDER, fileBytesMax: 1_000_000 }), { location: FOLDER });
  const search = openSearch(it.storage, { embedder, questionVectorSeconds: 10 });
  const paths = async (text: string, change: Partial<SearchQuery> = {}) => {
    const { hits } = await search.find({
      audience: "everything",
      siteId: it.site.id,
      text,
      pageSize: 20,
      ...change,
    });
    return [...new Set(hits.map(({ path }) => canonicalPath(path)))];
  };
  const rank = async (text: string, pages: readonly string[], parts?: SearchQuery["parts"]) => {
    const at = (await paths(text, { parts })).findIndex((path) => pages.includes(path));
    return at < 0 ? Number.POSITIVE_INFINITY : at + 1;
  };
  return { paths, rank, [Symbol.dispose]: it[Symbol.dispose] };
}

let site: Awaited<ReturnType<typeof opened>>;
beforeAll(async () => {
  site = await opened();
});
afterAll(() => site[Symbol.dispose]());

const KEYWORD = { keyword: true, nearest: false };

describe("what only one page has is found there first", () => {
  const ASKED: [page: string, ...questions: string[]][] = [
    [
      "linker",
      "LNK2019",
      "lnk2019",
      "what does LNK2019 mean",
      "I get error lnk2019, how do I fix the build?",
    ],
    ["compiler", "C2065", "c2065", "how do I fix C2065 in the compiler"],
    ["fatal", "C2066", "which errors of the linker and the compiler are like c2066"],
    ["debug", "/Zi", "/zi", "how do I use /Zi"],
    ["optimize", "/GX", "/gx", "what is the compiler option /GX for debugging"],
    ["warnings", "-Wall", "-wall", "is there a compiler option like -Wall"],
    ["deploy", "--dry-run", "--DRY-RUN", "what does --dry-run do"],
    ["joining", "dryRun", "dryrun", "what is dryRun in the library"],
    ["settings", "max_retry_count", "MAX_RETRY_COUNT", "how do I set max_retry_count", "maxRetryCount"],
    ["settings", "retry.delayMs", "retry.delayms", "where is retry.delayms documented?"],
    ["hooks", "useChatStream", "usechatstream", "which messages does usechatstream give"],
    ["containers", "std::vector", "STD::VECTOR", "how do I use std::vector", "std::span"],
    ["containers", "operator<<", "operator <<", "what does operator== do with a container"],
    [
      "processes",
      "Get-Process",
      "get-process",
      "how do I use Get-Process",
      "give me an example of stop-process",
    ],
    ["manifest", "package.json", "PACKAGE.JSON", "what belongs in package.json?", "tsconfig.base.json"],
    ["environment", "DOCENT_LOG_LEVEL", "docent_log_level", "how do I set DOCENT_LOG_LEVEL", "$HOME"],
    ["releases", "v1.2.3", "V1.2.3", "what is faster in v1.2.3", "10.0.19041", "does it need 10.0.19041"],
    ["languages", "C++17", "c++17", "what does C++17 have", "F#", ".NET", "&&", "what does || do"],
    ["preprocessor", "#pragma", "pragma", "what is #pragma once"],
    [
      "quotes",
      '"only after the last passenger has"',
      "where does it say “after the last passenger has left”?",
    ],
    ["engines", '"Turn the engine off after"', "«passenger turned the engine off»"],
  ];
  for (const [page, ...questions] of ASKED) {
    for (const question of questions) {
      test(`${question} is on ${page}`, async () => {
        expect(await site.rank(question, [page])).toBe(1);
        expect(await site.rank(question, [page], KEYWORD)).toBe(1);
      });
    }
  }

  test("names of the same words are found by each other, however they are joined", async () => {
    for (const question of ["dry_run", "dry-run", "dryRun", "--dry-run"]) {
      expect((await site.paths(question)).slice(0, 2).toSorted()).toEqual(["deploy", "joining"]);
    }
  });

  test("a name's parts find it", async () => {
    for (const [question, page] of [
      ["max retry count", "settings"],
      ["chat stream", "hooks"],
      ["dry run", "deploy"],
      ["log level", "environment"],
      ["tsconfig", "manifest"],
    ] as const) {
      expect((await site.paths(question)).slice(0, 3)).toContain(page);
    }
  });
});

describe("every name and phrase of a documentation", () => {
  test("is found by meaning and words as high as by words alone, and first where it is on one page", async () => {
    const { tasks } = await readIdentifierSet(FOLDER, "");
    const questions = tasks.flatMap((task) => task.questions);
    const whole = questions.filter(({ subset }) => !subset.endsWith("by its parts"));
    expect(whole.length).toBeGreaterThan(200);
    const lost: string[] = [];
    const notFirst: string[] = [];
    for (const { text, pages } of whole) {
      const golds = [...pages.keys()];
      const fused = await site.rank(text, golds);
      if (fused > (await site.rank(text, golds, KEYWORD))) lost.push(text);
      if (fused > 1) notFirst.push(text);
    }
    expect({ lost, notFirst }).toEqual({ lost: [], notFirst: [] });
  });
});

describe("search as you type", () => {
  const asYouType = (text: string) => site.paths(text, { asYouType: true });

  test("every beginning of the last word keeps the page among the results", async () => {
    for (const [before, word, page] of [
      ["", "LNK2019", "linker"],
      ["undeclared ", "identifier", "compiler"],
      ["", "useChatStream", "hooks"],
      ["the ", "max_retry_count", "settings"],
      ["compiler option --", "dry-run", "deploy"],
      ["", "structured", "languages"],
      ["", "preprocessor", "preprocessor"],
      ["debugging ", "information", "debug"],
    ] as const) {
      for (let length = 3; length <= word.length; length++) {
        const text = `${before}${word.slice(0, length)}`;
        expect([text, await asYouType(text)]).toEqual([text, expect.arrayContaining([page])]);
      }
    }
  });

  test("the beginning of a Chinese word finds it", async () => {
    for (const text of ["数", "数据", "数据库", "数据库连", "数据库连接"])
      expect((await asYouType(text))[0]).toBe("中文");
    for (const text of ["安", "安装", "安装程"]) expect((await asYouType(text))[0]).toBe("安装");
  });

  test("behind a space nothing is being typed", async () => {
    expect(await asYouType("preproc")).toContain("preprocessor");
    expect(await asYouType("preproc ")).toEqual(await site.paths("preproc "));
    expect(await site.paths("preproc", { parts: KEYWORD })).not.toContain("preprocessor");
  });
});
