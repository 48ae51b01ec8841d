/** What an image's content says of it. */
export interface ImageFacts {
  type: string;
  /** In pixels, where it says so. */
  width: number | undefined;
  height: number | undefined;
}

interface Size {
  width: number;
  height: number;
}

/** What an image is by its own bytes; a fault, which completes "<file> …", where browsers don't show it safely. */
export function inspectImage(content: Uint8Array): ImageFacts | { fault: string } {
  const view = new DataView(content.buffer, content.byteOffset, content.byteLength);
  for (const { type, is, size } of KINDS) {
    if (!is(content)) continue;
    const measured = sizeOf(() => size(view));
    return { type, width: measured?.width, height: measured?.height };
  }
  return inspectText(content);
}

function inspectText(content: Uint8Array): ImageFacts | { fault: string } {
  const text = decodeUtf8(content);
  if (text?.startsWith("version https://git-lfs"))
    return { fault: "is a pointer to a file that git LFS keeps elsewhere" };
  if (text === undefined || !/<svg[\s>]/i.test(text.slice(0, 10_000)))
    return { fault: "is no image that browsers show" };
  const fault = svgFault(text);
  return fault === undefined
    ? { type: "image/svg+xml", width: undefined, height: undefined, ...svgSize(text) }
    : { fault };
}

function decodeUtf8(content: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(content);
  } catch {
    return undefined;
  }
}

interface Kind {
  type: string;
  is: (content: Uint8Array) => boolean;
  /** May read behind the end, which says that there is no size. */
  size: (view: DataView) => Size | undefined;
}

const ascii = (content: Uint8Array, at: number, length: number) =>
  String.fromCharCode(...content.subarray(at, at + length));

const KINDS: readonly Kind[] = [
  {
    type: "image/png",
    is: (content) => ascii(content, 0, 8) === "\x89PNG\r\n\x1a\n",
    size: (view) => ({ width: view.getUint32(16), height: view.getUint32(20) }),
  },
  {
    type: "image/jpeg",
    is: (content) => ascii(content, 0, 3) === "\xff\xd8\xff",
    size: jpegSize,
  },
  {
    type: "image/gif",
    is: (content) => /^GIF8[79]a$/.test(ascii(content, 0, 6)),
    size: (view) => ({ width: view.getUint16(6, true), height: view.getUint16(8, true) }),
  },
  {
    type: "image/webp",
    is: (content) => ascii(content, 0, 4) === "RIFF" && ascii(content, 8, 4) === "WEBP",
    size: webpSize,
  },
  {
    type: "image/avif",
    is: (content) => /^ftyp(?:avif|avis)$/.test(ascii(content, 4, 8)),
    size: avifSize,
  },
];

function sizeOf(measure: () => Size | undefined): Size | undefined {
  try {
    const size = measure();
    return size !== undefined && size.width > 0 && size.height > 0 ? size : undefined;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Goes from segment to segment to the one that begins the picture. */
function jpegSize(view: DataView): Size | undefined {
  for (let at = 2; ; ) {
    const marker = view.getUint16(at);
    if (marker < 0xff00) return undefined;
    const isStart = marker >= 0xffc0 && marker <= 0xffcf && ![0xffc4, 0xffc8, 0xffcc].includes(marker);
    if (isStart) return { width: view.getUint16(at + 7), height: view.getUint16(at + 5) };
    at += 2 + view.getUint16(at + 2);
  }
}

function webpSize(view: DataView): Size | undefined {
  const form = view.getUint32(12);
  // "VP8 ", "VP8L", "VP8X": with loss, without, and with more than one picture.
  if (form === 0x56503820)
    return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff };
  if (form === 0x5650384c) {
    const bits = view.getUint32(21, true);
    return { width: (bits & 0x3fff) + 1, height: ((bits >> 14) & 0x3fff) + 1 };
  }
  if (form !== 0x56503858) return undefined;
  const at = (offset: number) => (view.getUint16(offset, true) | (view.getUint8(offset + 2) << 16)) + 1;
  return { width: at(24), height: at(27) };
}

const AVIF_HEADER_BYTES_MAX = 4_000;
const ISPE = 0x69737065;

/** Looks for the property that holds the size, which is near the beginning. */
function avifSize(view: DataView): Size | undefined {
  const last = Math.min(view.byteLength - 16, AVIF_HEADER_BYTES_MAX);
  for (let at = 0; at <= last; at++)
    if (view.getUint32(at) === ISPE)
      return { width: view.getUint32(at + 8), height: view.getUint32(at + 12) };
  return undefined;
}

/**
 * What an SVG may not hold: programs, documents within it, and names of its own for pieces of its text. An image runs no
 * script and loads nothing in any browser; this is for those who open its address.
 */
const ACTIVE =
  /<(?:[\w.-]{1,50}:)?(?:script|iframe|object|embed|handler|listener|meta|base|link|form)\b|<!ENTITY|<\?xml-stylesheet|[\s"'/]on[a-z]{3,30}\s{0,20}=|j\s{0,5}a\s{0,5}v\s{0,5}a\s{0,5}s\s{0,5}c\s{0,5}r\s{0,5}i\s{0,5}p\s{0,5}t\s{0,5}:/i;
const OTHER_ENCODING = /^\s*<\?xml[^>]{0,200}\sencoding\s*=\s*["'](?!utf-?8["'])/i;

/** Why an SVG is not shown; undefined where it is nothing but a picture. */
function svgFault(text: string): string | undefined {
  if (OTHER_ENCODING.test(text)) return "is an SVG that is not in UTF-8";
  return ACTIVE.test(text) ? "is an SVG with more than a picture in it: a script, or a document" : undefined;
}

/** The size that an SVG gives itself, in pixels: by its width and height, or else by its view box. */
function svgSize(text: string): { width: number; height: number } | undefined {
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
