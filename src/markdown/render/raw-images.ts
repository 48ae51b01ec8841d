import { decodeEntities } from "../html-text.ts";

/** An image in raw HTML. */
export interface RawImage {
  src: string;
  alt: string;
  title: string;
  /** As its author wrote it, in pixels. */
  width: number | undefined;
}

const IMAGE = /<img\b((?:[^"'<>]|"[^"<>]{0,5000}"|'[^'<>]{0,5000}'){0,500})>/gi;
/** What is no part of the page: comments, scripts, styles. */
const UNSHOWN = /<!--[\s\S]*?(?:-->|$)|<(script|style|template|noscript)\b[^>]*>[\s\S]*?(?:<\/\1|$)/gi;

/** The image that a tag alone is; undefined for any other tag. */
export function readImageTag(tag: string): RawImage | undefined {
  const [, attributes] = tag.match(new RegExp(`^${IMAGE.source}$`, "i")) ?? [];
  return attributes === undefined ? undefined : imageOf(attributes);
}

/** The images of a piece of HTML, and the HTML between them. */
export function splitAtImages(html: string): (string | RawImage)[] {
  const shown = html.replace(UNSHOWN, "");
  const parts: (string | RawImage)[] = [];
  let at = 0;
  for (const { 0: tag, 1: attributes = "", index } of shown.matchAll(IMAGE)) {
    parts.push(shown.slice(at, index), imageOf(attributes));
    at = index + tag.length;
  }
  return [...parts, shown.slice(at)];
}

function imageOf(attributes: string): RawImage {
  const value = (name: string) => {
    const pattern = new RegExp(`(?:^|\\s)${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s"'>]+))`, "i");
    const [, double, single, bare] = pattern.exec(attributes) ?? [];
    return decodeEntities(double ?? single ?? bare ?? "").trim();
  };
  const width = /^(\d{1,4})(?:px)?$/.exec(value("width"))?.[1];
  return {
    src: value("src"),
    alt: value("alt"),
    title: value("title"),
    width: width === undefined || Number(width) === 0 ? undefined : Number(width),
  };
}
