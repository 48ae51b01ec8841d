import { type FoundFile, isPrivate, PAGE } from "./choose-docs.ts";

/** As much of the pages is read for what they include. */
const READ_BYTES_MAX = 100_000_000;
const PAGE_BYTES_MAX = 2_000_000;
const NAMES_MAX = 20_000;

/** Lines by which pages take code from other files, as docs generators write them. */
const INCLUDES =
  /^.*(?:<<<|--8<--|\{\* |#(?:include|playground|rustdoc_include)\b|literalinclude::|include::|raw-loader!|\?raw\b|<include\b|!code-|:::\s?code\b|\{%-? ?include|\{\{[<%] |\bfile=|\bsrc=).*$/gm;
const FILE_NAME = /[\w@+.-]{1,200}\.\w{1,10}/g;
const IMAGE_NAME = /[^\s()<>"'`=[\]{}|:/\\]{1,200}\.(?:png|jpe?g|gif|webp|avif|svg)\b/gi;

/** The names of the files that pages include and of the images that they show, without their folders. */
export async function namesInPages(found: readonly FoundFile[]): Promise<ReadonlySet<string>> {
  const names = new Set<string>();
  let left = READ_BYTES_MAX;
  for (const { path, content } of found) {
    if (!PAGE.test(path) || isPrivate(path) || content.size > PAGE_BYTES_MAX) continue;
    left -= content.size;
    if (left < 0 || names.size > NAMES_MAX) break;
    const text = await content.text();
    for (const [line] of text.matchAll(INCLUDES))
      for (const [name] of line.matchAll(FILE_NAME)) names.add(name);
    for (const [name] of text.matchAll(IMAGE_NAME)) names.add(decoded(name));
  }
  return names;
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
