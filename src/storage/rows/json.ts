import { LOOK_TOOLS, type ModelLook } from "@docent/answering/threads/threads";
import type { MenuEntry } from "@docent/reading/page/menu";
import type { PageMarks } from "@docent/reading/page/page-marks";
import type { PageRedirect } from "@docent/reading/page/redirects";
import { siteSettingsSchema } from "@docent/sites/site/settings";
import { z } from "zod";

// What columns of JSON text hold.

const stringsSchema = z.array(z.string());

/** A column of JSON text that holds strings. The schema says what is wrong with others, and takes five times as long. */
export function readStrings(json: string): string[] {
  const strings: unknown = JSON.parse(json);
  return isStrings(strings) ? strings : stringsSchema.parse(strings);
}

const looksSchema = z.lazy(() =>
  z.array(z.object({ tool: z.enum(LOOK_TOOLS), asked: z.string(), found: z.number() })),
);

/** A column of JSON text that holds what a model looked for; mostly nothing. */
export const readLooks = (json: string): ModelLook[] =>
  json === "[]" ? [] : looksSchema.parse(JSON.parse(json));

const isStrings = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((each) => typeof each === "string");

/** Each level is a call: a menu nests no deeper than its generator's own reader goes. */
const menuSchema: z.ZodType<MenuEntry[]> = z.lazy(() =>
  z.array(
    z.object({
      label: z.string(),
      path: z.string().exactOptional(),
      href: z.string().exactOptional(),
      language: z.string().exactOptional(),
      version: z.string().exactOptional(),
      isRest: z.literal(true).exactOptional(),
      children: menuSchema,
    }),
  ),
);

/** A column of JSON text that holds a menu. */
export const readMenu = (json: string): MenuEntry[] => menuSchema.parse(JSON.parse(json));

const translationsSchema = z.lazy(() => z.record(z.string(), z.string()));

/** What a column of JSON text says of a page's translations: no field for a page that stands for its own language alone. */
export const translationsIn = (json: string | null): Pick<PageMarks, "translations"> =>
  json === null ? {} : { translations: translationsSchema.parse(JSON.parse(json)) };

/** A column of JSON text that holds redirects, of which there may be many: each address with its target behind it. */
export function readRedirects(json: string): PageRedirect[] {
  const written = readStrings(json);
  return Array.from({ length: written.length >> 1 }, (_, index) => ({
    from: written[index * 2] ?? "",
    to: written[index * 2 + 1] ?? "",
  }));
}

export const writeRedirects = (redirects: readonly PageRedirect[]): string =>
  JSON.stringify(redirects.flatMap(({ from, to }) => [from, to]));

const numbersSchema = z.array(z.number());

/** A column of JSON text that holds numbers. */
export const readNumbers = (json: string): number[] => numbersSchema.parse(JSON.parse(json));

/** A site's settings; what an older row does not have gets its default. */
export const readSettings = (json: string) => siteSettingsSchema.parse(JSON.parse(json));
