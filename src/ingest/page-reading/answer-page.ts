import { jsonIn } from "../../text/json.ts";
import { askedShape } from "./page-shape.ts";
import { readHere } from "./read-here.ts";

/** Reads a page for the process that asks for it. */
export function answerPage(body: Uint8Array): Uint8Array {
  const { isPlain, around, ...page } = askedShape.parse(jsonIn(new TextDecoder().decode(body)));
  const given = around && { ...around, shared: around.shared };
  return new TextEncoder().encode(JSON.stringify(readHere({ ...page, around: given }, isPlain)));
}
