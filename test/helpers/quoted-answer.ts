import { createExtractiveResponder } from "../../src/answering/answer/answer.ts";
import type { NumberedPassage } from "../../src/answering/answer/responder.ts";
import { createBuiltinEmbedder, readBuiltinAsset } from "../../src/models/builtin/builtin.ts";
import { responderRequest } from "./responder-request.ts";

const embedder = createBuiltinEmbedder(readBuiltinAsset);

/** What a reader gets who is answered by quoting, with the numbers of the passages in brackets. */
export async function quotedAnswer(
  question: string,
  passages: NumberedPassage[],
  { language = "en", onlyTouches = false }: { language?: string; onlyTouches?: boolean } = {},
): Promise<string> {
  const request = responderRequest({ question, passages, language, onlyTouches });
  let text = "";
  const responder = createExtractiveResponder({ embedder });
  for await (const event of responder.respond(request, new AbortController().signal)) {
    if (event.type === "text-delta" || event.type === "quote-delta") text += event.text;
    if (event.type === "citation") text += `[${event.number}]`;
  }
  return text;
}
