import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { AppError } from "@docent/kernel/errors";
import {
  DATABASE_FILE,
  MANIFEST_FILE,
  type Manifest,
  readManifest,
  sha256Of,
} from "../../archive/manifest.ts";
import type { Bundle } from "../../archive/read.ts";
import type { Earlier } from "./database.ts";

export type { Earlier } from "./database.ts";

/** Where the data directory keeps what was installed last. */
export const CURRENT = "current";
/** The fingerprint of the key that was asked for, beside what came with the bundle; empty where none was. */
export const SIGNED_BY = "signed-by.txt";

/** The bundle that was installed last, for those that build on it; undefined where there was none. */
export async function installedIn(folder: string): Promise<Earlier | undefined> {
  const file = join(folder, CURRENT, MANIFEST_FILE);
  const text = await readFile(file, "utf8").catch(() => undefined);
  if (text === undefined) return undefined;
  return {
    id: sha256Of(text),
    manifest: readManifest(text),
    installedAt: (await stat(file)).mtimeMs,
    signedBy: await signerIn(folder),
    database: join(folder, CURRENT, DATABASE_FILE),
  };
}

async function signerIn(folder: string): Promise<string | undefined> {
  const text = await readFile(join(folder, CURRENT, SIGNED_BY), "utf8").catch(() => "");
  return /^[0-9a-f]{64}$/.exec(text.trim())?.[0];
}

/**
 * Raises `conflict` for a bundle that was made before the one that is here, unless the person wants that: its signature is
 * as good as ever, and it brings back what was mended since.
 */
export function checkNotOlder(
  { id, manifest }: Pick<Bundle, "id" | "manifest">,
  earlier: Earlier | undefined,
  { takesOlder, onStep }: { takesOlder: boolean; onStep(says: string): void },
): void {
  if (earlier === undefined) return;
  const { madeAt } = earlier.manifest;
  if (id === earlier.id) onStep("This bundle was installed here last, and is installed again");
  if (Date.parse(manifest.madeAt) >= Date.parse(madeAt)) return;
  const message = `This bundle is older than the one that was installed here last: it was made ${manifest.madeAt}, and that one ${madeAt}.`;
  if (takesOlder) {
    onStep(message);
    return;
  }
  throw new AppError("conflict", message, {
    hint: "Install the newest that you have. If you mean to go back to this one, add --older.",
  });
}

const SHORT = 12;

/** What is said where a bundle builds on what is not here. */
export function notThere(
  what: string,
  { since }: Pick<Manifest, "since">,
  earlier: Earlier | undefined,
): AppError {
  const here =
    earlier === undefined
      ? "none was installed here"
      : `the last one here is ${earlier.id.slice(0, SHORT)}, made ${earlier.manifest.madeAt}`;
  const hint =
    since === null || since === earlier?.id
      ? "It was there when the bundle before was installed. Make one without --since."
      : `Install ${since.slice(0, SHORT)} first, the bundle that it was made --since (${here}), or make one without --since.`;
  return new AppError("conflict", `What this bundle builds on is not here: ${what}.`, { hint });
}
