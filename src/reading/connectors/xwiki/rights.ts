import { AppError } from "@docent/kernel/errors";
import { z } from "zod";
import type { XWikiApi } from "./api.ts";
import { HOME, pagePath, spacesIn } from "./references.ts";

const OBJECTS = z.object({
  objectSummaries: z
    .array(z.object({ space: z.string(), pageName: z.string(), number: z.number().default(0) }))
    .default([]),
});
const OBJECT = z.object({
  properties: z.array(z.object({ name: z.string(), value: z.unknown() })).default([]),
});

const CLASSES = ["XWiki.XWikiRights", "XWiki.XWikiGlobalRights"];
const NUMBER = 500;
const PARTS_MAX = 20;
const EMPTY_PARTS_MAX = 2;

/** Which pages have rights of their own to be viewed, or lie in a space that has. */
interface Rights {
  isForSome(spaces: readonly string[], page: string): boolean;
}

const keyOf = (names: readonly string[]) => JSON.stringify(names);

export async function readRights(api: XWikiApi): Promise<Rights> {
  const pages = new Set<string>();
  const spaces = new Set<string>();
  for (const className of CLASSES) {
    for (const { space, pageName, number } of await listObjects(api, className)) {
      const names = spacesIn(space);
      // The rights of the wiki itself are those of all its pages.
      if (pageName === "XWikiPreferences") continue;
      if (!(await concernsView(api, `${pagePath(names, pageName)}/objects/${className}/${number}`))) continue;
      if (pageName === "WebPreferences") spaces.add(keyOf(names));
      else pages.add(keyOf([...names, pageName]));
    }
  }
  return {
    isForSome: (around, page) =>
      pages.has(keyOf([...around, page])) ||
      around.some((_, index) => spaces.has(keyOf(around.slice(0, index + 1)))) ||
      (page !== HOME && spaces.has(keyOf([...around, page]))),
  };
}

async function listObjects(api: XWikiApi, className: string) {
  const found: z.infer<typeof OBJECTS>["objectSummaries"] = [];
  let emptyParts = 0;
  for (let part = 0; part < PARTS_MAX; part++) {
    const path = `classes/${className}/objects?start=${part * NUMBER}&number=${NUMBER}`;
    const reply = await orNothing(api.read(path, OBJECTS));
    if (reply === undefined)
      throw unsaid(api, `Let whoever signs in view the page ${className.replace(".", "/")} of the wiki.`);
    found.push(...reply.objectSummaries);
    // What whoever signed in may not view is taken out of a part, which may leave none.
    emptyParts = reply.objectSummaries.length === 0 ? emptyParts + 1 : 0;
    if (emptyParts === EMPTY_PARTS_MAX) return found;
  }
  throw unsaid(api, "It has more rights than are read. Give them to spaces in the place of their pages.");
}

/** Who may read a page is not guessed. */
const unsaid = ({ base }: XWikiApi, hint: string) =>
  new AppError("unavailable", `${base} does not say which of its pages have rights of their own.`, {
    hint: `Readers still see what was there before. ${hint}`,
  });

/** What cannot be read of rights counts as one. */
async function concernsView(api: XWikiApi, path: string): Promise<boolean> {
  const object = await orNothing(api.read(path, OBJECT));
  const levels = object?.properties.find(({ name }) => name === "levels")?.value;
  return typeof levels !== "string" || /\bview\b/.test(levels);
}

/** What whoever signed in may not see, or what is not there, is nothing. */
export async function orNothing<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof AppError && ["forbidden", "not_found"].includes(error.code)) return undefined;
    throw error;
  }
}
