import { describe, expect, test } from "bun:test";
import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { isSkipped } from "../../../src/reading/source-reader.ts";
import { createGitReader } from "../../../src/reading/sources/git/git.ts";
import { type GitRepository, gitRepository, hasGit } from "../../helpers/git-repository.ts";
import { listContext } from "../../helpers/list-context.ts";
import { appErrorOf } from "../../helpers/rejection.ts";
import { temporaryDirectory } from "../../helpers/temporary-directory.ts";

interface Reading {
  branch?: string;
  signal?: AbortSignal;
  cacheFolder?: string;
}

/** The pages of a repository that an admin key named, with its folder as the only root. */
async function readInside({ path }: { path: string }, { branch, signal, cacheFolder }: Reading = {}) {
  using cache = temporaryDirectory();
  const reader = createGitReader({
    location: path,
    branch,
    fileBytesMax: 1000,
    environment: process.env,
    allowsLocal: true,
    privateHosts: [],
    certificateAuthorities: [],
    cacheFolder: cacheFolder ?? cache.path,
    isInside: (place) => place === path || place.startsWith(`${path}/`),
  });
  const pages: Record<string, string> = {};
  for await (const item of reader.list(listContext(signal)))
    if (!isSkipped(item)) pages[item.path] = new TextDecoder().decode(await item.read());
  return pages;
}

/** A repository whose branch names the commit of another, of which it has nothing. */
function namesCommitOf(outside: GitRepository): GitRepository {
  const inside = gitRepository({ "a.md": "# Inside" });
  writeFileSync(join(inside.path, ".git", "refs", "heads", "main"), `${outside.git("rev-parse", "HEAD")}\n`);
  return inside;
}

/** Every way by which files in a repository lead git to another one. */
const WAYS_OUT: Record<string, (inside: string, outside: string) => void> = {
  "its objects are a link": (inside, outside) => replace(inside, outside, "objects"),
  "a pack folder is a link": (inside, outside) => replace(inside, outside, "objects/pack"),
  "it names alternates": (inside, outside) => {
    mkdirSync(join(inside, "objects", "info"), { recursive: true });
    writeFileSync(join(inside, "objects", "info", "alternates"), `${join(outside, "objects")}\n`);
  },
  "all of it is a link": (inside, outside) => {
    rmSync(inside, { recursive: true });
    symlinkSync(outside, inside);
  },
  "a file stands for it": (inside, outside) => {
    rmSync(inside, { recursive: true });
    writeFileSync(inside, `gitdir: ${outside}\n`);
  },
  "it shares another's": (inside, outside) => writeFileSync(join(inside, "commondir"), `${outside}\n`),
};

function replace(inside: string, outside: string, name: string): void {
  rmSync(join(inside, name), { recursive: true, force: true });
  symlinkSync(join(outside, name), join(inside, name));
}

describe.skipIf(!hasGit)("a repository on this machine that an admin key named", () => {
  test("is read as any other, however it is stored: single objects, packs, tags, branches, bare", async () => {
    using repository = gitRepository({ "a.md": "# A" });
    repository.git("tag", "v1");
    repository.git("branch", "release/1.x");
    repository.commit({ "a.md": "# New", "b/c.md": "# C" });
    const all = { a: "# New", "b/c": "# C" };
    expect(await readInside(repository)).toEqual(all);
    repository.git("gc", "--quiet", "--prune=now");
    repository.git("pack-refs", "--all");
    expect(await readInside(repository)).toEqual(all);
    expect(await readInside(repository, { branch: "release/1.x" })).toEqual({ a: "# A" });
    expect(await readInside(repository, { branch: "v1" })).toEqual({ a: "# A" });
    using folder = temporaryDirectory();
    const bare = join(folder.path, "bare.git");
    repository.git("clone", "--quiet", "--bare", repository.path, bare);
    expect(await readInside({ path: bare })).toEqual(all);
  });

  test("is read where its objects have the longer names", async () => {
    using repository = gitRepository();
    rmSync(join(repository.path, ".git"), { recursive: true });
    repository.git("init", "--quiet", "--initial-branch=main", "--object-format=sha256");
    repository.commit({ "a.md": "# A" });
    expect(await readInside(repository)).toEqual({ a: "# A" });
  });

  test("is copied but for what is there already, and what it has no more goes", async () => {
    using repository = gitRepository({ "a.md": "# A" });
    using cache = temporaryDirectory();
    const cacheFolder = cache.path;
    const objects = () =>
      readdirSync(join(cacheFolder, "copy.git", "objects"), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map(({ parentPath, name }) => `${name} ${statSync(join(parentPath, name)).ino}`);
    await readInside(repository, { cacheFolder });
    const before = objects();
    repository.commit({ "b.md": "# B" });
    expect(await readInside(repository, { cacheFolder })).toEqual({ a: "# A", b: "# B" });
    expect(objects()).toEqual(expect.arrayContaining(before));
    repository.git("gc", "--quiet", "--prune=now");
    expect(await readInside(repository, { cacheFolder })).toEqual({ a: "# A", b: "# B" });
    expect(objects().filter((each) => before.includes(each))).toEqual([]);
    expect(objects().length).toBe(2);
  });

  test.each(Object.keys(WAYS_OUT))("is no way to another one: %s", async (name) => {
    using outside = gitRepository({ "a.md": "# The secret of somebody else" });
    outside.git("gc", "--quiet");
    using inside = namesCommitOf(outside);
    WAYS_OUT[name]?.(join(inside.path, ".git"), join(outside.path, ".git"));
    const { message } = await appErrorOf(() => readInside(inside));
    expect(message).toContain(inside.path);
  });

  test("is no way to another one, whenever its objects are swapped for a link while it is read", async () => {
    using outside = gitRepository({ "a.md": "# The secret of somebody else" });
    let looks = 0;
    for (let at = 1; at === 1 || looks >= at - 1; at++) {
      using inside = namesCommitOf(outside);
      const objects = join(inside.path, ".git", "objects");
      looks = 0;
      const { signal } = new AbortController();
      // Asked between the steps of a run, however fast these are.
      signal.throwIfAborted = () => {
        looks++;
        if (looks !== at) return;
        renameSync(objects, `${objects}-before`);
        symlinkSync(join(outside.path, ".git", "objects"), objects);
      };
      const pages = await readInside(inside, { signal }).catch(() => ({}));
      expect(Object.values(pages)).toEqual([]);
    }
    expect(looks).toBeGreaterThan(3);
  });

  test("sets nothing: what its settings include is not opened", async () => {
    using folder = temporaryDirectory();
    using repository = gitRepository({ "a.md": "# A" });
    const included = join(folder.path, "outside.conf");
    writeFileSync(included, "this is no setting\n");
    appendFileSync(join(repository.path, ".git", "config"), `[include]\n\tpath = ${included}\n`);
    expect(await readInside(repository)).toEqual({ a: "# A" });
  });
});
