import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { RULE_NAMES, type RuleName } from "../../../src/measuring/check/check.ts";
import { CLEAN, FAULTY } from "../../helpers/checked-repository.ts";
import { gitRepository } from "../../helpers/git-repository.ts";
import { runInProcess } from "../../helpers/run-in-process.ts";
import { temporaryDirectory } from "../../helpers/temporary-directory.ts";

type Given = Readonly<Record<string, string | undefined>>;

const check = (folder: string, ...more: string[]) =>
  runInProcess(["check", folder, ...more], { environment: { PATH: process.env["PATH"] ?? "" } });

async function report(folder: string, ...more: string[]) {
  const ran = await check(folder, "--json", ...more);
  return { ...ran, report: JSON.parse(ran.out) };
}

const namesOf = (folder: string, findings: { rule: string; file: string; line: number | null }[]) =>
  findings.map(({ rule, file, line }) => `${rule} ${relative(folder, file)}:${line}`);

test("docs in which nothing is wrong have no finding, and the exit code says so", async () => {
  using repository = gitRepository(CLEAN);
  const { code, report: found } = await report(repository.path, "--fail-on", "note");
  expect(found.findings).toEqual([]);
  expect(found).toMatchObject({ generator: "MkDocs", pages: 4, isPart: false, changes: null });
  expect(found.questions).toMatchObject([{ rank: 1, before: [], isAnswered: true }]);
  expect(code).toBe(0);
});

test("each fault is found once, with its rule, file and line", async () => {
  using repository = gitRepository(FAULTY);
  const { code, report: found } = await report(repository.path);
  expect(namesOf(repository.path, found.findings)).toEqual([
    "question-missed docent-questions.jsonl:3",
    "question-refused docent-questions.jsonl:5",
    "question-unknown-place docent-questions.jsonl:7",
    "broken-link docs/links.md:7",
    "broken-anchor docs/links.md:9",
    "left-out docs/map.png:null",
    "page-fault docs/odd.md:null",
    "missing-title docs/untitled.md:1",
    "orphan-page docs/lonely.md:1",
    "same-content docs/copy.md:1",
    "repeated-anchor docs/twice.md:11",
    "repeated-heading docs/twice.md:19",
    "missing-description docs/odd.md:1",
  ]);
  expect(found.counts).toEqual({ error: 4, warning: 7, note: 2 });
  expect(code).toBe(2);
  const missed = found.findings[0].message;
  expect(missed).toContain("should find /proxy, which comes at place");
  expect(missed).toContain("before it comes /plain");
});

test("a title that finds other pages first is found", async () => {
  const about = (more: string) =>
    `# Parcel office of Cairo${more}\n\nThe parcel office of Cairo${more} opens at nine.\n`;
  using repository = gitRepository({
    "a.md": "---\ntitle: Parcel office in Cairo\n---\n\nIt rains on Tuesdays, and nobody comes.\n",
    "b.md": about(" and Giza"),
    "c.md": about(" and Luxor"),
  });
  const { report: found } = await report(repository.path, "--results", "1");
  expect(namesOf(repository.path, found.findings)).toEqual(["title-not-found a.md:1"]);
});

test("people see each rule once with its findings below it, and at most as many as they ask for", async () => {
  using repository = gitRepository({
    "a.md": "# First page\n\n[one](one.md) [two](two.md) [three](three.md)\n",
  });
  const { out, code } = await check(repository.path, "--show", "2");
  expect(out.match(/error broken-link/g)).toHaveLength(1);
  expect(out.match(/leads to no page/g)).toHaveLength(2);
  expect(out).toContain("and 1 more: --show 3 lists them");
  expect(out).toContain("1 page: 3 errors, 0 warnings, 0 notes.");
  expect(code).toBe(2);
});

test("the exit code follows --fail-on, and a rule that is ignored finds nothing", async () => {
  using repository = gitRepository({ "a.md": "# First page\n\n[one](#nowhere)\n\n## Part\n\nWords.\n" });
  const codeOf = async (...more: string[]) => (await check(repository.path, ...more)).code;
  expect(await codeOf()).toBe(0);
  expect(await codeOf("--fail-on", "warning")).toBe(2);
  expect(await codeOf("--fail-on", "never")).toBe(0);
  expect(await codeOf("--fail-on", "note", "--ignore", "broken-anchor")).toBe(0);
});

test.each([
  [["--ignore", "no-such-rule"], "There is no rule no-such-rule."],
  [["--fail-on", "sometimes"], "--fail-on is one of error, warning, note, never"],
  [["--new-only"], "--new-only needs a revision"],
  [["--format", "sarif", "--json"], "cannot both be printed"],
  [["--results", "0"], "--results is a number from 1 to 50"],
  [["--questions", "nowhere.jsonl"], "There is no file nowhere.jsonl"],
  [["--against", "main"], "is in no git repository"],
  [["--sarif", "no/such/folder/report.sarif"], "could not be written"],
])("what cannot be checked ends with 1 and says why: %p", async (more, says) => {
  using folder = temporaryDirectory();
  await Bun.write(join(folder.path, "a.md"), "# First page\n\nWords.\n");
  const { code, err } = await check(folder.path, ...more);
  expect(err).toContain(says);
  expect(code).toBe(1);
});

test("a revision that the repository does not have is named, with what a copy for CI lacks", async () => {
  using repository = gitRepository(CLEAN);
  const { code, err } = await check(repository.path, "--against", "origin/main");
  expect(err).toContain("has no revision origin/main");
  expect(err).toContain("ask for its whole history");
  expect(code).toBe(1);
});

/** Commits docs, changes them in the folder alone, and checks them against the commit. */
async function against(before: Readonly<Record<string, string>>, changes: Given, ...more: string[]) {
  const repository = gitRepository(before);
  repository.commit(changes);
  const state = () => repository.git("status", "--porcelain") + repository.git("rev-parse", "HEAD");
  const was = state();
  const ran = await report(repository.path, "--against", "HEAD~1", ...more);
  expect(state()).toBe(was);
  return {
    ...ran,
    names: namesOf(repository.path, ran.report.findings),
    [Symbol.dispose]: repository[Symbol.dispose],
  };
}

test("against a revision: pages that are new, gone and moved are told apart, and a redirect counts", async () => {
  using ran = await against(
    CLEAN,
    {
      "docs/proxy.md": undefined,
      "docs/backups.md": undefined,
      "docs/saved/backups.md": CLEAN["docs/backups.md"]?.replace("install.md#", "../install.md#"),
      "docs/new.md": "---\ndescription: New.\n---\n\n# Something new\n\nWhich was not there.\n",
      "mkdocs.yml": "site_name: Acme\nnav:\n  - index.md\n  - install.md\n  - saved/backups.md\n  - new.md\n",
    },
    "--fail-on",
    "warning",
  );
  expect(ran.report.changes).toEqual({
    against: "HEAD~1",
    added: ["new"],
    removed: ["proxy"],
    moved: [{ from: "backups", to: "saved/backups", isRedirected: false }],
    questions: [],
  });
  expect(ran.names).toEqual(["page-moved docs/saved/backups.md:1", "page-removed docs/proxy.md:null"]);
  expect(ran.report.findings.every(({ isNew }: { isNew: boolean }) => isNew)).toBe(true);
  expect(ran.code).toBe(2);
  using redirected = await against(CLEAN, {
    "docs/backups.md": undefined,
    "docs/saved.md": CLEAN["docs/backups.md"],
    "mkdocs.yml":
      "site_name: Acme\nnav:\n  - index.md\n  - install.md\n  - saved.md\n  - proxy.md\nplugins:\n  - redirects:\n      redirect_maps:\n        backups.md: saved.md\n",
  });
  expect(redirected.names).toEqual([]);
  expect(redirected.report.changes.moved).toMatchObject([{ from: "backups", isRedirected: true }]);
});

test("with --new-only what was there before neither counts nor is shown, also where its lines have moved", async () => {
  const before = { ...CLEAN, "docs/proxy.md": `${CLEAN["docs/proxy.md"]}\n[old](old.md)\n` };
  const moved = { "docs/proxy.md": `${before["docs/proxy.md"].replace("nginx", "nginx,\n\nor Caddy,\n\n")}` };
  using same = await against(before, moved, "--new-only");
  expect(same.code).toBe(0);
  expect(same.report.findings).toMatchObject([{ rule: "broken-link", isNew: false }]);
  using more = await against(
    before,
    { "docs/proxy.md": `${before["docs/proxy.md"]}\n[new](new.md)\n` },
    "--new-only",
  );
  expect(more.code).toBe(2);
  expect(more.report.findings.map(({ isNew }: { isNew: boolean }) => isNew)).toEqual([false, true]);
});

test("a question that finds its page later than before is worse, and one that is answered now is better", async () => {
  const before = {
    ...CLEAN,
    "docent-questions.jsonl": [
      '{"question": "How do I install Acme on Linux?", "expected": "install"}',
      '{"question": "How often are parcels weighed?", "expected": "proxy"}',
      "",
    ].join("\n"),
  };
  using ran = await against(before, {
    "docs/install.md": CLEAN["docs/install.md"]
      ?.replace("Installing on Linux", "Beginning")
      .replace(/Unpack.*/, "Ask us."),
    "docs/backups.md": `${CLEAN["docs/backups.md"]}\n## How to install Acme on Linux\n\nTo install Acme on Linux, unpack it.\n`,
    "docs/proxy.md": `${CLEAN["docs/proxy.md"]}\n## How often parcels are weighed\n\nParcels are weighed daily.\n`,
  });
  expect(ran.names).toContain("question-worse docent-questions.jsonl:1");
  expect(ran.report.changes.questions).toMatchObject([
    { question: "How do I install Acme on Linux?", before: 1, isBetter: false },
    { question: "How often are parcels weighed?", before: null, now: 1, isBetter: true },
  ]);
});

test("only the folder that was named is read of a revision, and one that was not there then is all new", async () => {
  using repository = gitRepository({ "other.md": "# Other page\n\nWords.\n" });
  repository.commit({ "docs/a.md": "# First page\n\nWords.\n" });
  const { report: found } = await report(join(repository.path, "docs"), "--against", "HEAD~1");
  expect(found.changes).toMatchObject({ added: ["a"], removed: [] });
});

test("nothing is left behind: no data directory, and no temporary folder", async () => {
  using repository = gitRepository(CLEAN);
  using temporary = temporaryDirectory();
  using home = temporaryDirectory();
  const before = readdirSync(repository.path).toSorted();
  const ran = Bun.spawnSync(
    [process.execPath, join(import.meta.dir, "../../../src/main.ts"), "check", ".", "--against", "HEAD"],
    {
      cwd: repository.path,
      env: {
        PATH: process.env["PATH"],
        TMPDIR: temporary.path,
        BUN_RUNTIME_TRANSPILER_CACHE_PATH: home.path,
        HOME: home.path,
      },
    },
  );
  expect(ran.stderr.toString()).toBe("");
  expect(ran.exitCode).toBe(0);
  expect(readdirSync(repository.path).toSorted()).toEqual(before);
  expect(readdirSync(temporary.path)).toEqual([]);
});

test("the page of documentation names every rule with its severity", () => {
  const page = readFileSync(join(import.meta.dir, "../../../docs/check.md"), "utf8");
  const named = [...page.matchAll(/^\| `([a-z-]+)` \| (error|warning|note) \|/gm)].map(([, name]) => name);
  expect(named.toSorted()).toEqual([...RULE_NAMES].toSorted() satisfies RuleName[]);
});
