import { directionOf } from "@docent/kernel/text/languages";
import type { ReaderAddresses, ReaderTheme } from "./addresses.ts";
import { type Html, html } from "./html.ts";
import { ICONS } from "./icons.ts";
import type { ReaderLabels } from "./labels.ts";
import type { SiteLook } from "./look/look.ts";

/** The addresses of a page's style and script. */
export interface ReaderFiles {
  style: string;
  script: string;
}

/** The parts that a page is put together from. Ids in it begin with `~`, which no heading's anchor has. */
interface ReaderFrame {
  siteName: string;
  language: string;
  labels: ReaderLabels;
  title: string;
  description: string | undefined;
  theme: ReaderTheme | undefined;
  themes: Html;
  files: ReaderFiles;
  look: SiteLook;
  nonce: string;
  /** What of the site can be reached from here; undefined for a page that was opened alone, by a link of its own. */
  site?: {
    addresses: ReaderAddresses;
    menu: Html;
    choices: Html | undefined;
    query: string;
    /** Scripts may search as well: they are sent without cookies. */
    asYouType: boolean;
    widget: Html | undefined;
    /** Who is signed in, or where one signs in. */
    account: Html | undefined;
    /** The owner's links, as items of lists. */
    headerLinks: Html[];
    footer: { text: string; links: Html[] };
  };
  outline?: Html | undefined;
  main: Html;
}

/** A whole page of the reader. */
export function readerDocument(frame: ReaderFrame): string {
  const { siteName, language, labels, title, description, theme, files, look, nonce, site, outline, main } =
    frame;
  const themed = theme !== undefined && html` data-theme="${theme}"`;
  const wide =
    outline !== undefined &&
    html`<nav class="outline" aria-label="${labels.onThisPage}"><h2>${labels.onThisPage}</h2>${outline}</nav>`;
  return html`<!doctype html>
<html lang="${language}" dir="${directionOf(language)}"${themed}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title === "" || title === siteName ? siteName : `${title} · ${siteName}`}</title>
${description !== undefined && html`<meta name="description" content="${description}">`}
<link rel="stylesheet" href="${files.style}">
${look.head}
<script type="module" nonce="${nonce}" src="${files.script}"></script>
</head>
<body class="${site === undefined ? "alone" : "site"}" data-copy="${labels.copy}" data-copied="${labels.copied}">
<a class="skip" href="#~text">${labels.skip}</a>
${topOf(frame)}
<div class="frame">
${site !== undefined && menuPart(site, frame)}
<main id="~text" tabindex="-1">${main}</main>
${wide}
</div>
${site && siteFooter(site)}
${site?.widget}
</body>
</html>`.html;
}

function topOf({ siteName, labels, look, themes, site }: ReaderFrame): Html {
  if (site === undefined)
    return html`<header class="top"><span class="name">${look.logo}<bdi>${siteName}</bdi></span>${themes}</header>`;
  return html`<header class="top">
<a class="menu-open" href="#~menu" aria-label="${labels.menu}">${ICONS.menu}</a>
<a class="name" href="${site.addresses.page("")}">${look.logo}<bdi>${siteName}</bdi></a>
${searchForm(site, labels)}
${linksPart(site, labels)}
<div class="settings">${site.choices}${themes}</div>
${site.account && html`<div class="account">${site.account}</div>`}
</header>`;
}

/** The owner's links stand in the bar, and on a small screen in the menu: one of the two is not shown. */
const linksPart = ({ headerLinks }: NonNullable<ReaderFrame["site"]>, { links }: ReaderLabels) =>
  headerLinks.length > 0 && html`<nav class="site-links" aria-label="${links}"><ul>${headerLinks}</ul></nav>`;

function siteFooter({ footer: { text, links } }: NonNullable<ReaderFrame["site"]>): Html | undefined {
  if (text === "" && links.length === 0) return undefined;
  return html`<footer class="site-footer"><div>${text !== "" && html`<p dir="auto">${text}</p>`}${links.length > 0 && html`<ul>${links}</ul>`}</div></footer>`;
}

function searchForm(
  { addresses, query, asYouType }: NonNullable<ReaderFrame["site"]>,
  labels: ReaderLabels,
): Html {
  const { action, hidden } = addresses.form;
  const script =
    asYouType &&
    html` data-search="${addresses.searchAsYouType}" data-nothing="${labels.noResults}" data-count="${labels.results}" data-corrected="${labels.corrected}" data-busy="${labels.searchBusy}"`;
  return html`<form class="search" role="search" action="${action}" method="get"${script}>
${ICONS.search}
<input type="search" name="q" value="${query}" placeholder="${labels.search}" aria-label="${labels.search}" maxlength="1000" autocomplete="off" autocapitalize="off" spellcheck="false">
<kbd aria-hidden="true">/</kbd>
${Object.entries(hidden).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
</form>`;
}

function menuPart(site: NonNullable<ReaderFrame["site"]>, { labels, themes }: ReaderFrame): Html {
  const { menu, choices } = site;
  return html`<nav class="menu" id="~menu" aria-label="${labels.pages}">
<a class="menu-close" href="#~text" aria-label="${labels.close}">${ICONS.close}</a>
<div class="settings">${choices}${themes}</div>
${linksPart(site, labels)}
${menu}
</nav>
<a class="menu-behind" href="#~text" tabindex="-1" aria-hidden="true"></a>`;
}

/** Where a page with one sentence leads: what it looks like, and where members sign in who may see more. */
interface PlainLinks {
  style: string;
  signIn: string;
}

/** A page that says one sentence, and nothing of the site that was asked for. */
export function plainDocument(language: string, text: string, { style, signIn }: PlainLinks): string {
  return html`<!doctype html>
<html lang="${language}" dir="${directionOf(language)}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${text}</title><link rel="stylesheet" href="${style}"></head>
<body class="alone"><main><p>${text}</p><p><a href="${signIn}">Sign in</a></p></main></body>
</html>`.html;
}
