import { accentOf, parseColor } from "@docent/kernel/text/colors";
import type { SiteSettings } from "@docent/sites/site/settings";
import type { Site } from "@docent/sites/site/sites";
import type { ReaderAddresses } from "../addresses.ts";
import { type Html, html, trusted } from "../html.ts";

/** Below this, the picture of a site's look is. */
const FOLDER = "~look/";
/** The accent of the design language, which has its own lighter shade on dark ground. */
const OWN_ACCENT = "#2456c9";
const PICTURE = /^data:(image\/(png|jpeg|webp|gif|svg\+xml));base64,([A-Za-z0-9+/]+={0,2})$/;

/** What a site's pages have of the look that its owner gave the widget. */
export interface SiteLook {
  /** For the head: the accent, and the picture of the browser's tab. */
  head: Html;
  logo: Html | undefined;
}

export function lookOf({ name, domain, settings }: Site, basePath: string, nonce: string): SiteLook {
  const { accent, logo } = settings.widget;
  const picture = pictureIn(logo);
  const address = picture && `${basePath}/sites/${domain}/${FOLDER}${picture.name}`;
  const icon = address ?? letterIcon(name, accent);
  return {
    head: html`<link rel="icon" href="${icon}">${accentStyle(accent, nonce)}`,
    logo: address === undefined ? undefined : html`<img class="logo" src="${address}" alt="">`,
  };
}

/** The picture of the site's look at a path; undefined where there is none. */
export function showLook({ settings }: Site, path: string): Response | undefined {
  const picture = pictureIn(settings.widget.logo);
  if (picture === undefined || path !== FOLDER + picture.name) return undefined;
  return new Response(picture.bytes, { headers: { ...HEADERS, "content-type": picture.type } });
}

export const isLookPath = (path: string) => path.startsWith(FOLDER);

interface Picture {
  type: string;
  bytes: Uint8Array<ArrayBuffer>;
  /** Made from its content: whoever knows it has seen the picture. */
  name: string;
}

/** A logo that is kept with the settings. One at an address is not shown: pages load nothing from elsewhere. */
function pictureIn(logo: string): Picture | undefined {
  const [, type, kind, base64] = PICTURE.exec(logo) ?? [];
  if (type === undefined || kind === undefined || base64 === undefined) return undefined;
  const bytes = new Uint8Array(Buffer.from(base64, "base64"));
  const hash = new Bun.CryptoHasher("sha256").update(bytes).digest("hex");
  return { type, bytes, name: `${hash}.${kind === "svg+xml" ? "svg" : kind}` };
}

/** Only digits of colours get into the style. */
function accentStyle(accent: string, nonce: string): Html | undefined {
  const color = accent.toLowerCase() === OWN_ACCENT ? undefined : parseColor(accent);
  if (color === undefined) return undefined;
  const { light, dark, softLight, softDark } = accentOf(color);
  const css = `:root{--accent:light-dark(${light},${dark});--accent-soft:light-dark(${softLight},${softDark})}`;
  return html`<style nonce="${nonce}">${trusted(css)}</style>`;
}

/** The first letter of the site's name on the accent. */
function letterIcon(name: string, accent: string): string {
  const { fill, onFill } = accentOf(parseColor(accent) ?? parseColor(OWN_ACCENT) ?? [0, 0, 0]);
  const [letter = ""] = name.trim().toLocaleUpperCase();
  const svg = html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="${fill}"/><text x="16" y="22.5" fill="${onFill}" font-family="system-ui,sans-serif" font-size="19" font-weight="700" text-anchor="middle">${letter}</text></svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg.html)}`;
}

/** A picture is never a page: opened by itself it runs nothing, and loads nothing. */
const HEADERS = {
  "x-content-type-options": "nosniff",
  "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox",
  "x-frame-options": "DENY",
  "x-robots-tag": "noindex",
  "referrer-policy": "no-referrer",
  // Its address names its content.
  "cache-control": "private, max-age=31536000, immutable",
};

/** The owner's links, as items of a list. Paths lead to pages of the reader site. */
export const linkItems = (
  links: SiteSettings["headerLinks"],
  addresses: Pick<ReaderAddresses, "page">,
): Html[] =>
  links.map(({ label, href }) =>
    href.startsWith("/")
      ? html`<li><a href="${pageAddress(href, addresses)}"><bdi>${label}</bdi></a></li>`
      : html`<li><a href="${href}" rel="noopener noreferrer"><bdi>${label}</bdi></a></li>`,
  );

function pageAddress(path: string, addresses: Pick<ReaderAddresses, "page">): string {
  const [page = "", anchor] = path.replace(/^\/+/, "").split("#", 2);
  return addresses.page(page) + (anchor ? `#${anchor}` : "");
}
