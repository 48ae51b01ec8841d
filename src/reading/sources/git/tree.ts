import { AppError } from "@docent/kernel/errors";
import type { Skipped } from "../../source-reader.ts";
import {
  isConfigurationName,
  isIgnoreFile,
  isPrivateName,
  isRuleFile,
  mayBeAnything,
  roleOf,
  type TreeFile,
} from "../files/files.ts";
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
  /** What says whom pages are for, anywhere in the commit. */
  rules: RuleBlob[];
  skipped: Skipped[];
}

/** The rule of a folder; without an id, a link, which is not followed. */
type RuleBlob = Omit<BlobFile, "id"> & { id: string | undefined };

/**
 * The files of a commit. Pages come from one folder of it; what they take something from may be anywhere. Submodules are
 * other repositories, and not read.
 */
export async function listCommit(
  git: Git,
  repository: string[],
  { commit, subfolder, found }: { commit: string; subfolder: string; found: string },
): Promise<CommitFiles> {
  const child = startGit(
    git,
    [...repository, "ls-tree", "-r", "-z", "-l", "--full-tree", commit],
    git.timeoutMs,
  );
  child.stdin.end();
  const complaint = lastComplaint(git, child);
  const list: CommitFiles = { files: [], others: [], rules: [], skipped: [] };
  let isThere = subfolder === "";
  try {
    for await (const entry of entriesOf(child.stdout)) {
      isThere = takeEntry(entry, { found, subfolder }, list) || isThere;
      if (list.files.length + list.others.length + list.rules.length > FILES_MAX) throw tooManyFiles();
    }
  } catch (error) {
    child.kill();
    throw error;
  }
  if (!(await endOf(git, child)))
    throw new AppError("not_found", "The repository's files cannot be listed.", {
      hint: `Look at the repository first. git says: ${await complaint()}`,
    });
  if (!isThere)
    throw new AppError("not_found", `The repository has no folder ${subfolder} that can be read.`, {
      hint: "Name a folder that is in the branch, and in which there are files.",
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

/** Whether what is listed is in the folder of the pages. */
function takeEntry(
  entry: string,
  { found, subfolder }: { found: string; subfolder: string },
  { files, others, rules, skipped }: CommitFiles,
): boolean {
  const [, mode, type, id = "", size, location = ""] = ENTRY.exec(entry) ?? [];
  if (type !== "blob") return false;
  const isInside = subfolder === "" || location.startsWith(`${subfolder}/`);
  if (isRuleFile(location)) {
    rules.push({ location, id: mode === LINK_MODE ? undefined : id, sizeBytes: Number(size) });
    return isInside;
  }
  const isIgnore = isIgnoreFile(location);
  // What a folder above leaves out may be just what is asked for.
  if (isIgnore && !isInside) return false;
  // A folder that was named is read, whatever its own name is.
  const names = (isInside ? location.slice(subfolder.length) : location).split("/");
  const folders = isIgnore ? names.slice(0, -1) : names;
  if (folders.some((name) => isPrivateName(name) && !isConfigurationName(name))) return isInside;
  const isOther = !isIgnore && (folders.some(isConfigurationName) || roleOf(location).kind === "other");
  if (isOther && mode !== LINK_MODE) others.push({ location, id, sizeBytes: Number(size) });
  if (isOther) return isInside;
  if (mode === LINK_MODE && (!isInside || mayBeAnything(location))) return isInside;
  if (mode === LINK_MODE)
    skipped.push({
      location,
      found,
      reason: "outside",
      detail: "is a link, which is not followed in a repository",
    });
  else files.push({ location, id, sizeBytes: Number(size) });
  return isInside;
}

const tooManyFiles = () =>
  new AppError("too_large", `The repository holds more than ${FILES_MAX} files that could be pages.`, {
    hint: "Name a subfolder of it, or leave parts out in a .docentignore file.",
  });
