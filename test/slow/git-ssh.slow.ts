import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { AppError } from "../../src/kernel/errors.ts";
import { isSkipped } from "../../src/reading/source-reader.ts";
import { createGitReader, type GitOptions } from "../../src/reading/sources/git/git.ts";
import { gitRepository, hasGit } from "../helpers/git-repository.ts";
import { type GitSsh, hasSshd, startGitSsh } from "../helpers/git-ssh.ts";
import { listContext } from "../helpers/list-context.ts";
import { temporaryDirectory } from "../helpers/temporary-directory.ts";

setDefaultTimeout(300_000);

const isHere = hasGit && hasSshd;
if (!isHere)
  process.stderr.write("\nNO SSHD (or git) ON THIS MACHINE: the tests of git over real ssh are skipped\n");

let folder: ReturnType<typeof temporaryDirectory>;
let server: GitSsh;
beforeAll(async () => {
  if (!isHere) return;
  folder = temporaryDirectory();
  server = await startGitSsh(folder.path);
});
afterAll(async () => {
  await server?.[Symbol.asyncDispose]();
  folder?.[Symbol.dispose]();
});

/** What a run reads over ssh, or what it ends in. */
async function readOver(location: string, command: string, options: Partial<GitOptions> = {}) {
  using cache = temporaryDirectory();
  const reader = createGitReader({
    location,
    cacheFolder: cache.path,
    fileBytesMax: 100_000,
    allowsLocal: false,
    privateHosts: ["127.0.0.0/8"],
    certificateAuthorities: [],
    environment: { ...process.env, GIT_SSH_COMMAND: command },
    ...options,
  });
  const pages: Record<string, string> = {};
  try {
    for await (const item of reader.list(listContext()))
      if (!isSkipped(item)) pages[item.path] = new TextDecoder().decode(await item.read());
    return { pages, error: undefined };
  } catch (error) {
    if (error instanceof AppError) return { pages, error };
    throw error;
  }
}

describe.skipIf(!isHere)("a repository over real ssh", () => {
  test("is read with the key of the server's account, by branch and subfolder, and by either form of address", async () => {
    using docs = gitRepository({ "README.md": "# Private", "docs/a.md": "# A" });
    docs.git("branch", "v1");
    docs.commit({ "docs/a.md": "# A, newer" });
    const location = `${server.url}${docs.path}`;
    const command = server.command("right");
    expect((await readOver(location, command)).pages).toEqual({ "": "# Private", "docs/a": "# A, newer" });
    const part = { branch: "v1", subfolder: "docs" };
    expect((await readOver(location, command, part)).pages).toEqual({ a: "# A" });
    const [, user, port] = /^ssh:\/\/(\w+)@127\.0\.0\.1:(\d+)$/.exec(server.url) ?? [];
    const short = `${user}@127.0.0.1:${docs.path}`;
    expect((await readOver(short, `${command} -p ${port}`)).pages).toHaveProperty("docs/a");
  });

  test("is not read with another key, nor on a host whose key is not known, and it is said which", async () => {
    using docs = gitRepository({ "README.md": "# Private" });
    const location = `${server.url}${docs.path}`;
    const wrong = await readOver(location, server.command("wrong"));
    expect([wrong.pages, wrong.error?.code]).toEqual([{}, "forbidden"]);
    expect(wrong.error?.message).toContain("did not let Docent in");
    const empty = join(folder.path, "no-hosts");
    writeFileSync(empty, "");
    const unknown = await readOver(location, server.command("right", empty));
    expect([unknown.pages, unknown.error?.code]).toEqual([{}, "forbidden"]);
    expect(unknown.error?.message).toContain("whose key is not known");
  });

  test("is not found where there is none", async () => {
    const { error } = await readOver(`${server.url}${folder.path}/nothing.git`, server.command("right"));
    expect(error?.code).toBe("not_found");
  });

  test("is a path and no command, whatever stands in it", async () => {
    const mark = join(folder.path, "was-run");
    for (const path of [
      `/x';touch ${mark};'`,
      `/x$(touch ${mark})`,
      `/x\`touch ${mark}\``,
      `/--upload-pack=touch`,
    ]) {
      const { pages, error } = await readOver(`${server.url}${path}`, server.command("right"));
      expect([path, pages, error instanceof AppError]).toEqual([path, {}, true]);
    }
    expect(existsSync(mark)).toBe(false);
  });

  test("runs no hook, and follows no submodule and no link", async () => {
    using elsewhere = gitRepository({ "a.md": "# The secret of somebody else" });
    using hostile = gitRepository({ "README.md": "# Hostile" });
    const mark = join(folder.path, "hook-was-run");
    const hooks = join(hostile.path, ".git", "hooks");
    mkdirSync(hooks, { recursive: true });
    for (const name of ["post-checkout", "post-merge", "reference-transaction"])
      writeFileSync(join(hooks, name), `#!/bin/sh\ntouch ${mark}\n`, { mode: 0o755 });
    const module = `[submodule "m"]\n\tpath = m\n\turl = file://${elsewhere.path}\n`;
    writeFileSync(join(hostile.path, ".gitmodules"), module);
    symlinkSync(join(elsewhere.path, "a.md"), join(hostile.path, "link.md"));
    hostile.git("-c", "core.hooksPath=/dev/null", "add", "--all");
    const commit = elsewhere.git("rev-parse", "HEAD");
    hostile.git(
      "-c",
      "core.hooksPath=/dev/null",
      "update-index",
      "--add",
      "--cacheinfo",
      `160000,${commit},m`,
    );
    hostile.git("-c", "core.hooksPath=/dev/null", "commit", "--quiet", "--message", "hostile");
    const { pages } = await readOver(`${server.url}${hostile.path}`, server.command("right"));
    expect(pages).toEqual({ "": "# Hostile" });
    expect(existsSync(mark)).toBe(false);
  });
});
