import { describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isSkipped } from "../../../src/reading/source-reader.ts";
import { createGitReader, type GitOptions } from "../../../src/reading/sources/git/git.ts";
import type { GitNetwork } from "../../../src/reading/sources/git/network.ts";
import { gitRepository, hasGit, sshToHere } from "../../helpers/git-repository.ts";
import { listContext } from "../../helpers/list-context.ts";
import { appErrorOf } from "../../helpers/rejection.ts";
import { temporaryDirectory } from "../../helpers/temporary-directory.ts";

if (!hasGit) process.stderr.write("\nNO GIT ON THIS MACHINE: the tests of the git source are skipped\n");

const FILES = {
  "README.md": "# Repo",
  "docs/index.md": "# Docs",
  "docs/guide/ü b.md": "Größe",
  "docs/_part.md": "part",
  "docs/logo.png": "png",
  "docs/.gitignore": "draft.md\n",
  "docs/draft.md": "no",
  ".github/x.md": "no",
};

/** Every name is this machine, which may be reached. */
const HERE = {
  privateHosts: ["127.0.0.1"],
  certificateAuthorities: [],
  resolve: async () => ["127.0.0.1"],
} satisfies GitNetwork;

async function readGit(options: Partial<GitOptions> & { location: string }, signal?: AbortSignal) {
  using cache = temporaryDirectory();
  const reader = createGitReader({
    cacheFolder: cache.path,
    fileBytesMax: 1000,
    environment: process.env,
    allowsLocal: true,
    ...HERE,
    ...options,
  });
  const pages: Record<string, string> = {};
  const validators: Record<string, string | undefined> = {};
  const skipped: Record<string, string> = {};
  for await (const item of reader.list(listContext(signal))) {
    if (isSkipped(item)) skipped[item.location] = `${item.reason}: ${item.detail}`;
    else {
      pages[item.path] = new TextDecoder().decode(await item.read());
      validators[item.path] = item.validator;
    }
  }
  return { pages, validators, skipped };
}

describe.skipIf(!hasGit)("a repository on this machine", () => {
  test("its pages are those of its last commit, by the same rules as a folder's", async () => {
    using repository = gitRepository(FILES);
    writeFileSync(join(repository.path, "docs", "index.md"), "not committed");
    const { pages, skipped } = await readGit({ location: repository.path });
    // What is committed is tracked, whatever git was told to ignore later.
    expect(pages).toEqual({ "": "# Repo", docs: "# Docs", "docs/draft": "no", "docs/guide/ü b": "Größe" });
    expect(Object.keys(skipped)).toEqual(["docs/_part.md"]);
  });

  test("a subfolder is the root of its pages", async () => {
    using repository = gitRepository(FILES);
    const { pages } = await readGit({ location: repository.path, subfolder: "/docs/" });
    expect(pages).toEqual({ "": "# Docs", draft: "no", "guide/ü b": "Größe" });
  });

  test("a subfolder's pages are published as the configuration above it says, with what they take from beside it", async () => {
    using repository = gitRepository({
      "mkdocs.yml":
        "site_name: Acme\nmarkdown_extensions: [pymdownx.snippets]\nnav: [{Home: index.md}, {Setup: Setup_Guide.md}]\n",
      "docs/index.md": "# Docs\n\n--8<-- 'shared.txt'\n",
      "docs/Setup_Guide.md": "# Setup\n\n--8<-- 'gone.txt'\n",
      "shared.txt": "Shared words.",
      "README.md": "# Repo",
    });
    const { pages, skipped } = await readGit({ location: repository.path, subfolder: "docs" });
    expect(Object.keys(pages).sort()).toEqual(["", "Setup_Guide"]);
    expect(pages[""]).toContain("Shared words.");
    expect(skipped).toEqual({});
  });

  test("a subfolder that belongs to no docs generator is read as its files lie, whatever is beside it", async () => {
    using repository = gitRepository({
      "website/docusaurus.config.js": "module.exports = { url: 'https://acme.example' };",
      "website/docs/a.md": "# A",
      "notes/b.md": "# B",
    });
    const { pages, skipped } = await readGit({ location: repository.path, subfolder: "notes" });
    expect(pages).toEqual({ b: "# B" });
    expect(skipped).toEqual({});
  });

  test("a folder whose name is private is read where it is the one that was named", async () => {
    using repository = gitRepository({ ".github/a.md": "# A", ".github/.b/c.md": "# C" });
    const { pages } = await readGit({ location: repository.path, subfolder: ".github" });
    expect(pages).toEqual({ a: "# A" });
  });

  test("a branch and a tag are read where they are", async () => {
    using repository = gitRepository({ "a.md": "main" });
    repository.git("tag", "--annotate", "v1", "--message", "v1");
    repository.git("checkout", "--quiet", "-b", "feature/next");
    repository.commit({ "a.md": "next" });
    repository.git("checkout", "--quiet", "main");
    const textOn = async (branch: string) =>
      (await readGit({ location: repository.path, branch })).pages["a"];
    expect(await Promise.all(["main", "v1", "feature/next"].map(textOn))).toEqual(["main", "main", "next"]);
  });

  test("a bare repository is read too", async () => {
    using repository = gitRepository({ "a.md": "bare" });
    using folder = temporaryDirectory();
    repository.git("clone", "--quiet", "--bare", repository.path, join(folder.path, "bare.git"));
    expect((await readGit({ location: join(folder.path, "bare.git") })).pages).toEqual({ a: "bare" });
  });

  test("a validator changes with the content, and with nothing else", async () => {
    using repository = gitRepository({ "a.md": "one", "b.md": "two" });
    const before = (await readGit({ location: repository.path })).validators;
    repository.commit({ "a.md": "changed", "c.md": "two" });
    const after = (await readGit({ location: repository.path })).validators;
    expect(after["b"]).toBe(before["b"] ?? "none");
    expect(after["c"]).toBe(before["b"] ?? "none");
    expect(after["a"]).not.toBe(before["a"]);
  });

  test("docs that were built beside their source, in the commit, are named with what reads them", async () => {
    const names = ["index", "a", "b"];
    using repository = gitRepository({
      "mkdocs.yml": "site_name: Acme",
      "docs/index.md": "# A",
      ...Object.fromEntries(names.map((name) => [`site/${name}.html`, `<p>${name}</p>`])),
    });
    const { skipped } = await readGit({ location: repository.path });
    expect(skipped["site"]).toStartWith("assumed: holds HTML that MkDocs seems to have built");
    expect(skipped["site"]).toContain(
      `"docent ingest <domain> ${repository.path} --kind git --subfolder site"`,
    );
  });

  test("links and submodules are not followed, what is too large is said", async () => {
    using repository = gitRepository({ "a.md": "a", "big.md": "x".repeat(1001) });
    using other = gitRepository({ "inside.md": "other" });
    symlinkSync("/etc/passwd", join(repository.path, "passwd.md"));
    repository.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", other.path, "sub");
    repository.commit({});
    const { pages, skipped } = await readGit({ location: repository.path });
    expect(pages).toEqual({ a: "a" });
    expect(skipped).toEqual({
      "big.md": "too_large: is larger than 1000 bytes",
      "passwd.md": "outside: is a link, which is not followed in a repository",
    });
  });

  test("blobs of every size come whole, in any order, and after the list has ended", async () => {
    const texts = ["", "\n", "a\0b", "x".repeat(70_000), "ends with a newline\n"];
    using repository = gitRepository(Object.fromEntries(texts.map((text, index) => [`${index}.md`, text])));
    const options = {
      cacheFolder: "/none",
      environment: process.env,
      allowsLocal: true,
      fileBytesMax: 100_000,
      ...HERE,
    };
    const reader = createGitReader({ location: repository.path, ...options });
    const items = (await Array.fromAsync(reader.list(listContext()))).flatMap((item) =>
      isSkipped(item) ? [] : [item],
    );
    const read = await Promise.all(
      items.toReversed().map(async (item) => Buffer.from(await item.read()).toString()),
    );
    expect(read.toReversed()).toEqual(texts);
  });

  test("nothing that the repository sets is run", async () => {
    using repository = gitRepository({ "a.md": "a", ".gitattributes": "*.md diff=x filter=x\n" });
    const mark = join(repository.path, "was-run");
    for (const [name, value] of [
      ["core.fsmonitor", `touch ${mark}`],
      ["core.pager", `touch ${mark}`],
      ["alias.ls-tree", `!touch ${mark}`],
      ["core.sshCommand", `touch ${mark}`],
      ["diff.x.textconv", `touch ${mark}`],
      ["filter.x.smudge", `touch ${mark}`],
    ])
      repository.git("config", name ?? "", value ?? "");
    writeFileSync(join(repository.path, ".git", "hooks", "post-index-change"), `#!/bin/sh\ntouch ${mark}\n`, {
      mode: 0o755,
    });
    expect((await readGit({ location: repository.path })).pages).toEqual({ a: "a" });
    expect(existsSync(mark)).toBe(false);
  });

  test("what is not there is said: the folder, the repository, the branch, the subfolder, a commit", async () => {
    using repository = gitRepository({ "docs/a.md": "a" });
    using empty = gitRepository();
    using folder = temporaryDirectory();
    mkdirSync(join(repository.path, "untracked"));
    const location = repository.path;
    const cases: [Partial<GitOptions> & { location: string }, string][] = [
      [{ location: join(folder.path, "none") }, "There is no folder"],
      [{ location: folder.path }, "is not a git repository"],
      [{ location: join(location, "docs") }, "is not a git repository"],
      [{ location, branch: "gone" }, "has no branch or tag gone"],
      [{ location, subfolder: "nowhere" }, "has no folder nowhere"],
      [{ location, subfolder: "docs/a.md" }, "has no folder docs/a.md"],
      [{ location: empty.path }, "has no commit yet"],
    ];
    for (const [options, words] of cases) {
      const error = await appErrorOf(() => readGit(options));
      expect([error.code, error.message]).toEqual(["not_found", expect.stringContaining(words)]);
    }
  });

  test("without git it is said what to do", async () => {
    using repository = gitRepository({ "a.md": "a" });
    const error = await appErrorOf(() =>
      readGit({ location: repository.path, environment: { PATH: "/nowhere" } }),
    );
    expect([error.code, error.message]).toEqual(["unavailable", expect.stringContaining("no git")]);
    expect(error.hint).toContain("Install git");
  });

  test("reading stops when it is told to", async () => {
    using repository = gitRepository({ "a.md": "a" });
    await expect(readGit({ location: repository.path }, AbortSignal.abort())).rejects.toThrow();
  });
});

describe.skipIf(!hasGit)("a repository on a server", () => {
  test("a second run fetches and reads only what is new", async () => {
    using repository = gitRepository({ "a.md": "one", "b.md": "two" });
    using folder = temporaryDirectory();
    const options = {
      location: `ssh://git@docs.test${repository.path}`,
      cacheFolder: join(folder.path, "cache"),
      environment: sshToHere(folder.path),
    };
    const first = await readGit(options);
    expect(first.pages).toEqual({ a: "one", b: "two" });
    repository.commit({ "a.md": undefined, "b.md": "changed", "c.md": "new" });
    const second = await readGit(options);
    expect(second.pages).toEqual({ b: "changed", c: "new" });
    expect(readdirSync(options.cacheFolder)).toHaveLength(1);
  });

  test("history that was written anew is followed", async () => {
    using repository = gitRepository({ "a.md": "one" });
    using folder = temporaryDirectory();
    const options = {
      location: `docs.test:${repository.path}`,
      cacheFolder: folder.path,
      environment: sshToHere(folder.path),
    };
    await readGit(options);
    repository.git("checkout", "--quiet", "--orphan", "fresh");
    repository.commit({ "a.md": "anew" });
    repository.git("branch", "--force", "--move", "fresh", "main");
    expect((await readGit(options)).pages).toEqual({ a: "anew" });
  });

  test("a branch, and a tag of the same form, are found", async () => {
    using repository = gitRepository({ "a.md": "tagged" });
    using folder = temporaryDirectory();
    repository.git("tag", "--annotate", "v1.0", "--message", "v1");
    repository.commit({ "a.md": "newer" });
    repository.git("branch", "stable");
    const base = {
      location: `ssh://docs.test${repository.path}`,
      cacheFolder: folder.path,
      environment: sshToHere(folder.path),
    };
    expect((await readGit({ ...base, branch: "v1.0" })).pages).toEqual({ a: "tagged" });
    expect((await readGit({ ...base, branch: "stable" })).pages).toEqual({ a: "newer" });
    const error = await appErrorOf(() => readGit({ ...base, branch: "gone" }));
    expect([error.code, error.message]).toEqual([
      "not_found",
      expect.stringContaining("no branch or tag gone"),
    ]);
  });

  test("a mirror that a crash has left locked or broken is made again", async () => {
    using repository = gitRepository({ "a.md": "one" });
    using folder = temporaryDirectory();
    const cacheFolder = join(folder.path, "cache");
    const options = {
      location: `ssh://docs.test${repository.path}`,
      cacheFolder,
      environment: sshToHere(folder.path),
    };
    for (const [name, text] of [
      ["shallow.lock", ""],
      ["config", "[core"],
      ["HEAD", ""],
      ["shallow", "nonsense"],
    ] as const) {
      await readGit(options);
      writeFileSync(join(cacheFolder, readdirSync(cacheFolder)[0] ?? "", name), text);
      repository.commit({ "a.md": name });
      expect((await readGit(options)).pages).toEqual({ a: name });
    }
  });

  test.each([
    [
      "echo 'git@docs.test: Permission denied (publickey).' >&2; exit 255",
      "forbidden",
      "did not let Docent in",
    ],
    ["echo 'Host key verification failed.' >&2; exit 255", "forbidden", "key is not known"],
    ["echo 'ssh: Could not resolve hostname docs.test' >&2; exit 255", "unavailable", "could not be fetched"],
    ["echo 'ERROR: Repository not found.' >&2; exit 1", "not_found", "no repository"],
  ])("what the server says is passed on: %s", async (script, code, words) => {
    using folder = temporaryDirectory();
    const environment = sshToHere(folder.path, script);
    const error = await appErrorOf(() =>
      readGit({ location: "git@docs.test:some/repo.git", cacheFolder: folder.path, environment }),
    );
    expect([error.code as string, error.message]).toEqual([code, expect.stringContaining(words)]);
    expect(error.hint).toBeString();
  });

  test("a server that never answers is left, when the time is over and when it is told to", async () => {
    using folder = temporaryDirectory();
    const options = {
      location: "ssh://docs.test/repo",
      cacheFolder: folder.path,
      environment: sshToHere(folder.path, "exec cat"),
    };
    const error = await appErrorOf(() => readGit({ ...options, timeoutMs: 150 }));
    expect([error.code, error.message]).toEqual(["unavailable", expect.stringContaining("did not finish")]);
    const stop = new AbortController();
    setTimeout(() => stop.abort(new Error("told to")), 100);
    await expect(readGit(options, stop.signal)).rejects.toThrow("told to");
  });
});
