import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { AppError } from "../../../src/kernel/errors.ts";
import { isSkipped } from "../../../src/reading/source-reader.ts";
import { createGitReader, type GitOptions } from "../../../src/reading/sources/git/git.ts";
import { startFakeSite } from "../../helpers/fake-site.ts";
import { type GitHttp, startGitHttp } from "../../helpers/git-http.ts";
import { gitRepository, hasGit } from "../../helpers/git-repository.ts";
import { listContext } from "../../helpers/list-context.ts";
import { temporaryDirectory } from "../../helpers/temporary-directory.ts";

const SECRET = "ghp_s3cret+/=word";
const BASIC = btoa(`reader:${SECRET}`);
const CREDENTIAL = { username: "reader", secret: SECRET };

let root: ReturnType<typeof temporaryDirectory>;
let served: GitHttp;

/** Puts a bare copy of a repository where the server finds it. */
function publish(repository: ReturnType<typeof gitRepository>, name: string): void {
  repository.git("clone", "--quiet", "--bare", repository.path, join(root.path, name));
}

beforeAll(async () => {
  if (!hasGit) return;
  root = temporaryDirectory();
  using docs = gitRepository({ "README.md": "# Private", "guide/a.md": "# A" });
  publish(docs, "docs.git");
  served = await startGitHttp({ root: root.path, credential: `reader:${SECRET}` });
});
afterAll(async () => {
  await served?.[Symbol.asyncDispose]();
  root?.[Symbol.dispose]();
});

/** What a run reads, and everything that it leaves behind: in the cache, and in what it raises. */
async function readOver(server: GitHttp, name: string, options: Partial<GitOptions> = {}) {
  using cache = temporaryDirectory();
  const location = name.startsWith("https:") ? name : `${server.url}/${name}`;
  const reader = createGitReader({
    location,
    cacheFolder: cache.path,
    fileBytesMax: 100_000,
    environment: process.env,
    allowsLocal: false,
    privateHosts: ["127.0.0.0/8"],
    certificateAuthorities: [server.authority],
    resolve: async () => ["127.0.0.1"],
    ...options,
  });
  const pages: Record<string, string> = {};
  const skipped: Record<string, string> = {};
  let error: AppError | undefined;
  try {
    for await (const item of reader.list(listContext()))
      if (isSkipped(item)) skipped[item.location] = item.detail;
      else pages[item.path] = new TextDecoder().decode(await item.read());
  } catch (caught) {
    if (!(caught instanceof AppError)) throw caught;
    error = caught;
  }
  const kept = readdirSync(cache.path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => readFileSync(join(parentPath, name), "latin1"))
    .join("\n");
  const said = error === undefined ? "" : `${error.message} ${error.hint} ${Bun.inspect(error)}`;
  return { pages, skipped, error, left: `${kept} ${said}` };
}

const expectNoSecret = (text: string) => {
  const found = [SECRET, BASIC, encodeURIComponent(SECRET)].filter((secret) => text.includes(secret));
  expect(found).toEqual([]);
};

describe.skipIf(!hasGit)("a repository over https that wants a password", () => {
  test("is read with the credential, of which nothing stays", async () => {
    const { pages, left } = await readOver(served, "docs.git", { credential: CREDENTIAL });
    expect(pages).toEqual({ "": "# Private", "guide/a": "# A" });
    expectNoSecret(left);
  });

  test("is not read without one, or with a wrong one, and no message shows it", async () => {
    for (const credential of [undefined, { username: "reader", secret: "wr0ng-secret" }]) {
      const { pages, error, left } = await readOver(served, "docs.git", { credential });
      expect([pages, error?.code]).toEqual([{}, "forbidden"]);
      expect(error?.message).toContain("did not let Docent in");
      expect(left).not.toContain("wr0ng-secret");
      expect(left).not.toContain(btoa("reader:wr0ng-secret"));
    }
  });

  test("is not read with what the account of the server signs in with elsewhere: each may name any address", async () => {
    using home = temporaryDirectory();
    const { port } = new URL(served.url);
    const stored = `https://reader:${encodeURIComponent(SECRET)}@git.test:${port}\n`;
    writeFileSync(join(home.path, ".netrc"), `machine git.test login reader password ${SECRET}\n`, {
      mode: 0o600,
    });
    writeFileSync(join(home.path, ".git-credentials"), stored, { mode: 0o600 });
    const ways = [
      "",
      "[credential]\n\thelper = store\n",
      `[http "https://git.test:${port}/"]\n\textraHeader = Authorization: Basic ${BASIC}\n`,
      `[http]\n\textraHeader = Authorization: Basic ${BASIC}\n`,
      `[url "https://reader:${encodeURIComponent(SECRET)}@git.test:${port}/"]\n\tinsteadOf = ${served.url}/\n`,
    ];
    for (const settings of ways) {
      writeFileSync(join(home.path, ".gitconfig"), settings);
      const environment = { ...process.env, HOME: home.path, XDG_CONFIG_HOME: home.path };
      const { pages, error } = await readOver(served, "docs.git", { environment });
      expect([settings, pages, error?.code]).toEqual([settings, {}, "forbidden"]);
    }
    expect(served.asked.slice(-1)[0]?.authorization ?? "").not.toContain(BASIC);
  });

  test.skipIf(process.platform !== "linux")("shows the credential in no list of processes", async () => {
    const lines: string[] = [];
    await using looking = await startGitHttp({
      root: root.path,
      credential: `reader:${SECRET}`,
      instead: () => void lines.push(...commandLines()),
    });
    const { pages } = await readOver(looking, "docs.git", { credential: CREDENTIAL });
    expect(Object.keys(pages)).toEqual(["", "guide/a"]);
    expect(lines.filter((line) => line.includes("git-remote-https")).length).toBeGreaterThan(0);
    expectNoSecret(lines.join("\n"));
  });

  test("does not show what its server repeats of the credential", async () => {
    await using echoing = await startGitHttp({
      root: root.path,
      instead: (request) =>
        new Response(`You sent ${request.headers.get("authorization")}, which is reader:${SECRET}\n`, {
          status: 403,
          headers: { "content-type": "text/plain" },
        }),
    });
    const { error, left } = await readOver(echoing, "docs.git", { credential: CREDENTIAL });
    expect(error?.code).toBe("forbidden");
    expectNoSecret(left);
  });

  test("does not show it either where git itself is told it as an error of the other side", async () => {
    const line = `ERR your token ${SECRET} (${BASIC}) \u001b]0;title\u0007has ended\n`;
    const packet = `${(line.length + 4).toString(16).padStart(4, "0")}${line}`;
    await using echoing = await startGitHttp({
      root: root.path,
      instead: () =>
        new Response(`001e# service=git-upload-pack\n0000${packet}`, {
          headers: { "content-type": "application/x-git-upload-pack-advertisement" },
        }),
    });
    const { error, left } = await readOver(echoing, "docs.git", { credential: CREDENTIAL });
    expect(error?.message).toContain("has ended");
    expectNoSecret(left);
    expect(error?.message).toMatch(/^\P{Cc}*$/u);
  });
});

/** What every user of this machine sees of what runs on it. */
const commandLines = () =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((name) => {
      try {
        return readFileSync(`/proc/${name}/cmdline`, "utf8").replaceAll("\0", " ");
      } catch {
        return "";
      }
    });

describe.skipIf(!hasGit)("a repository that has moved", () => {
  test("gets no credential at its new place, whatever that is", async () => {
    await using other = startFakeSite({}, {});
    using elsewhere = gitRepository({ "a.md": "# The secret of somebody else" });
    let target = "";
    await using moved = await startGitHttp({
      root: root.path,
      instead: () => Response.redirect(target, 302),
    });
    const suffix = "/docs.git/info/refs?service=git-upload-pack";
    for (const to of [
      `${served.url}${suffix}`,
      `${other.url}${suffix}`,
      `http://127.0.0.1:${new URL(moved.url).port}${suffix}`,
      `file://${elsewhere.path}/info/refs`,
      `ext::sh -c id`,
      `ssh://git@127.0.0.1/docs.git`,
    ]) {
      target = to;
      const before = served.asked.length;
      const { pages, error, left } = await readOver(moved, "docs.git", { credential: CREDENTIAL });
      expect([to, pages, error?.code]).toEqual([to, {}, "unavailable"]);
      expect(error?.message).toContain("has moved");
      expectNoSecret(left);
      expect([to, served.asked.length, other.asked()]).toEqual([to, before, []]);
    }
  });

  test("is not followed by its alternates either, nor its bundles, where a server has nothing but files", async () => {
    await using other = startFakeSite({}, {});
    const files: Record<string, string> = {
      "/docs.git/info/refs": `${"a".repeat(40)}\trefs/heads/main\n`,
      "/docs.git/HEAD": "ref: refs/heads/main\n",
      "/docs.git/objects/info/http-alternates": `${other.url}/objects\n`,
      "/docs.git/objects/info/alternates": `${other.url}/objects\n/etc\n`,
    };
    await using plain = await startGitHttp({
      root: root.path,
      instead: (request) => {
        const text = files[new URL(request.url).pathname];
        return text === undefined ? new Response("", { status: 404 }) : new Response(text);
      },
    });
    const { pages, error } = await readOver(plain, "docs.git", { credential: CREDENTIAL });
    expect([pages, error instanceof AppError, other.asked()]).toEqual([{}, true, []]);
  });
});

describe.skipIf(!hasGit)("what is in a repository over https", () => {
  test("is its files alone: no submodule, no link, no hook, no address that it names", async () => {
    using elsewhere = gitRepository({ "a.md": "# The secret of somebody else" });
    using hostile = gitRepository({ "README.md": "# Hostile" });
    const modules = [`file://${elsewhere.path}`, "ext::sh -c touch% /tmp/was-run", "-u./x", "../docs.git"];
    const sections = modules.map((url, at) => `[submodule "m${at}"]\n\tpath = m${at}\n\turl = ${url}\n`);
    writeFileSync(join(hostile.path, ".gitmodules"), sections.join(""));
    writeFileSync(join(hostile.path, ".gitattributes"), "*.md filter=evil diff=evil\n");
    symlinkSync(join(elsewhere.path, "a.md"), join(hostile.path, "link.md"));
    symlinkSync(elsewhere.path, join(hostile.path, "folder"));
    hostile.commit({});
    const commit = elsewhere.git("rev-parse", "HEAD");
    for (const [at] of modules.entries())
      hostile.git("update-index", "--add", "--cacheinfo", `160000,${commit},m${at}`);
    hostile.git("commit", "--quiet", "--message", "modules");
    publish(hostile, "hostile.git");
    const { pages, skipped } = await readOver(served, "hostile.git", { credential: CREDENTIAL });
    expect(pages).toEqual({ "": "# Hostile" });
    expect(Object.keys(skipped)).toEqual(["link.md"]);
  });

  test("may have very many branches: those that were not named are not fetched", async () => {
    using many = gitRepository({ "README.md": "# Many" });
    const commit = many.git("rev-parse", "HEAD");
    const names = Array.from({ length: 50_000 }, (_, at) => `${commit} refs/heads/many/branch-${at}`);
    publish(many, "many.git");
    const lines = [
      "# pack-refs with: peeled fully-peeled sorted",
      `${commit} refs/heads/main`,
      ...names.sort(),
    ];
    writeFileSync(join(root.path, "many.git", "packed-refs"), `${lines.join("\n")}\n`);
    const { pages, left } = await readOver(served, "many.git", {
      credential: CREDENTIAL,
      branch: "main",
    });
    expect(pages).toEqual({ "": "# Many" });
    expect(left).not.toContain("branch-49999");
  });
});
