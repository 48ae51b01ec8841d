/**
 * What an SVG may not hold: programs, documents within it, and names of its own for pieces of its text. An image runs no
 * script and loads nothing in any browser; this is for those who open its address.
 */
const ACTIVE =
  /<(?:[\w.-]{1,50}:)?(?:script|iframe|object|embed|handler|listener|meta|base|link|form)\b|<!ENTITY|<\?xml-stylesheet|[\s"'/]on[a-z]{3,30}\s{0,20}=|j\s{0,5}a\s{0,5}v\s{0,5}a\s{0,5}s\s{0,5}c\s{0,5}r\s{0,5}i\s{0,5}p\s{0,5}t\s{0,5}:/i;
const OTHER_ENCODING = /^\s*<\?xml[^>]{0,200}\sencoding\s*=\s*["'](?!utf-?8["'])/i;

/** Why an SVG is not shown; undefined where it is nothing but a picture. */
export function svgFault(text: string): string | undefined {
  if (OTHER_ENCODING.test(text)) return "is an SVG that is not in UTF-8";
  return ACTIVE.test(text) ? "is an SVG with more than a picture in it: a script, or a document" : undefined;
}

/** The size that an SVG gives itself, in pixels: by its width and height, or else by its view box. */
export function svgSize(text: string): { width: number; height: number } | undefined {
  const tag = /<svg\b[^>]{0,5000}>/i.exec(text)?.[0] ?? "";
  const length = (name: string) =>
    Number(new RegExp(`\\s${name}\\s*=\\s*["']\\s*([\\d.]{1,12})(?:px)?\\s*["']`).exec(tag)?.[1]);
  const box = /\sviewBox\s*=\s*["']\s*[-\d.]+[\s,]+[-\d.]+[\s,]+([\d.]{1,12})[\s,]+([\d.]{1,12})\s*["']/.exec(
    tag,
  );
  const sizes = [
    { width: length("width"), height: length("height") },
    { width: Number(box?.[1]), height: Number(box?.[2]) },
  ];
  const found = sizes.find(({ width, height }) => width >= 1 && height >= 1);
  return found && { width: Math.round(found.width), height: Math.round(found.height) };
}
