import { expect } from "bun:test";
import {
  chooseDocs,
  type FoundFile,
  isForeign,
} from "../../../src/faces/dashboard/kit/upload/choose-docs.ts";
import { namesInPages } from "../../../src/faces/dashboard/kit/upload/included-names.ts";
import type { DocsSite } from "../../../src/reading/generators/docs-site.ts";
import { createDocsTree, type DocsTree } from "../../../src/reading/generators/docs-tree.ts";
import { isConfigurationName, isPrivateName } from "../../../src/reading/generators/site-files.ts";

/** What files hold, by their locations. */
export type Contents = Readonly<Record<string, string | Uint8Array<ArrayBuffer>>>;

export const treeOf = (contents: Contents): DocsTree =>
  createDocsTree(
    Object.entries(contents).map(([location, content]) => ({
      location,
      read: async () => (typeof content === "string" ? new TextEncoder().encode(content) : content),
    })),
  );

const FOLDER = "dropped";

/** The files that the browser sends of a folder that is dropped into it. */
export async function sentOf(contents: Contents): Promise<ReadonlySet<string>> {
  const found = Object.entries(contents).flatMap(([location, content]): FoundFile[] => {
    const isSeen = !location.split("/").slice(0, -1).some(isForeign);
    return isSeen ? [{ path: `${FOLDER}/${location}`, content: new Blob([content]) }] : [];
  });
  const { sent } = chooseDocs(found, { named: await namesInPages(found) });
  return new Set(sent.map(({ path }) => path.slice(FOLDER.length + 1)));
}

/** The files that the browser keeps although what is read may differ by them, with why. */
const KEPT: readonly { name: RegExp; why: string }[] = [
  { name: /\.ex$/, why: "the programs of a project, of which links to modules alone are made" },
  { name: /\.zip$/, why: "an archive inside a folder, which nobody looks into" },
  { name: /\.(?:png|jpe?g|gif|webp|avif|svg)$/, why: "an image that no page shows" },
];

/**
 * Wants of what the browser sends of files the same site as of all of them, as far as they are read where they lie: the
 * same pages with the same words, menu and redirects.
 */
export async function expectSameDropped(
  contents: Contents,
  open: (tree: DocsTree) => Promise<DocsSite | undefined>,
): Promise<void> {
  const sent = await sentOf(contents);
  const only = (takes: (location: string) => boolean) =>
    treeOf(Object.fromEntries(Object.entries(contents).filter(([location]) => takes(location))));
  const isLeftOut = (name: string) => isPrivateName(name) && !isConfigurationName(name);
  const isRead = (location: string) =>
    !location.split("/").some(isLeftOut) &&
    (sent.has(location) || !KEPT.some(({ name }) => name.test(location)));
  const whole = await whatIsReadOf(await open(only(isRead)));
  expect(await whatIsReadOf(await open(only((location) => sent.has(location))))).toEqual(whole);
}

/** What readers get of a site. */
async function whatIsReadOf(site: DocsSite | undefined) {
  if (site === undefined) return undefined;
  const { generator, root, language, pages, menu, redirects } = site;
  const read = await Promise.all(
    pages.map(async (page) => {
      const { data, markdown } = await site.read(page);
      return { ...page, data, markdown };
    }),
  );
  return { generator, root, language, pages: read, menu, redirects };
}
