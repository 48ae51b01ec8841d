import { AppError } from "../../../errors.ts";
import type { Skipped } from "../../source-reader.ts";
import { isConfigurationName, isIgnoreFile, isPrivateName, roleOf, type TreeFile } from "../files/files.ts";
import { endOf, type Git, lastComplaint, startGit } from "./command.ts";

const ENTRY = /^(\d{6}) (\w+) ([\da-f]{40,64}) +(\d+|-)\t([\s\S]+)$/;
const LINK_MODE = "120000";
const FILES_MAX = 1_000_000;
const ENTRY_CHARACTERS_MAX = 100_000;

/** A file as a commit has it. */
export interface BlobFile extends TreeFile {
  id: string;
}

interface CommitFiles {
  /** What could be a page, and the ignore files. */
  files: BlobFile[];
  /** What pages may take something from. */
  others: BlobFile[];
  skipped: Skipped[];
}

/** The files of a commit, below a folder of it. Submodules are other repositories, and not read. */
export async function listCommit(
  git: Git,
  repository: string[],
  { commit, subfolder, found }: { commit: string; subfolder: string; found: string },
): Promise<CommitFiles> {
  const tree = subfolder === "" ? commit : `${commit}:${subfolder}`;
  const child = startGit(
    git,
    [...repository, "ls-tree", "-r", "-z", "-l", "--full-tree", tree],
    git.timeoutMs,
  );
  child.stdin.end();
  const complaint = lastComplaint(git, child);
  const list: CommitFiles = { files: [], others: [], skipped: [] };
  try {
    for await (const entry of entriesOf(child.stdout)) {
      takeEntry(entry, found, list);
      if (list.files.length + list.others.length > FILES_MAX) throw tooManyFiles();
    }
  } catch (error) {
    child.kill();
    throw error;
  }
  if (!(await endOf(git, child)))
    throw new AppError("not_found", `The repository has no folder ${subfolder || "/"} that can be read.`, {
      hint: `Name a folder that is in the branch. git says: ${await complaint()}`,
    });
  return list;
}

async function* entriesOf(output: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const part of output) {
    const entries = (rest + decoder.decode(part, { stream: true })).split("\0");
    rest = entries.pop() ?? "";
    if (rest.length > ENTRY_CHARACTERS_MAX)
      throw new AppError("too_large", "A path in the repository is too long.");
    yield* entries;
  }
}

function takeEntry(entry: string, found: string, { files, others, skipped }: CommitFiles): void {
  const [, mode, type, id = "", size, location = ""] = ENTRY.exec(entry) ?? [];
  if (type !== "blob") return;
  const isIgnore = isIgnoreFile(location);
  const folders = isIgnore ? location.split("/").slice(0, -1) : location.split("/");
  if (folders.some((name) => isPrivateName(name) && !isConfigurationName(name))) return;
  const isOther = !isIgnore && (folders.some(isConfigurationName) || roleOf(location).kind === "other");
  if (isOther && mode !== LINK_MODE) others.push({ location, id, sizeBytes: Number(size) });
  if (isOther) return;
  if (mode === LINK_MODE)
    skipped.push({
      location,
      found,
      reason: "outside",
      detail: "is a link, which is not followed in a repository",
    });
  else files.push({ location, id, sizeBytes: Number(size) });
}

const tooManyFiles = () =>
  new AppError("too_large", `The repository holds more than ${FILES_MAX} files that could be pages.`, {
    hint: "Name a subfolder of it, or leave parts out in a .docentignore file.",
  });
