import { isInAnswersFolder } from "../../../curated/answer-file.ts";
import {
  createDocsTree,
  type DocsPage,
  type DocsSite,
  recognizeSite,
  type WantedDocs,
} from "../../../generators/generators.ts";
import type { ListContext, Skipped, SourceItem } from "../../source-reader.ts";
import { pagePath, roleOf } from "./page-file.ts";
import type { ReadableFile } from "./tree-file.ts";

/** The docs that a tree of files holds, where they are some generator's. `others` are files that are no pages by themselves. */
export async function recognizeDocs(
  { files, others }: { files: readonly ReadableFile[]; others: readonly ReadableFile[] },
  {
    fileBytesMax,
    version,
    onRecognized,
  }: WantedDocs & { fileBytesMax: number } & Pick<ListContext, "onRecognized">,
): Promise<DocsSite | undefined> {
  const small = [...files, ...others].filter(({ sizeBytes }) => sizeBytes <= fileBytesMax);
  const site = await recognizeSite(createDocsTree(small), { version });
  if (site === undefined) return undefined;
  const { generator, pages, menu, unknowns } = site;
  if (pages.length > 0)
    onRecognized?.({ generator, pages: pages.length, samples: someOf(pages), menu, unknowns });
  return site;
}

/** What of a site's configuration cannot be known, and that none of its pages was found. */
export function unknownsOf({ generator, root, pages, unknowns }: DocsSite, found: string): Skipped[] {
  const questions = unknowns.map(({ question, guess }) => `${question} Taken: ${guess}.`);
  if (pages.length === 0) questions.push("No page was found by it: the files are taken as they lie.");
  if (questions.length === 0) return [];
  const detail = `is configured for ${generator}, and not all of that can be known. ${questions.join(" ")}`;
  return [
    {
      location: root === "" ? "." : root,
      found,
      reason: "parse_fault",
      detail: detail.slice(0, DETAIL_CHARACTERS_MAX),
    },
  ];
}

const DETAIL_CHARACTERS_MAX = 1000;

const SAMPLES = 10;

/** A few pages from the first to the last. */
function someOf(pages: readonly DocsPage[]): DocsPage[] {
  const step = Math.max(1, (pages.length - 1) / (SAMPLES - 1));
  const places = Array.from({ length: Math.min(SAMPLES, pages.length) }, (_, index) =>
    Math.round(index * step),
  );
  return places.flatMap((place) => pages[place] ?? []).map(({ location, path }) => ({ location, path }));
}

/** What a generator publishes, and why the other files that look like pages are not taken. */
export async function* docsItems(
  site: DocsSite,
  files: readonly ReadableFile[],
  found: string,
): AsyncGenerator<SourceItem | Skipped> {
  for (const { location, detail } of site.leftOut) yield { location, found, reason: "hidden", detail };
  const ofSite = new Set([...site.leftOut, ...site.pages].map(({ location }) => location));
  const answers = files
    .filter(({ location }) => !ofSite.has(location))
    .flatMap((file) => answerItem(file, found));
  const known = ofSite.union(new Set(answers.map(({ location }) => location)));
  for (const { location } of files) {
    if (known.has(location) || roleOf(location).kind === "other") continue;
    yield {
      location,
      found,
      reason: "hidden",
      detail: `is no page of the site that ${site.generator} makes`,
    };
  }
  for (const page of site.pages) yield pageItem(site, page, found);
  yield* answers;
}

/**
 * A page as it is published. It has no validator: what it takes from other files may have changed although its own has
 * not, so it is made anew each time, and what came of it is compared.
 */
function pageItem(site: DocsSite, page: DocsPage, found: string): SourceItem {
  const faults: string[] = [];
  return {
    path: page.path,
    location: page.location,
    found,
    format: "md",
    faults,
    async read() {
      const { data, markdown, faults: met } = await site.read(page);
      faults.push(...met);
      // JSON is YAML.
      return new TextEncoder().encode(`---\n${JSON.stringify(data)}\n---\n${markdown}`);
    },
  };
}

/** A curated answer lies beside the docs, and no generator knows of it. */
function answerItem({ location, validator, read }: ReadableFile, found: string): SourceItem[] {
  const role = roleOf(location);
  if (role.kind !== "page" || !isInAnswersFolder({ location, format: role.format })) return [];
  const path = pagePath(role.name, new Set());
  return [{ path, location, found, format: role.format, validator, read }];
}
