import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { DocsSite } from "../src/reading/generators/generators.ts";
import { publishedBy, RECORDED } from "../test/reading/generators/published.ts";
import { NotHere } from "./bounded.ts";
import { antora } from "./generators/antora.ts";
import { bookdown } from "./generators/bookdown.ts";
import { readBuiltSite } from "./generators/built-site.ts";
import { compareSites, withLinksFollowed } from "./generators/compare.ts";
import { docsify } from "./generators/docsify.ts";
import { docusaurus } from "./generators/docusaurus.ts";
import { eleventy } from "./generators/eleventy.ts";
import { fumadocs } from "./generators/fumadocs.ts";
import { gitbook } from "./generators/gitbook.ts";
import { hugo } from "./generators/hugo.ts";
import { obtain } from "./generators/installed.ts";
import { jekyll } from "./generators/jekyll.ts";
import type { Judge } from "./generators/judge.ts";
import { mdbook } from "./generators/mdbook.ts";
import { mkdocs } from "./generators/mkdocs.ts";
import { nextra } from "./generators/nextra.ts";
import { nuxtContent } from "./generators/nuxt-content.ts";
import type { PublishedSite } from "./generators/published.ts";
import { rspress } from "./generators/rspress.ts";
import { comparePages, LACKING } from "./generators/shown-words.ts";
import { sphinx } from "./generators/sphinx.ts";
import { starlight } from "./generators/starlight.ts";
import { vitepress } from "./generators/vitepress.ts";
import { zensical } from "./generators/zensical.ts";
import { zola } from "./generators/zola.ts";

// Records what docs generators make of our sites, or compares what Docent says of real docs with what they make of
// those: scripts/generators/README.md.

const JUDGES: readonly Judge[] = [
  ...docsify,
  antora,
  bookdown,
  docusaurus,
  eleventy,
  fumadocs,
  gitbook,
  hugo,
  jekyll,
  mdbook,
  ...mkdocs,
  rspress,
  sphinx,
  nextra,
  nuxtContent,
  starlight,
  vitepress,
  zensical,
  zola,
];

const MINUTE_MS = 60_000;

async function main(given: readonly string[]): Promise<number> {
  const [on, folder] = given[0] === "--on" ? given.slice(0, 2) : [];
  const names = on === undefined ? given : given.slice(2);
  const unknown = names.find((name) => !JUDGES.some((judge) => judge.name === name));
  if (unknown !== undefined || (on !== undefined && (folder === undefined || names.length !== 1))) {
    say(`usage: generators.ts [--on FOLDER] NAME, of ${JUDGES.map(({ name }) => name).join(", ")}`);
    return 2;
  }
  const judges = names.length === 0 ? JUDGES : JUDGES.filter(({ name }) => names.includes(name));
  let failed = 0;
  for (const judge of judges) {
    try {
      failed += folder === undefined ? await record(judge) : await compareOn(judge, resolve(folder));
    } catch (error) {
      if (!(error instanceof NotHere)) throw error;
      say(`${judge.name} IS LEFT OUT: ${error.message}`);
    }
  }
  return failed === 0 ? 0 : 1;
}

/** Writes the table of a generator anew, and says what Docent says otherwise. */
async function record(judge: Judge): Promise<number> {
  const folder = join(RECORDED, judge.name);
  const published = await publish(judge, join(folder, "site"), false);
  const pages = published.pages.map(({ lines: _, ...page }) => page);
  const lines = Object.fromEntries(published.pages.map(({ path, lines = [] }) => [path, lines]));
  await writeJson(join(folder, "published.json"), { ...published, pages });
  await writeJson(join(folder, "words.json"), lines);
  return report(judge, join(folder, "site"), published);
}

/** Says of which words that were published Docent shows nothing, or something else. */
async function reportWords(site: DocsSite, { pages }: PublishedSite): Promise<void> {
  const published = Object.fromEntries(pages.map(({ path, lines = [] }) => [path, lines]));
  const compared = await comparePages(site, published);
  for (const [what, of] of Object.entries(LACKING)) {
    const lacking = compared.flatMap(of);
    say(`  ${what}: ${lacking.length} lacking on ${compared.length} pages`);
    for (const each of lacking.slice(0, EXAMPLES)) say(`    ${each}`);
  }
}

const EXAMPLES = 40;

const writeJson = (file: string, value: unknown) => Bun.write(file, `${JSON.stringify(value, null, 2)}\n`);

async function compareOn(judge: Judge, folder: string): Promise<number> {
  return report(judge, folder, await publish(judge, folder, true));
}

/** Builds a copy of a site, and reads what came out. */
async function publish(judge: Judge, site: string, isForeign: boolean): Promise<PublishedSite> {
  const untilMs = Date.now() + 15 * MINUTE_MS;
  const installed = await obtain(judge, untilMs);
  const scratch = await mkdtemp(join(tmpdir(), `docent-${judge.name}-`));
  try {
    const source = join(scratch, "source");
    const into = join(scratch, "html");
    await cp(site, source, { recursive: true });
    return await readBuiltSite(await judge.build({ installed, source, into, untilMs, isForeign }));
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

async function report(judge: Judge, folder: string, theirs: PublishedSite): Promise<number> {
  const { site, published: ours } = await publishedBy(folder).catch((error: unknown) => {
    if (!(error instanceof Error)) throw error;
    return { site: undefined, published: { generator: error.message, pages: [], menu: [] } };
  });
  say(`${judge.name}: ${theirs.generator} of ${folder}; Docent: ${ours.generator}`);
  let differing = 0;
  for (const difference of compareSites(ours, withLinksFollowed(theirs, site?.redirects ?? []))) {
    const { what, count, wrong, lacking, examples } = difference;
    say(`  ${what}: ${wrong} wrong and ${lacking} lacking of ${count}`);
    for (const example of examples) say(`    ${example}`);
    differing += wrong + lacking;
  }
  if (site !== undefined) await reportWords(site, theirs);
  return differing;
}

const say = (line: string) => process.stdout.write(`${line}\n`);

process.exit(await main(process.argv.slice(2)));
