import { findPage, type PageStore } from "@docent/sites/pages/pages";
import { z } from "zod";
import type { Guarded } from "../guard/guard.ts";
import { type Guard, gives, notFound, type Operation, operation } from "../operation.ts";
import { describedAs } from "../request/fields.ts";
import { atOnce } from "./at-once.ts";

const path = z.string().max(2000);
const marks = { version: z.string().max(200).nullish(), language: z.string().max(200).nullish() };
/** `page` is another name for `path`: one of them is there. */
const pageSchema = describedAs(
  z
    .object({ path: path.nullish(), page: path.nullish(), ...marks })
    .refine((body) => (body.path ?? body.page) != null, { path: ["path"], message: "is missing" }),
  z.union([
    z.object({ path, page: path.nullish(), ...marks }).meta({ id: "PageByPath" }),
    z.object({ path: z.null().optional(), page: path, ...marks }).meta({ id: "PageByName" }),
  ]),
);

const pageShape = z.lazy(() => z.object({ path: z.string(), content: z.string() }).meta({ id: "Page" }));

/** Gives a page's Markdown. */
export const pageOperation = (guard: Guard<Guarded>, pages: PageStore): Operation =>
  operation({
    id: "getPage",
    method: "POST",
    path: "/v1/page/:domain",
    tag: "Search",
    guard,
    isInDiscovery: true,
    summary: "Give a page's Markdown",
    body: pageSchema,
    example: { path: "guide/install" },
    replies: gives(200, "The page.", pageShape),
    run: atOnce(async ({ site, reader, body }) => {
      const sent = await body();
      const asked = { version: sent.version ?? undefined, language: sent.language ?? undefined };
      const { defaultVersion: version, defaultLanguage: language } = site.settings;
      const page = await findPage(pages, site.id, sent.path ?? sent.page ?? "", {
        asked,
        defaults: { version, language },
        audience: reader.audience,
      });
      if (!page) notFound();
      return { path: page.path, content: page.markdown };
    }),
  });
