import { AppError } from "@docent/kernel/errors";
import type { Clock } from "@docent/kernel/lib/clock";
import type { Source, SourceSpec } from "@docent/reading/source";
import type { Ingest } from "../run/run.ts";
import type { ListedSource, SourceStore } from "../stores.ts";
import type { SentArchive, UploadFiles, UploadOwner } from "./files.ts";

export { createUploadFiles, type UploadFiles } from "./files.ts";
export { uploadFile, uploadFiles } from "./kept-uploads.ts";

interface UploadedSourcesDeps {
  uploads: Pick<UploadFiles, "receive">;
  sources: SourceStore;
  ingest: Pick<Ingest, "whileIdle">;
  clock: Clock;
}

/** Sources that were sent to the server. One of the same name, version and language is the same source. */
export function createUploadedSources({ uploads, sources, ingest, clock }: UploadedSourcesDeps) {
  /** Puts an upload in the place of the one that a source has, while no run reads that. */
  async function replace(source: Source, organizationId: string, sent: SentArchive): Promise<void> {
    if (source.kind !== "upload")
      throw new AppError("conflict", `${source.location} was not uploaded: it is read where it is.`);
    // Before all of it has come: who sends much learns soon that it cannot be kept.
    await ingest.whileIdle(source, async () => {});
    const owner = { siteId: source.siteId, organizationId };
    const arrived = await uploads.receive(owner, sent, source.id);
    try {
      await ingest.whileIdle(source, () => arrived.keep(source));
    } catch (error) {
      await arrived.discard();
      throw error;
    }
  }

  async function add(spec: SourceSpec, organizationId: string, sent: SentArchive): Promise<Source> {
    const arrived = await uploads.receive({ siteId: spec.siteId, organizationId }, sent);
    try {
      const source = await sources.open(spec, clock());
      // One of the same name may have come meanwhile, and be read already.
      await ingest.whileIdle(source, () => arrived.keep(source));
      return source;
    } catch (error) {
      await arrived.discard();
      throw error;
    }
  }

  return {
    replace,

    /** Takes an upload as a source, or in the place of what that source had before. */
    async take(
      { organizationId, ...asked }: UploadOwner & Pick<SourceSpec, "version" | "language">,
      sent: SentArchive,
    ): Promise<{ id: number; isNew: boolean }> {
      const spec: SourceSpec = { ...asked, kind: "upload", location: sent.name };
      const known = (await sources.list(spec.siteId)).find((source) => isSame(source, spec));
      if (known === undefined) return { id: (await add(spec, organizationId, sent)).id, isNew: true };
      await replace(known, organizationId, sent);
      // One that was removed, and is seen all the same, is a source again.
      await sources.open(spec, clock());
      return { id: known.id, isNew: false };
    },
  };
}

export type UploadedSources = ReturnType<typeof createUploadedSources>;

const isSame = (a: ListedSource, b: SourceSpec) =>
  a.kind === b.kind && a.location === b.location && a.version === b.version && a.language === b.language;
