import { existsSync, readFileSync, statSync } from "node:fs";
import { AppError } from "@docent/kernel/errors";
import { type Bundle, carriedBytes, fingerprintOf, type Manifest } from "@docent/running/bundle/bundle";
import { z } from "zod";
import { type Context, textOption } from "../../command.ts";

/** What `--json` prints of a bundle. */
export const BUNDLE_SHAPE = z.object({
  id: z.string(),
  madeAt: z.string(),
  docent: z.string(),
  platform: z.string().nullable(),
  since: z.string().nullable(),
  /** Null of what is installed: its signature was checked then. */
  signed: z.boolean().nullable(),
  /** The fingerprint of the key that was asked for when it was installed; null where any was taken, or of a file. */
  signedBy: z.string().nullable(),
  installedAt: z.string().nullable(),
  databaseBytes: z.int().nullable(),
  models: z.array(z.string()),
  files: z.int(),
  carriedBytes: z.int(),
  allBytes: z.int(),
});

/** A bundle, or what was installed of one. */
export type Described = Pick<Bundle, "id" | "manifest"> & {
  isSigned?: boolean;
  installedAt?: number;
  signedBy?: string | undefined;
};

export function bundleJson({ id, manifest, isSigned, installedAt, signedBy }: Described) {
  const { madeAt, docent, platform, since, database, models, files } = manifest;
  return {
    id,
    madeAt,
    docent,
    platform,
    since,
    signed: isSigned ?? null,
    signedBy: signedBy ?? null,
    installedAt: installedAt === undefined ? null : new Date(installedAt).toISOString(),
    databaseBytes: database?.bytes ?? null,
    models: models.map(({ name }) => name),
    files: files.length,
    carriedBytes: carriedBytes(manifest),
    allBytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
  };
}

const megabytes = (bytes: number): string => `${(bytes / 1_000_000).toFixed(1)} MB`;

/** A few lines for people. */
export function bundleText(bundle: Described): string {
  const it = bundleJson(bundle);
  return [
    `Bundle      ${it.id}`,
    `Made        ${it.madeAt}, by Docent ${it.docent}`,
    `Program     ${programWords(bundle.manifest)}`,
    `Database    ${it.databaseBytes === null ? "none" : megabytes(it.databaseBytes)}`,
    `Models      ${it.models.join(", ") || "none"}`,
    `Builds on   ${it.since ?? "nothing"}`,
    `Carries     ${megabytes(it.carriedBytes)} of ${megabytes(it.allBytes)}`,
    ...(it.installedAt === null
      ? [`Signed      ${it.signed ? "yes" : "no"}`]
      : [`Signed by   ${it.signedBy ?? "no key that was asked for"}`, `Installed   ${it.installedAt}`]),
    "",
  ].join("\n");
}

function programWords({ files, platform }: Manifest): string {
  return files.some(({ path }) => path === "bin/docent")
    ? `for ${platform ?? "an unknown platform"}`
    : "none";
}

/** The key that a bundle has to be signed with; undefined where none is asked for. */
export const KEY_OPTIONS = { key: { type: "string" }, unsigned: { type: "boolean" } } as const;
export const KEY_OPTION_HELP = {
  key: "the public key (PEM) of whoever has to have signed it",
  unsigned: "take it whoever made it: nothing then tells whether somebody has changed it on the way",
};

/**
 * Raises `forbidden` for a bundle that was not signed by whom the person names. Gives that key's fingerprint; undefined
 * where any bundle is taken.
 */
export function checkSigned(context: Context, bundle: Bundle): string | undefined {
  const file = textOption(context, "key");
  if (file !== undefined) {
    const key = readKey(file);
    if (bundle.isSignedBy(key)) return fingerprintOf(key);
    const message = bundle.isSigned
      ? `The bundle is not signed with the key of ${file}.`
      : "The bundle is not signed.";
    throw new AppError("forbidden", message, {
      hint: "Do not use it: somebody else may have made or changed it.",
    });
  }
  if (context.options["unsigned"] === true) return undefined;
  throw new AppError("invalid_request", "Say whose signature the bundle has to have.", {
    hint: "Name the public key of whoever makes your bundles with --key, or take any bundle with --unsigned.",
  });
}

export function readKey(file: string): string {
  if (!existsSync(file) || statSync(file).size > 10_000)
    throw new AppError("not_found", `There is no key ${file}.`, {
      hint: "docent bundle key <name> makes a pair.",
    });
  return readFileSync(file, "utf8");
}
