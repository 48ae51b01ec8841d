import type { AnswerEvent, CitedSource } from "../../answer/events.ts";
import type { WholeAnswer } from "./message.ts";

/** Reads an answer to its end. What broke off ends with what went wrong, or with the site's sentence for that. */
export async function wholeAnswer(
  events: AsyncIterable<AnswerEvent>,
  failedPhrase: string,
): Promise<WholeAnswer> {
  const sources: CitedSource[] = [];
  let text = "";
  const broken = (sentence: string) => ({
    text: `${text}\n\n${sentence}`.trim(),
    sources,
    isFailed: text === "",
  });
  for await (const event of events) {
    if (event.type === "text-delta") text += event.text;
    if (event.type === "source") sources.push(event.source);
    if (event.type === "error") return broken(event.message);
    if (event.type === "finish") return { text, sources, isFailed: false };
  }
  return broken(failedPhrase);
}
