import { ERROR_CODES } from "@docent/kernel/errors";
import { z } from "zod";
import { ANCHOR_STYLES } from "../markdown/anchors.ts";
import { AUTHORED_FORMATS } from "../markdown/kept-words/kept-words.ts";
import { decoded, encoded } from "./json-bytes.ts";
import { pageShape } from "./page-shape.ts";

const text = z.string();
const files = z.array(z.object({ location: text, sizeBytes: z.number() }));
const base64 = z.base64().transform((written) => new Uint8Array(Buffer.from(written, "base64")));

/** The files of a source, and how they are read, as this process says it to the one that makes pages of them. */
export const treeShape = z.object({
  found: text,
  fileBytesMax: z.number(),
  documentBytesMax: z.number(),
  subfolder: text.optional(),
  version: text.optional(),
  siteUrl: text.optional(),
  answers: z.record(text, text).optional(),
  /** Pages may have a date from which they are published. */
  now: z.number(),
  files,
  others: files,
  rules: z.array(
    z.union([
      z.object({ location: text, content: base64 }),
      z.object({ location: text, why: text }),
      z.object({ location: text, target: text }),
    ]),
  ),
});
export type AskedTree = z.input<typeof treeShape>;

/** A page of the tree. */
export const askedShape = z.object({
  location: text,
  path: text,
  /** The format of its file, where it is made without any other file. */
  aloneAs: text.optional(),
  /** The style of the anchors with which the page is parsed at once. */
  anchors: z.enum(ANCHOR_STYLES).optional(),
});
export type AskedPage = z.infer<typeof askedShape>;

/** A page that was made, or why its file cannot be read. */
export const madeShape = z.union([
  z.object({
    content: z.union([z.object({ text }), z.object({ base64 })]),
    faults: z.array(text),
    /** Without what its author wrote, which nobody needs then. */
    parsed: pageShape.optional(),
    authored: z.object({ text, format: z.enum([...AUTHORED_FORMATS, "written", "document"]) }).optional(),
  }),
  z.object({ failed: text, code: z.enum(ERROR_CODES) }),
]);
export type SaidMade = z.input<typeof madeShape>;

/** What the other process asks for by its location: a file's content behind a byte that says whether it is one. */
export const FILE_CALL = "file";
export const IS_CONTENT = 1;

/** What is asked, with what files hold that are known to be needed for it. */
export function withFiles(asked: unknown, files: ReadonlyMap<string, Uint8Array>): Uint8Array {
  const contents = [...files.values()];
  const head = encoded({ asked, files: [...files].map(([location, { length }]) => [location, length]) });
  const length = new Uint8Array(4);
  new DataView(length.buffer).setUint32(0, head.length);
  return new Uint8Array(Buffer.concat([length, head, ...contents]));
}

const withFilesShape = z.object({ asked: z.unknown(), files: z.array(z.tuple([text, z.number()])) });

/** As `withFiles` wrote it. */
export function readWithFiles(body: Uint8Array): { asked: unknown; files: Map<string, Uint8Array> } {
  const start = 4 + new DataView(body.buffer, body.byteOffset).getUint32(0);
  const { asked, files } = withFilesShape.parse(decoded(body.subarray(4, start)));
  const contents = new Map<string, Uint8Array>();
  let at = start;
  for (const [location, length] of files) {
    contents.set(location, body.subarray(at, at + length));
    at += length;
  }
  return { asked, files: contents };
}
