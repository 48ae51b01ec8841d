import { encodePath, readerAddress } from "@docent/reading/page/page-path";
import { ANYBODY } from "@docent/sites/pages/audience";
import { phrasesFor } from "@docent/sites/site/phrases";
import { wantsSignIn } from "@docent/sites/site/sites";
import {
  articleOf,
  filesOfPage,
  foldedOutline,
  outlineOf,
  partOf,
  partsNavigation,
} from "./article/article.ts";
import { readerDocument } from "./document.ts";
import { navigationOf } from "./edition.ts";
import { readerHeaders } from "./headers.ts";
import { html } from "./html.ts";
import { readerLabels } from "./labels.ts";
import { lookOf } from "./look/look.ts";
import {
  choiceIn,
  filesOfPages,
  notFoundPage,
  pageAsked,
  type ReaderRequest,
  type ReaderSiteOptions,
} from "./request.ts";
import { themeSwitchers } from "./switchers.ts";

/**
 * A page that a signed link opens, if it is for everyone who may read the site: its text, and nothing that would lead to
 * what the link does not open. Undefined where it opens nothing.
 */
export async function showSignedPage(
  options: ReaderSiteOptions,
  asked: Omit<ReaderRequest, "audience">,
): Promise<Response | undefined> {
  const { links, pages, basePath } = options;
  const { site, path, query } = asked;
  const { theme, ...choice } = choiceIn(query);
  // A page for readers who have signed in is opened by nothing else.
  if (wantsSignIn(site) || !links.allows(site, { path, ...choice }, query)) return undefined;
  const { language: siteLanguage, phrases } = site.settings;
  const page = await pageAsked(pages, { ...asked, audience: ANYBODY });
  if (!page) {
    const text = phrasesFor(siteLanguage, phrases).pageNotFound;
    return notFoundPage(options, { language: siteLanguage, text });
  }
  const until = Number(query.get("until"));
  const files = await filesOfPage(options, site, page, until);
  // What is for groups, a link from a page does not open: who may read the one need not read the other.
  const navigation = await navigationOf(options, { site, audience: ANYBODY });
  const linkTo = (target: string, fragment: string) => {
    const meant = navigation.linked(target, {});
    const path = meant ?? target;
    const signed = meant === undefined ? "" : links.query(site, { path, groups: [], ...choice }, until);
    const query = new URLSearchParams(signed);
    if (theme) query.set("theme", theme);
    const behind = query.size === 0 ? "" : `?${query}`;
    return readerAddress(`${basePath}/sites/${site.domain}/${encodePath(path)}${behind}`, fragment);
  };
  const nonce = options.nonce();
  const language = page.language || siteLanguage;
  const labels = readerLabels(language);
  const part = partOf(page, query);
  const outline = outlineOf(site, part.page);
  const document = readerDocument({
    siteName: site.name,
    language,
    labels,
    title: page.title,
    description: page.description,
    theme,
    nonce,
    outline,
    files: await filesOfPages(options),
    look: lookOf(site, basePath, nonce),
    themes: themeSwitchers(query, theme, labels),
    main: html`${foldedOutline(outline, labels)}${await articleOf(site, part.page, { ...files, linkTo }, labels)}
${partsNavigation(part, (at) => linkTo(path, at), labels)}`,
  });
  return new Response(document, { headers: readerHeaders(nonce) });
}
