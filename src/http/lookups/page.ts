import { z } from "zod";
import { AppError } from "../../errors.ts";
import { choosePage, findByWrittenPath, type PageStore } from "../../pages/pages.ts";
import type { Lookup } from "./routes.ts";

const path = z.string().max(2000);
/** The body of the page operation. */
export const pageSchema = z
  .object({
    path: path.nullish(),
    /** Another name for it. */
    page: path.nullish(),
    version: z.string().max(200).nullish(),
    language: z.string().max(200).nullish(),
  })
  .refine((body) => (body.path ?? body.page) != null, { path: ["path"], message: "is missing" });

/** `POST /v1/page/{domain}`: a page's Markdown. */
export function pageOperation(pages: PageStore): Lookup<z.infer<typeof pageSchema>> {
  return {
    path: "/v1/page/:domain",
    meter: "pages",
    schema: pageSchema,
    async run(site, body) {
      const asked = { version: body.version ?? undefined, language: body.language ?? undefined };
      const { defaultVersion: version, defaultLanguage: language } = site.settings;
      const found = await findByWrittenPath(pages, site.id, body.path ?? body.page ?? "");
      const page = choosePage(found, asked, { version, language });
      if (!page || page.hidden) throw new AppError("not_found", "Not found");
      return { path: page.path, content: page.markdown };
    },
  };
}
