import { PAGE_FORMATS, type PageFormat } from "../markdown/page-format.ts";

const UTF8_MARK = new Uint8Array([0xef, 0xbb, 0xbf]);

/** The media type of a reply, in lower case, without its parameters. */
export function mediaType(headers: Headers): string {
  return (headers.get("content-type") ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";
}

/** How a reply is written; undefined where it is nothing that is read. */
export function formatOf(headers: Headers, url: string): PageFormat | undefined {
  const extension = /\.([A-Za-z]+)$/.exec(new URL(url).pathname)?.[1]?.toLowerCase();
  switch (mediaType(headers)) {
    case "text/html":
    case "application/xhtml+xml":
    case "":
      return "html";
    case "text/markdown":
    case "text/x-markdown":
      return extension === "mdx" ? "mdx" : "md";
    case "text/mdx":
      return "mdx";
    case "text/troff":
    case "application/x-troff-man":
      return "man";
    case "text/org":
    case "text/x-org":
      return "org";
    case "text/x-pod":
      return "pod";
    case "text/plain":
    case "application/octet-stream":
      return plainFormat(extension, mediaType(headers) === "text/plain");
    default:
      return undefined;
  }
}

/** By what extensions a reply that is served as plain text is of a format. HTML that is served so is shown as text. */
const PLAIN_EXTENSIONS: Readonly<Record<PageFormat, readonly string[]>> = {
  md: ["md", "markdown"],
  mdx: ["mdx"],
  qmd: ["qmd", "rmd"],
  rst: ["rst"],
  // A digit is no promise: such pages are known by their media type.
  man: [],
  org: ["org"],
  pod: ["pod"],
  ipynb: ["ipynb"],
  html: [],
  txt: [],
  written: [],
  document: [],
};

function plainFormat(extension: string | undefined, isText: boolean): PageFormat | undefined {
  const named = PAGE_FORMATS.find((format) => PLAIN_EXTENSIONS[format].includes(extension ?? ""));
  return named ?? (isText ? "txt" : undefined);
}

/** The bytes as UTF-8 where the reply names another charset that is known; else as they are. */
export function toUtf8(bytes: Uint8Array, headers: Headers): Uint8Array {
  const decoder = decoderOf(headers);
  if (decoder === undefined || decoder.encoding === "utf-8") return bytes;
  // The mark outranks a <meta charset> in the text, which still names the old one.
  return Buffer.concat([UTF8_MARK, new TextEncoder().encode(decoder.decode(bytes))]);
}

function decoderOf(headers: Headers): TextDecoder | undefined {
  const label = /charset\s*=\s*"?([^\s";]+)/i.exec(headers.get("content-type") ?? "")?.[1];
  try {
    return label === undefined ? undefined : new TextDecoder(label);
  } catch {
    return undefined;
  }
}

/** The bytes as text, for reading links. A UTF-16 mark is obeyed, and what is no text does no harm. */
export function asText(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  return new TextDecoder().decode(bytes);
}

/** Whether the bytes begin as an HTML page does, whatever they were announced as. */
export function looksLikeHtml(bytes: Uint8Array): boolean {
  return /^\s*(?:<!--[\s\S]{0,400}?-->\s*)*<(?:!doctype\s+html|html|head|body)[\s>]/i.test(
    asText(bytes.slice(0, 1000)),
  );
}
