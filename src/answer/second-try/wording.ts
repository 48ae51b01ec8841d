import { askedIn } from "../../search/search.ts";
import { harmless } from "../harmless.ts";
import type { OpenRequest } from "../request.ts";
import type { RewriteRequest } from "../responder.ts";

/** Of the question: of a longer one, what it asks comes first. */
const QUESTION_CHARACTERS_MAX = 600;
/** Two questions of ordinary length, in any script. */
const ANSWER_TOKENS = 96;

/** What a model is asked, so that it writes a question in the words that docs would use. */
export function rewriteRequest(
  { site, reader, question: { filter } }: OpenRequest,
  question: string,
): RewriteRequest {
  const { language, model } = site.settings;
  const named = nameOf(filter?.language || language);
  return {
    asker: { siteId: site.id, reader },
    model,
    system: [
      `You translate and rephrase questions for the search of a technical documentation that is written in ${named}.`,
      `Write the reader's question in ${named}, as one short question in the words that such documentation uses. Correct typing mistakes.`,
      "Keep names, commands, numbers and error messages as they are. Ask for nothing that the reader did not ask for.",
      "Only if the reader asks two different things, write two questions, each on its own line.",
      "Reply with the question only. Do not answer it, and do not explain.",
    ].join("\n"),
    text: `<question>\n${harmless(shortened(question))}\n</question>\nWrite this question in ${named}, as one would ask it of the documentation.`,
    tokensMax: ANSWER_TOKENS,
  };
}

function shortened(question: string): string {
  const { text, asking } = askedIn(question);
  const told = text.length > QUESTION_CHARACTERS_MAX && asking !== text ? `${asking}\n${text}` : text;
  return told.slice(0, QUESTION_CHARACTERS_MAX);
}

/**
 * A language's name in English, as models know it: "German", "Brazilian Portuguese". A tag comes from a client where
 * it is a filter's, so nothing of one that names no language gets into the prompt.
 */
function nameOf(tag: string): string {
  try {
    const { language, region } = new Intl.Locale(tag);
    const names = new Intl.DisplayNames(["en"], { type: "language", fallback: "none" });
    const [whole, plain] = [names.of(region ? `${language}-${region}` : language), names.of(language)];
    return whole ?? plain ?? "English";
  } catch {
    // A tag that is none.
    return "English";
  }
}
