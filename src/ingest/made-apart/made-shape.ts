import { z } from "zod";
import { ERROR_CODES } from "../../errors.ts";
import { AUTHORED_FORMATS } from "../../markdown/kept-words/kept-words.ts";

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

/** A page of the tree; with the format of its file where it is made without any other file. */
export const pageShape = z.object({ location: text, path: text, aloneAs: text.optional() });
export type AskedPage = z.infer<typeof pageShape>;

/** A page that was made, or why its file cannot be read. */
export const madeShape = z.union([
  z.object({
    content: z.union([z.object({ text }), z.object({ base64 })]),
    faults: z.array(text),
    authored: z.object({ text, format: z.enum([...AUTHORED_FORMATS, "written", "document"]) }).optional(),
  }),
  z.object({ failed: text, code: z.enum(ERROR_CODES) }),
]);
export type SaidMade = z.input<typeof madeShape>;

/** What the other process asks for by its location: a file's content behind a byte that says whether it is one. */
export const FILE_CALL = "file";
export const IS_CONTENT = 1;

export const encoded = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value));
