import { decoded, encoded } from "./json-bytes.ts";
import { askedShape, plainShape } from "./page-shape.ts";
import { plainWords } from "./plain-page.ts";
import { readHere } from "./read-here.ts";

/** Reads a page for the process that asks for it. */
export function answerPage(body: Uint8Array): Uint8Array {
  const { isPlain, around, ...page } = askedShape.parse(decoded(body));
  const given = around && { ...around, shared: around.shared };
  return encoded(readHere({ ...page, around: given }, isPlain));
}

/** No more than the words of a text, for the process that asks for them. */
export const answerWords = (body: Uint8Array): Uint8Array =>
  encoded(plainWords(plainShape.parse(decoded(body))));
