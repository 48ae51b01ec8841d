import { AppError } from "@docent/kernel/errors";
import type { Parts } from "@docent/running/app/parts";
import type { Site } from "@docent/sites/site/sites";

/** Raises `not_found` for a site of which nothing was read yet: that its docs do not cover a question would be no answer. */
export async function requirePages({ content }: Parts, site: Site): Promise<void> {
  if (!(await hasPages(content, site))) throw withoutPages(site);
}

/** The same of a site that is asked, unless people wrote answers for it. */
export async function requireAnswers({ content, answers }: Parts, site: Site): Promise<void> {
  if (await hasPages(content, site)) return;
  if ((await answers.curated.review(site)).length === 0) throw withoutPages(site);
}

const hasPages = async ({ pages }: Parts["content"], { id }: Site) => (await pages.countPages(id)).pages > 0;

const withoutPages = ({ domain }: Site) =>
  new AppError("not_found", `There are no pages in ${domain} yet.`, {
    hint: `docent ingest ${domain} <folder>`,
  });
