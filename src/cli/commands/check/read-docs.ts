import { realpath, stat } from "node:fs/promises";
import { join } from "node:path";
import { AppError } from "@docent/kernel/errors";
import type { ReadDocs } from "@docent/measuring/check/check";
import type { AnchorStyle } from "@docent/reading/markdown/anchors";
import { openParts } from "@docent/running/app";
import type { Parts } from "@docent/running/app/parts";
import type { Context } from "../../command.ts";
import { counted, type createProgress } from "../../output.ts";

/** What the docs are taken for. */
interface ReadAs {
  url: string | undefined;
  anchors: AnchorStyle | undefined;
}

interface Reading {
  signal: AbortSignal;
  progress: ReturnType<typeof createProgress>;
  /** A revision may be from before there were docs. */
  mayBeEmpty?: boolean;
}

/** Opens the parts on an empty directory: no server's data is touched, and no setting names a place elsewhere. */
export async function openEmpty({ surroundings }: Context, directory: string): Promise<Parts> {
  const own = { data: join(directory, "data"), database_url: "", embedding_model: "builtin" };
  return openParts({ ...surroundings, config: { ...surroundings.config, ...own } });
}

/** The folder that was named, without links in its path. Raises `not_found`. */
export async function folderOf(named: string): Promise<string> {
  try {
    const folder = await realpath(named);
    if ((await stat(folder)).isDirectory()) return folder;
  } catch (cause) {
    throw new AppError("not_found", `There is no folder ${named}.`, { cause });
  }
  throw new AppError("invalid_request", `${named} is no folder.`, {
    hint: "docent check reads the folder of docs, or the repository that they are in.",
  });
}

/** Reads a folder into a site of its own, as `docent ingest` does. Raises `unavailable` where it is not read to its end. */
export async function readDocs(
  parts: Parts,
  { domain, folder }: { domain: string; folder: string },
  { url, anchors }: ReadAs,
  { signal, progress, mayBeEmpty = false }: Reading,
): Promise<ReadDocs> {
  const { sites } = parts.people;
  const site = await sites.add({ domain, ...(url === undefined ? {} : { url }) });
  if (anchors !== undefined) await sites.set(domain, { settings: { anchors } });
  const spec = { siteId: site.id, kind: "folder", location: folder, version: "", language: "" } as const;
  const source = await parts.sources.ofSites.add(spec);
  const report = await parts.sources.ofSites.run(await sites.get(domain), source, {
    signal,
    force: mayBeEmpty,
    onProgress: ({ pages }) => progress.show(`${counted(pages, "page")} read`),
    onEmbedding: (passages) => progress.show(`passages with their vectors: ${passages}`),
    onIndexing: (passages, all) => progress.show(`${passages} of ${counted(all, "passage")} indexed`),
  });
  if (report.incomplete !== undefined)
    throw new AppError("unavailable", `${folder} was not read to its end: ${report.incomplete}`);
  return { site: await sites.get(domain), folder, report };
}
