import { SECOND_MS } from "@docent/kernel/lib/clock";
import { aboutSource } from "@docent/people/audit/audit";
import { sourceJson } from "@docent/sites/ingest/json";
import { z } from "zod";
import { type ArrivedRequest, gives, type Operation, reply } from "../../operation.ts";
import { bodyPieces } from "../../request/body.ts";
import type { AdminOptions } from "../admin.ts";
import { type AdminGuarded, type AdminGuards, adminOperation, whileAdmitted } from "../guard.ts";
import { sourceShape } from "../shapes.ts";

const label = z.string().trim().max(100).default("");
const uploadSchema = z.strictObject({
  /** The archive's file name. Archives of one name are one source. */
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
  /** Whom its pages are for: groups with commas between them. What is left out stays as it was. */
  groups: z
    .string()
    .max(1000)
    .transform((text) => [
      ...new Set(
        text
          .split(",")
          .map((group) => group.trim())
          .filter((group) => group !== ""),
      ),
    ])
    .optional(),
});
const replacementSchema = z.strictObject({ name: uploadSchema.shape.name.optional() });

type UploadOptions = Pick<AdminOptions, "uploadedSources" | "siteSources" | "settings" | "basePath">;

/** Docs that are sent to the server: a zip, a tar or a tar.gz, as a source. */
export function uploadOperations(options: UploadOptions, guards: AdminGuards): Operation[] {
  const { uploadedSources, siteSources, settings, basePath } = options;
  const uploadMs = settings.upload_seconds * SECOND_MS;
  return [
    adminOperation({
      id: "uploadArchive",
      method: "POST",
      path: "/v1/admin/sites/:domain/uploads",
      tag: "Admin: sources",
      guard: guards.writes,
      records: ["source.uploaded", "source.changed"],
      takesFile: true,
      summary: "Upload an archive as a source",
      description:
        "The body is a .zip, .tar or .tar.gz. One of the same name, version and language takes the place of what was there before. A run of it has to be asked for.",
      replies: {
        ...gives(200, "The source was there; it has the new archive.", sourceShape),
        ...gives(201, "The source.", sourceShape),
      },
      query: uploadSchema,
      async run(asked) {
        const { site, record, query } = asked;
        const { domain, id: siteId, organizationId } = site();
        const { name, groups, ...marks } = query();
        const sent = { name, ...arriving(asked, uploadMs) };
        const { id, isNew } = await uploadedSources.take({ siteId, organizationId, ...marks }, sent);
        const location = `${basePath}/v1/admin/sites/${domain}/sources/${id}`;
        let source = await siteSources.get(siteId, id);
        await record({ kind: "source.uploaded", ...aboutSource(source) });
        if (groups !== undefined) {
          source = await siteSources.restrict(source, groups);
          await record({ kind: "source.changed", ...aboutSource(source), details: { changed: ["groups"] } });
        }
        return reply(sourceJson(source, siteSources.whyNotRead), isNew ? { status: 201, location } : {});
      },
    }),
    replaceArchive(options, guards),
  ];
}

const replaceArchive = (
  { uploadedSources, siteSources, settings }: UploadOptions,
  guards: AdminGuards,
): Operation =>
  adminOperation({
    id: "replaceArchive",
    method: "PUT",
    path: "/v1/admin/sites/:domain/uploads/:number",
    tag: "Admin: sources",
    guard: guards.writes,
    records: ["source.uploaded"],
    takesFile: true,
    summary: "Upload an archive in the place of another",
    description: "Whatever the new one is called, it is the same source, under the name that it has.",
    replies: gives(200, "The source.", sourceShape),
    query: replacementSchema,
    async run(asked) {
      const { site, record, query, number } = asked;
      const source = await siteSources.get(site().id, number("number"));
      const { name = source.location } = query();
      await uploadedSources.replace(source, site().organizationId, {
        name,
        ...arriving(asked, settings.upload_seconds * SECOND_MS),
      });
      await record({ kind: "source.uploaded", ...aboutSource(source) });
      return reply(sourceJson(await siteSources.get(site().id, source.id), siteSources.whyNotRead));
    },
  });

/** The body as it comes. Raises once its sender may do this no more. */
function arriving({ request, signal, admitAgain }: ArrivedRequest & AdminGuarded, milliseconds: number) {
  return {
    content: whileAdmitted(bodyPieces(request, { milliseconds, signal }), admitAgain),
    announcedBytes: Number(request.headers.get("content-length") ?? Number.NaN) || undefined,
  };
}
