import { expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { checkOut } from "../../../src/reading/sources/git/git.ts";
import { gitRepository } from "../../helpers/git-repository.ts";
import { temporaryDirectory } from "../../helpers/temporary-directory.ts";

const { signal } = new AbortController();

test("a revision is written as it was, and no program that the repository names has a hand in it", async () => {
  using repository = gitRepository({ "docs/a.md": "as it was\n", ".gitattributes": "*.md filter=x\n" });
  using into = temporaryDirectory();
  const mark = join(into.path, "was-run");
  for (const name of ["filter.x.smudge", "filter.x.process", "core.fsmonitor", "core.sshCommand"])
    repository.git("config", name, `touch ${mark}`);
  repository.git("config", "filter.x.required", "true");
  const files = await checkOut({
    folder: join(repository.path, "docs"),
    revision: "HEAD",
    into: into.path,
    environment: process.env,
    signal,
  });
  expect(readdirSync(files)).toEqual(["a.md"]);
  expect(readFileSync(join(files, "a.md"), "utf8")).toBe("as it was\n");
  expect(existsSync(mark)).toBe(false);
});

test("so is one of a repository whose objects are partly another's", async () => {
  using repository = gitRepository({ "a.md": "lent\n" });
  using into = temporaryDirectory();
  using place = temporaryDirectory();
  const clone = join(place.path, "clone");
  repository.git("clone", "--quiet", "--shared", repository.path, clone);
  const files = await checkOut({
    folder: clone,
    revision: "HEAD",
    into: into.path,
    environment: process.env,
    signal,
  });
  expect(readFileSync(join(files, "a.md"), "utf8")).toBe("lent\n");
});
