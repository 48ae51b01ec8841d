import type { ImageTarget } from "@docent/reading/markdown/render/render";
import { encodePath } from "@docent/reading/page/page-path";
import { ANYBODY } from "@docent/sites/pages/audience";
import { type ImageStore, ORIGINAL, type PageImage } from "@docent/sites/pages/images";
import type { Page } from "@docent/sites/pages/pages";
import { isShownToAnyone, type Site } from "@docent/sites/site/sites";
import type { ReaderRequest, ReaderSiteOptions } from "../request.ts";

/** Below this, what pages show is, and what they were made of: no page is called so, and no program's list. */
const FOLDER = "~images/";
const IMAGE = /^~images\/([0-9a-f]{64})\.[a-z]{3,4}$/;
/** With its own name, which a download has. */
const DOCUMENT = /^~images\/([0-9a-f]{64})\/([^/]+)$/;

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

interface FilesOfPage {
  images: ImagesOf;
  /** The address of the document that the page was made of. */
  original: string | undefined;
}

/**
 * The addresses of a page's images, and of the document that it was made of. Browsers ask for what a sandboxed page shows
 * without any cookie: so where the page is not for everyone, each address is signed, and opens that file alone.
 */
export async function filesOfPage(
  { images, links, basePath }: Pick<ReaderSiteOptions, "images" | "links" | "basePath">,
  site: Site,
  page: Page,
  until?: number,
): Promise<FilesOfPage> {
  const found = await images.ofPage(page.id);
  const addressOf = (path: string) =>
    `${basePath}/sites/${site.domain}/${encodePath(path)}${links.fileQuery(site, { path, groups: page.groups }, until)}`;
  const original = found.get(ORIGINAL);
  return {
    original: original && addressOf(`${FOLDER}${original.hash}/${page.path.split("/").at(-1)}`),
    images(reference) {
      const image = reference === ORIGINAL ? undefined : found.get(reference);
      if (image === undefined) return undefined;
      const { width, height } = image;
      return { address: addressOf(pathOf(image)), width, height };
    },
  };
}

const pathOf = ({ hash, type }: Pick<PageImage, "hash" | "type">) =>
  `${FOLDER}${hash}.${EXTENSIONS[type] ?? "bin"}`;

export const isFilePath = (path: string) => path.startsWith(FOLDER);

/** A file of a page that readers see; undefined where there is none, or it may not be shown. */
export async function showFile(
  { images, links }: { images: ImageStore } & Pick<ReaderSiteOptions, "links">,
  { site, path, query }: Omit<ReaderRequest, "audience">,
): Promise<Response | undefined> {
  const [, named, name] = DOCUMENT.exec(path) ?? [];
  const hash = named ?? IMAGE.exec(path)?.[1];
  if (hash === undefined) return undefined;
  const isSigned = links.allows(site, { path }, query);
  if (!isSigned && !isShownToAnyone(site)) return undefined;
  const file = await images.find(site.id, hash, isSigned ? "everything" : ANYBODY);
  const isImage = file !== undefined && file.type in EXTENSIONS;
  if (file === undefined || isImage !== (name === undefined)) return undefined;
  if (isImage && pathOf({ hash, type: file.type }) !== path) return undefined;
  const saved = name === undefined ? {} : { "content-disposition": savedAs(name) };
  return new Response(new Uint8Array(file.content), {
    headers: { ...HEADERS, ...(isSigned ? KEPT_BRIEFLY : {}), ...saved, "content-type": file.type },
  });
}

/** A document is saved, not opened: what a browser makes of one is not ours to bound. */
const savedAs = (name: string) =>
  `attachment; filename*=UTF-8''${encodeURIComponent(name).replace(/['()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16)}`)}`;

/** What is not for everyone is asked for again, when its address may no longer be good. */
const KEPT_BRIEFLY = { "cache-control": "private, max-age=3600" };

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
