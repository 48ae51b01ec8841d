import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { type Git, type GitResult, runGit } from "./command.ts";
import { fetchFault, isDamage, noSuchBranch } from "./faults.ts";

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
export async function updateMirror(git: Git, { cacheFolder, url, branch }: MirrorOptions): Promise<Mirror> {
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
