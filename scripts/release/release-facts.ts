import { join } from "node:path";
import { $ } from "bun";
import manifest from "../../package.json" with { type: "json" };

export const ROOT = join(import.meta.dir, "../..");

/** What every part of a release is made from. */
export interface ReleaseFacts {
  version: string;
  description: string;
  license: string;
  /** The commit it is built from, whole; undefined outside of a repository. */
  commit: string | undefined;
  /** When the commit was made, in seconds since 1970: the time of every file, so that two builds are the same. */
  changedAt: number;
  /** Where whoever releases puts the files, without a slash at the end; undefined where that was not said. */
  url: string | undefined;
  /** The name under which the image is found, with its tag. */
  image: string;
  /** Who packages it, as `Name <address>`. */
  maintainer: string;
  /** The file of the private key that signs, in PEM. */
  keyFile: string | undefined;
  /** Who or what builds, as an address, for the provenance. */
  builder: string;
}

/** Reads what the commit and the package say, and the settings of whoever releases from the environment. */
export async function readFacts(
  environment: Readonly<Record<string, string | undefined>>,
  version = manifest.version,
): Promise<ReleaseFacts> {
  const commit = await git("rev-parse", "HEAD");
  const time = environment["SOURCE_DATE_EPOCH"] ?? (await git("log", "-1", "--format=%ct")) ?? "0";
  return {
    version,
    description: manifest.description,
    license: manifest.license,
    commit,
    changedAt: Number(time),
    url: environment["RELEASE_URL"]?.replace(/\/$/, ""),
    image: environment["RELEASE_IMAGE"] ?? `docent:${version}`,
    maintainer: environment["RELEASE_MAINTAINER"] ?? "Docent <docent@localhost>",
    keyFile: environment["RELEASE_KEY"],
    builder: environment["RELEASE_BUILDER"] ?? "urn:docent:builder:unnamed",
  };
}

async function git(...words: string[]): Promise<string | undefined> {
  const result = await $`git -C ${ROOT} ${words}`.quiet().nothrow();
  return result.exitCode === 0 ? result.text().trim() : undefined;
}
