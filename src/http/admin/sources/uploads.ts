import { z } from "zod";
import { sourceJson } from "../../../ingest/json.ts";
import { gives } from "../../operation/gives.ts";
import { type AdminOperation, operation, reply } from "../operation.ts";
import type { AdminOptions } from "../options.ts";
import { sourceShape } from "../shapes.ts";

const label = z.string().trim().max(100).default("");
const uploadSchema = z.strictObject({
  /** What the archive is called. The same name is the same source. */
  name: z
    .string()
    // Systems write one letter in several ways: the same folder, sent from another machine, is the same source.
    .normalize("NFC")
    .trim()
    .min(1)
    .max(200)
    .regex(/^[^\p{Cc}/\\]*$/u, "must be a file's name, without folders")
    .meta({ example: "docs.zip" }),
  version: label,
  language: label,
});
const replacementSchema = z.strictObject({ name: uploadSchema.shape.name.optional() });

/** Docs that are sent to the server: a zip, a tar or a tar.gz, as a source. */
export function uploadOperations({
  uploadedSources,
  sourceRuns,
  uploadMs,
  basePath,
}: Pick<AdminOptions, "uploadedSources" | "sourceRuns" | "uploadMs" | "basePath">): AdminOperation[] {
  return [
    operation({
      method: "POST",
      path: "/sites/:domain/uploads",
      writes: true,
      takesFile: true,
      summary: "Upload an archive as a source",
      description:
        "The body is a .zip, .tar or .tar.gz. One of the same name, version and language takes the place of what was there before. A run of it has to be asked for.",
      replies: {
        ...gives(200, "The source was there; it has the new archive.", sourceShape),
        ...gives(201, "The source.", sourceShape),
      },
      query: uploadSchema,
      async run({ site, query, sent }) {
        const { domain, id: siteId, organizationId } = site();
        const { name, ...marks } = query();
        const { id, isNew } = await uploadedSources.take(
          { siteId, organizationId, ...marks },
          { name, ...sent(uploadMs) },
        );
        const location = `${basePath}/v1/admin/sites/${domain}/sources/${id}`;
        const source = sourceJson(await sourceRuns.get(siteId, id));
        return reply(source, isNew ? { status: 201, location } : {});
      },
    }),
    operation({
      method: "PUT",
      path: "/sites/:domain/uploads/:number",
      writes: true,
      takesFile: true,
      summary: "Upload an archive in the place of another",
      description: "Whatever the new one is called, it is the same source, under the name that it has.",
      replies: gives(200, "The source.", sourceShape),
      query: replacementSchema,
      async run({ site, query, number, sent }) {
        const source = await sourceRuns.get(site().id, number("number"));
        const { name = source.location } = query();
        await uploadedSources.replace(source, site().organizationId, { name, ...sent(uploadMs) });
        return reply(sourceJson(await sourceRuns.get(site().id, source.id)));
      },
    }),
  ];
}
