import type { ImageTarget } from "../../../markdown/render/render.ts";
import type { ImageStore, PageImage } from "../../../pages/images.ts";
import type { Page } from "../../../pages/pages.ts";
import type { Site } from "../../../sites/sites.ts";
import type { ReaderRequest, ReaderSiteOptions } from "../request.ts";

/** Below this, a site's images are: no page is called so, and no program's list. */
const FOLDER = "~images/";
const NAMED = /^~images\/([0-9a-f]{64})\.[a-z]{3,4}$/;

const EXTENSIONS: Readonly<Record<string, string>> = {
  "image/png": "png",
  "image/jpeg": "jpg",
  "image/gif": "gif",
  "image/webp": "webp",
  "image/avif": "avif",
  "image/svg+xml": "svg",
};

/** Where the images of a page are, by what its Markdown calls them. */
export type ImagesOf = (reference: string) => ImageTarget | undefined;

/**
 * The addresses of a page's images. Browsers ask for what a sandboxed page shows without any cookie: so on a site that
 * is not public, each address is signed, and opens that image alone.
 */
export async function imagesOfPage(
  { images, links, basePath }: Pick<ReaderSiteOptions, "images" | "links" | "basePath">,
  site: Site,
  page: Page,
  until?: number,
): Promise<ImagesOf> {
  const found = await images.ofPage(page.id);
  return (reference) => {
    const image = found.get(reference);
    if (image === undefined) return undefined;
    const path = pathOf(image);
    const { width, height } = image;
    return {
      address: `${basePath}/sites/${site.domain}/${path}${links.query(site, { path }, until)}`,
      width,
      height,
    };
  };
}

const pathOf = ({ hash, type }: PageImage) => `${FOLDER}${hash}.${EXTENSIONS[type] ?? "bin"}`;

export const isImagePath = (path: string) => path.startsWith(FOLDER);

/** An image of a page that readers see; undefined where there is none, or it may not be shown. */
export async function showImage(
  { images, links }: { images: ImageStore } & Pick<ReaderSiteOptions, "links">,
  { site, path, query }: ReaderRequest,
): Promise<Response | undefined> {
  const hash = NAMED.exec(path)?.[1];
  if (hash === undefined || !links.allows(site, { path }, query)) return undefined;
  const image = await images.find(site.id, hash);
  if (image === undefined || pathOf({ hash, type: image.type, width: undefined, height: undefined }) !== path)
    return undefined;
  return new Response(new Uint8Array(image.content), { headers: { ...HEADERS, "content-type": image.type } });
}

/** An image is never a page: opened by itself it runs nothing, and loads nothing. */
const HEADERS = {
  "x-content-type-options": "nosniff",
  "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox",
  "x-frame-options": "DENY",
  "x-robots-tag": "noindex",
  "referrer-policy": "no-referrer",
  // Its address names its content.
  "cache-control": "private, max-age=31536000, immutable",
};
