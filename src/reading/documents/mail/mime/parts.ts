import { type Headers, type Parameters, readHeaders, readParameters } from "./headers.ts";

/** A part of a mail, or the mail itself; parts inside it are read when they are asked for. */
export interface MimePart {
  headers: Headers;
  /** `text/plain`, with its parameters. */
  type: Parameters;
  disposition: Parameters;
  /** Where its body lies in the source. */
  start: number;
  end: number;
  /** How many parts it lies in. */
  depth: number;
}

/** The source of a mail, with a character for each byte, and how much of it may still be read. */
export interface MimeSource {
  text: string;
  partsLeft: number;
  /** A bound was met. */
  isCut: boolean;
}

const DEPTH_MAX = 30;

export function readPart(
  { text }: MimeSource,
  start: number,
  end: number,
  { depth, defaultType = "text/plain" }: { depth: number; defaultType?: string },
): MimePart {
  const { headers, bodyAt } = readHeaders(text, start, end);
  const type = readParameters(headers.get("content-type"));
  return {
    headers,
    type: type.value.includes("/")
      ? type
      : { ...type, value: type.value === "text" ? "text/plain" : defaultType },
    disposition: readParameters(headers.get("content-disposition")),
    start: bodyAt,
    end,
    depth,
  };
}

/** The parts inside a part; none where its boundary is never met. */
export function partsOf(source: MimeSource, part: MimePart): MimePart[] {
  const boundary = part.type.parameters.get("boundary");
  if (boundary === undefined || boundary === "" || part.depth >= DEPTH_MAX) {
    source.isCut ||= part.depth >= DEPTH_MAX;
    return [];
  }
  const parts: MimePart[] = [];
  const defaultType = part.type.value === "multipart/digest" ? "message/rfc822" : "text/plain";
  let from: number | undefined;
  for (const { start, end, isLast } of boundaries(source.text, part, `--${boundary}`)) {
    if (from !== undefined) {
      if (source.partsLeft <= 0) {
        source.isCut = true;
        return parts;
      }
      source.partsLeft -= 1;
      parts.push(readPart(source, from, Math.max(from, start), { depth: part.depth + 1, defaultType }));
    }
    from = isLast ? undefined : end;
    if (isLast) break;
  }
  // A mail that was cut off lacks its last boundary.
  if (from !== undefined && from < part.end && source.partsLeft > 0) {
    source.partsLeft -= 1;
    parts.push(readPart(source, from, part.end, { depth: part.depth + 1, defaultType }));
  }
  return parts;
}

function* boundaries(
  text: string,
  { start, end }: MimePart,
  mark: string,
): Generator<{ start: number; end: number; isLast: boolean }> {
  for (let at = text.indexOf(mark, start); at >= 0 && at < end; at = text.indexOf(mark, at + mark.length)) {
    if (at > start && text[at - 1] !== "\n" && text[at - 1] !== "\r") continue;
    const isLast = text.startsWith("--", at + mark.length);
    const rest = /[ \t]{0,100}(?:\r\n|\n|\r|$)/y;
    rest.lastIndex = at + mark.length + (isLast ? 2 : 0);
    const line = rest.exec(text);
    // A longer boundary of an inner part may begin in the same way.
    if (line === null) continue;
    const before = text[at - 1] === "\n" && text[at - 2] === "\r" ? at - 2 : at - 1;
    yield { start: Math.max(start, before), end: line.index + line[0].length, isLast };
  }
}
