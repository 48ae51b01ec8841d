import { AppError } from "@docent/kernel/errors";
import { imageReferences } from "@docent/reading/markdown/render/render";
import type { ImageFile, SkipReason, SourceItem } from "@docent/reading/source-reader";
import { ORIGINAL } from "../../pages/images.ts";
import { inspectImage } from "../images/images.ts";
import type { KnownImage, KnownPage, StagedImage, StagedPage } from "../stores.ts";
import type { Pass, Shown } from "./pass.ts";
import type { ReadPage } from "./read-page.ts";
import type { Verdict } from "./verdict.ts";

/** The largest image that is kept. */
const IMAGE_BYTES_MAX = 5_000_000;
const IMAGES_OF_PAGE_MAX = 500;

type Unshown = { reason: SkipReason; detail: string };

/** Puts the images that a page shows beside it, and the document that it was made of. */
export async function addImages(pass: Pass, { item, page, remark, fault }: ReadPage): Promise<Verdict> {
  const images = [...originalOf(item), ...(await imagesOf(pass, item, page.markdown))];
  return { is: "new", item, page: { ...page, images }, remark, fault };
}

/** The images of a page that was read, with their content where this run has not handed it over yet. */
async function imagesOf(
  pass: Pass,
  item: SourceItem,
  markdown: string,
): Promise<NonNullable<StagedPage["images"]>> {
  const images: NonNullable<StagedPage["images"]> = [];
  for (const [reference, file] of filesOf(pass, item, imageReferences(markdown))) {
    const shown = await look(pass, item, file);
    images.push({ reference, image: shown && (await withContent(pass, file, shown)) });
  }
  return images;
}

/** The document that a page was made of, as one of its images. */
const originalOf = ({ original }: SourceItem): NonNullable<StagedPage["images"]> =>
  original === undefined
    ? []
    : [{ reference: ORIGINAL, image: { ...original, width: undefined, height: undefined } }];

/** Whether a page of the index shows the images that its source has now. */
export async function showsImagesOfNow(
  pass: Pass,
  item: SourceItem,
  { images: all }: Pick<KnownPage, "images">,
): Promise<boolean> {
  // What the page was made of is known by the page itself.
  const images = all.filter(({ reference }) => reference !== ORIGINAL);
  const references = images.map(({ reference }) => reference);
  const files = filesOf(pass, item, references);
  if (files.length !== images.length) return false;
  const now: KnownImage[] = [];
  for (const [reference, file] of files) now.push({ reference, hash: (await look(pass, item, file))?.hash });
  return Bun.deepEquals(now, images);
}

function filesOf(
  { images: { bytesMax } }: Pass,
  { imageFile }: SourceItem,
  references: readonly string[],
): [reference: string, file: ImageFile][] {
  if (bytesMax === 0 || imageFile === undefined) return [];
  const files = references.flatMap((reference): [string, ImageFile][] => {
    const file = imageFile(reference);
    return file === undefined ? [] : [[reference, file]];
  });
  return files.slice(0, IMAGES_OF_PAGE_MAX);
}

/** What an image is; undefined where it is not shown, which is noted once. */
async function look(pass: Pass, item: SourceItem, file: ImageFile): Promise<Shown | undefined> {
  const { byLocation } = pass.images;
  const { location } = file;
  if (byLocation.has(location)) return byLocation.get(location);
  const found = await examine(pass, file);
  const shown = "reason" in found ? undefined : found;
  byLocation.set(location, shown);
  if ("reason" in found) pass.images.unshown.push({ location, found: `image of ${item.location}`, ...found });
  return shown;
}

async function examine({ images }: Pass, { read }: ImageFile): Promise<Shown | Unshown> {
  if (read === undefined) return { reason: "not_found", detail: "is not in the source" };
  const content = await contentOf(read);
  if (!(content instanceof Uint8Array)) return content;
  if (content.length > IMAGE_BYTES_MAX)
    return { reason: "too_large", detail: `is larger than ${IMAGE_BYTES_MAX} bytes` };
  const facts = inspectImage(content);
  if ("fault" in facts) return { reason: "refused", detail: facts.fault };
  const hash = hashOf(content);
  if (images.counted.has(hash)) return { ...facts, hash };
  if (images.bytes + content.length > images.bytesMax)
    return {
      reason: "too_large",
      detail: `would make the source's images more than ${images.bytesMax} bytes`,
    };
  images.bytes += content.length;
  images.counted.add(hash);
  return { ...facts, hash };
}

async function contentOf(read: () => Promise<Uint8Array>): Promise<Uint8Array | Unshown> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return {
      reason: error.code === "too_large" ? "too_large" : "failed",
      detail: `cannot be read: ${error.message}`,
    };
  }
}

async function withContent(
  { images }: Pass,
  { read }: ImageFile,
  shown: Shown,
): Promise<StagedImage | undefined> {
  if (images.staged.has(shown.hash)) return { ...shown, content: undefined };
  const content = await read?.();
  // The file was written anew since it was looked at: the next run takes it as it is then.
  if (content === undefined || hashOf(content) !== shown.hash) return undefined;
  images.staged.add(shown.hash);
  return { ...shown, content };
}

const hashOf = (content: Uint8Array) => new Bun.CryptoHasher("sha256").update(content).digest("hex");
