import { mkdir, realpath, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { AppError } from "@docent/kernel/errors";
import { type Clock, MINUTE_MS, systemClock } from "@docent/kernel/lib/clock";
import { checkBranch, checkSubfolder, type GitLocation, parseGitLocation } from "../../git-location.ts";
import type { FoundDocs, SourceReader } from "../../source-reader.ts";
import { builtInTree } from "../built-folder.ts";
import {
  boundsOf,
  type GivenBounds,
  itemsOfTree,
  type ReadableFile,
  readAccessRules,
  type Tracked,
  withoutIgnored,
} from "../files/files.ts";
import { type IsInside, realPlace } from "../open-file.ts";
import { type BlobReader, createBlobReader } from "./blobs.ts";
import { type Git, type GitResult, runGit } from "./command.ts";
import { copyRepository } from "./copy.ts";
import { type GitCredential, type GitEnvironment, gitEnvironment, secretsOf } from "./environment.ts";
import { fetchFault, isDamage, noGit, noSuchBranch } from "./faults.ts";
import { addressesOf, type GitNetwork, pinned, writeAuthorities } from "./network.ts";
import { type BlobFile, listCommit } from "./tree.ts";

export { checkOut } from "./check-out.ts";
export type { GitCredential, GitEnvironment };

const FOUND = "git";
const TIMEOUT_MS = 10 * MINUTE_MS;

export interface GitOptions extends GitNetwork, GivenBounds {
  /** The version that is wanted, of docs in several. */
  version?: string | undefined;
  /** Where readers find the site. */
  siteUrl?: string | undefined;
  /** What the owner says of a generator's configuration. */
  answers?: Readonly<Record<string, string>> | undefined;
  /** An https or ssh address, or the folder of a repository on this machine. */
  location: string;
  /** A branch or tag; the repository's own choice where it is not named. */
  branch?: string | undefined;
  /** The folder of the repository that holds the pages. */
  subfolder?: string | undefined;
  /** A folder of this source's own, for what was fetched. */
  cacheFolder: string;
  /** The program's environment: where git is, and its keys and proxies. */
  environment: GitEnvironment;
  /** Whether a folder on this machine may be read: the caller has checked that it is inside the roots. */
  allowsLocal: boolean;
  /** Where a repository on this machine has to be, with all that is read of it. */
  isInside?: IsInside | undefined;
  credential?: GitCredential | undefined;
  /** How long each run of git may take. */
  timeoutMs?: number;
  clock?: Clock;
}

/**
 * The pages of a commit, by this machine's git. A page's validator is the name that git gives its content, so a page
 * is read again only when a commit has changed it.
 */
export function createGitReader(options: GitOptions): SourceReader {
  const location = parseGitLocation(options.location);
  const branch = options.branch === undefined ? undefined : checkBranch(options.branch);
  const subfolder = checkSubfolder(options.subfolder ?? "");
  if (location.kind === "local" && !options.allowsLocal) throw localRefused(options.location);
  return {
    async *list({ signal, onRecognized, onWritten }) {
      const git = await prepare(options, location, signal);
      const { repository, commit } =
        location.kind === "local"
          ? await openHere(git, location.folder, branch, options)
          : await openRemote(git, location.url, branch, options.cacheFolder);
      const blobs = createBlobReader(git, repository);
      try {
        const { files, others, rules, skipped } = await listCommit(git, repository, {
          commit,
          subfolder,
          found: FOUND,
        });
        yield* skipped;
        const readable = readableOf(blobs);
        const all = { files: files.map(readable), others: others.map(readable) };
        const access = await readAccessRules(rules, async ({ id, sizeBytes }) => {
          if (id === undefined) throw new Error("it is a link, which is not followed in a repository");
          return blobs.read(id, sizeBytes);
        });
        const tree = await withoutIgnored(all, ({ read }) => read(), ALL_TRACKED);
        const { version, siteUrl, answers, clock = systemClock } = options;
        let docs: FoundDocs | undefined;
        yield* itemsOfTree(tree, {
          found: FOUND,
          ...boundsOf(options),
          subfolder,
          access,
          version,
          siteUrl,
          answers,
          clock,
          signal,
          onRecognized(found) {
            docs = found.generator === undefined ? docs : found;
            onRecognized?.(found);
          },
          onWritten,
        });
        const places = [...all.files, ...all.others].map((file) => file.location);
        if (docs?.generator !== undefined) yield* builtInTree(places, docs, FOUND, insteadOf(options));
      } finally {
        await blobs.close();
      }
    },
  };
}

async function prepare(options: GitOptions, location: GitLocation, signal: AbortSignal): Promise<Git> {
  const { environment, credential, timeoutMs = TIMEOUT_MS } = options;
  const program = Bun.which("git", { PATH: environment["PATH"] ?? "" });
  if (program === null) throw noGit();
  const settings = pinned(location, await addressesOf(location, options));
  const authorities =
    location.kind === "local" ? undefined : await writeAuthorities(options.cacheFolder, options, environment);
  const access = { home: join(options.cacheFolder, "home"), credential, settings, authorities };
  return {
    program,
    timeoutMs,
    signal,
    secrets: secretsOf(credential),
    environment: gitEnvironment(environment, location, access),
  };
}

interface OpenRepository {
  /** The arguments with which git finds it. */
  repository: string[];
  commit: string;
}

/** Opens a repository on this machine: where it is if the operator named it, else a copy without what links lead to. */
async function openHere(
  git: Git,
  location: string,
  branch: string | undefined,
  { isInside, cacheFolder }: GitOptions,
): Promise<OpenRepository> {
  if (isInside === undefined) return openLocal(git, location, branch);
  const copy = await copyRepository(git, await realPlace(location, isInside), cacheFolder);
  const repository = ["--git-dir", copy];
  return { repository, commit: await tipOf(git, repository, location, branch) };
}

async function openLocal(git: Git, location: string, branch: string | undefined): Promise<OpenRepository> {
  const folder = await realpath(location).catch((cause: unknown) => {
    throw new AppError("not_found", `There is no folder ${location} that can be read.`, { cause });
  });
  const repository = ["-C", folder];
  // Only what was named is opened, and not a repository that it happens to be in.
  const here = { ...git, environment: { ...git.environment, GIT_CEILING_DIRECTORIES: dirname(folder) } };
  const found = await runGit(here, [...repository, "rev-parse", "--git-dir"]);
  if (!found.ok) throw noRepository(location, found.complaint);
  return { repository, commit: await tipOf(here, repository, location, branch) };
}

async function tipOf(
  git: Git,
  repository: string[],
  location: string,
  branch: string | undefined,
): Promise<string> {
  const tip = await runGit(git, [...repository, "rev-parse", "--verify", `${branch ?? "HEAD"}^{commit}`]);
  if (!tip.ok) throw noSuchBranch(location, branch, tip.complaint);
  return tip.output.trim();
}

async function openRemote(
  git: Git,
  url: string,
  branch: string | undefined,
  cacheFolder: string,
): Promise<OpenRepository> {
  const { folder, commit } = await updateMirror(git, { cacheFolder, url, branch });
  return { repository: ["--git-dir", folder], commit };
}

/** What is in a commit, git tracks. */
const ALL_TRACKED: Tracked = { file: () => true, folder: () => true };

/** How a folder of a repository is read in place of another one, or of all of it. */
const insteadOf =
  ({ location, branch }: GitOptions) =>
  (folder: string): string => {
    const options = branch === undefined ? "" : ` --branch ${branch}`;
    return `"docent ingest <domain> ${location} --kind git${options} --subfolder ${folder}"`;
  };

const readableOf =
  (blobs: BlobReader) =>
  ({ id, location, sizeBytes }: BlobFile): ReadableFile => ({
    location,
    sizeBytes,
    validator: id,
    read: () => blobs.read(id, sizeBytes),
  });

const localRefused = (location: string) =>
  new AppError("forbidden", `${location} is not an https or ssh address of a repository.`, {
    hint: "A repository on the server's own disk is read only where the server's configuration allows its folder.",
  });

const noRepository = (location: string, complaint: string) =>
  new AppError("not_found", `${location} is not a git repository that can be read.`, {
    hint: `Name the folder that holds .git, and the folder of the docs as its subfolder. git says: ${complaint}`,
  });

/** Where the mirror keeps the commit that was fetched last. */
const TIP = "refs/docent/tip";

interface MirrorOptions {
  /** A folder of this source's own: two runs at once in one mirror would be in each other's way. */
  cacheFolder: string;
  url: string;
  branch: string | undefined;
}

/** A bare copy of one branch's newest commit; a later run fetches only what is new. */
interface Mirror {
  folder: string;
  commit: string;
}

/** Brings the mirror up to date. One that a crash has damaged is made again. */
async function updateMirror(git: Git, { cacheFolder, url, branch }: MirrorOptions): Promise<Mirror> {
  const name = new Bun.CryptoHasher("sha256").update(url).digest("hex").slice(0, 16);
  const folder = join(cacheFolder, `${name}.git`);
  await mkdir(cacheFolder, { recursive: true });
  let result = await initAndFetch(git, folder, url, branch);
  if (!result.ok && isDamage(result.complaint)) {
    await rm(folder, { recursive: true, force: true });
    result = await initAndFetch(git, folder, url, branch);
  }
  if (!result.ok) throw fetchFault(url, branch, result.complaint);
  const tip = await runGit(git, ["--git-dir", folder, "rev-parse", "--verify", `${TIP}^{commit}`]);
  if (!tip.ok) throw noSuchBranch(url, branch, tip.complaint);
  return { folder, commit: tip.output.trim() };
}

async function initAndFetch(
  git: Git,
  folder: string,
  url: string,
  branch: string | undefined,
): Promise<GitResult> {
  const made = await runGit(git, ["init", "--quiet", "--bare", "--template=", "--", folder]);
  if (!made.ok) return made;
  const refs = branch === undefined ? ["HEAD"] : [`refs/heads/${branch}`, `refs/tags/${branch}`];
  let result: GitResult | undefined;
  for (const ref of refs) {
    result = await fetchRef(git, folder, url, ref);
    if (result.ok || !/couldn't find remote ref/i.test(result.complaint)) break;
  }
  return result ?? made;
}

function fetchRef(git: Git, folder: string, url: string, ref: string): Promise<GitResult> {
  const options = ["--quiet", "--depth=1", "--no-tags", "--no-recurse-submodules", "--update-shallow"];
  return runGit(git, ["--git-dir", folder, "fetch", ...options, "--", url, `+${ref}:${TIP}`]);
}
