import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { AppError } from "@docent/kernel/errors";
import { MINUTE_MS } from "@docent/kernel/lib/clock";
import { type Git, type GitResult, runGit } from "./command.ts";
import { type GitEnvironment, gitEnvironment } from "./environment.ts";
import { noGit } from "./faults.ts";

interface CheckOut {
  /** A folder of a repository on this machine, or the repository itself. */
  folder: string;
  /** What git knows a commit by: a branch, a tag, a hash, `HEAD~1`. */
  revision: string;
  /** An empty folder of the caller's own. */
  into: string;
  /** The program's environment: where git is. */
  environment: GitEnvironment;
  signal: AbortSignal;
}

/**
 * Writes a folder as it was in a revision of its repository, and returns where. Nothing of the repository changes, its
 * index and its files included, and nothing is fetched. Raises `not_found` where there is no such revision.
 */
export async function checkOut(options: CheckOut): Promise<string> {
  const { folder, revision, into, environment, signal } = options;
  const program = Bun.which("git", { PATH: environment["PATH"] ?? "" });
  if (program === null) throw noGit();
  const own = gitEnvironment(environment, { kind: "local", folder });
  const git: Git = {
    program,
    timeoutMs: 2 * MINUTE_MS,
    signal,
    secrets: [],
    environment: { ...own, GIT_INDEX_FILE: join(into, "index") },
  };
  const ask = async (...words: string[]) => lineOf(await runGit(git, ["-C", folder, "rev-parse", ...words]));
  const top = await ask("--show-toplevel");
  if (typeof top !== "string") throw noRepository(folder, top.complaint);
  const prefix = await ask("--show-prefix");
  const commit = await ask("--verify", "--quiet", "--end-of-options", `${revision}^{commit}`);
  if (typeof prefix !== "string" || typeof commit !== "string") throw noRevision(folder, revision);
  const files = join(into, "files");
  await mkdir(files);
  const tree = await ask("--verify", "--quiet", `${commit}:${prefix.replace(/\/$/, "")}`);
  // The folder did not exist in that commit: all that is in it now is new.
  if (typeof tree !== "string") return files;
  const objects = await ask("--path-format=absolute", "--git-path", "objects");
  const format = await ask("--show-object-format");
  const unwritten = (complaint: string) =>
    new AppError("unavailable", `git could not write ${folder} as it was in ${revision}: ${complaint}.`);
  if (typeof objects !== "string" || typeof format !== "string")
    throw unwritten("it has no place for objects");
  const failed = await writeTree(git, { tree, objects, format, into, files });
  if (failed !== undefined) throw unwritten(failed.complaint);
  return files;
}

interface WrittenTree {
  tree: string;
  /** Where the repository has its objects, and the kind of their names. */
  objects: string;
  format: string;
  into: string;
  files: string;
}

/**
 * Writes files from a repository of our own, which has no settings and lends the objects of the other: a repository may
 * name programs through which git writes its files.
 */
async function writeTree(
  git: Git,
  { tree, objects, format, into, files }: WrittenTree,
): Promise<GitResult | undefined> {
  const own: Git = {
    ...git,
    environment: {
      ...git.environment,
      GIT_DIR: join(into, "own.git"),
      GIT_WORK_TREE: files,
      GIT_ALTERNATE_OBJECT_DIRECTORIES: objects,
    },
  };
  for (const words of [
    ["init", "--quiet", "--template=", `--object-format=${format}`],
    ["read-tree", tree],
    ["checkout-index", "--all", "--quiet", `--prefix=${files}/`],
  ]) {
    const result = await runGit(own, words);
    if (!result.ok) return result;
  }
  return undefined;
}

const lineOf = (result: GitResult) => (result.ok ? result.output.replace(/\r?\n$/, "") : result);

function noRepository(folder: string, complaint: string): AppError {
  return new AppError(
    "invalid_request",
    `${folder} is in no git repository that can be read: ${complaint}.`,
    {
      hint: "--against compares a folder with a revision of the repository that it lies in.",
    },
  );
}

function noRevision(folder: string, revision: string): AppError {
  return new AppError("not_found", `The repository of ${folder} has no revision ${revision}.`, {
    hint: "Was it fetched? A copy made for CI often has only the newest commit: ask for its whole history, and name a branch as origin/main.",
  });
}
