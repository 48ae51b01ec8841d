import { z } from "zod";
import { AppError } from "../../errors.ts";
import { choosePage, findByWrittenPath, type PageStore } from "../../pages/pages.ts";
import { describedAs } from "../request/fields.ts";
import type { Lookup } from "./site-api.ts";

const path = z.string().max(2000);
const marks = { version: z.string().max(200).nullish(), language: z.string().max(200).nullish() };
/** The body of the page operation. `page` is another name for `path`: one of them is there. */
export const pageSchema = describedAs(
  z
    .object({ path: path.nullish(), page: path.nullish(), ...marks })
    .refine((body) => (body.path ?? body.page) != null, { path: ["path"], message: "is missing" }),
  z.union([
    z.object({ path, page: path.nullish(), ...marks }).meta({ id: "PageByPath" }),
    z.object({ path: z.null().optional(), page: path, ...marks }).meta({ id: "PageByName" }),
  ]),
);

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
