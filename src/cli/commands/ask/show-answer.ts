import type { AnswerEvent, CitedSource } from "@docent/answering/answer/events";
import { AppError } from "@docent/kernel/errors";
import type { Context } from "../../command.ts";
import { createProgress } from "../../output.ts";
import { createMarkdownDrawing, type Terminal } from "../../terminal/terminal.ts";
import { createMarkdownUnescaper, dim, leading, link, type Text } from "../../terminal/text.ts";

/** The exit code that shells expect of an interrupted program. */
export const INTERRUPTED = 130;

/** Shows an answer as it is written, or its events as JSON. Returns the exit code. */
export async function showAnswer(
  context: Context,
  events: AsyncIterable<AnswerEvent>,
): Promise<number | undefined> {
  const { terminal } = context;
  const asJson = context.options["json"] === true;
  const progress = createProgress(terminal, context.surroundings.clock);
  const markdown = terminal.isOutShown ? createMarkdownDrawing(terminal) : createMarkdownUnescaper();
  const waiting = setInterval(() => progress.show("thinking…"), 200);
  try {
    for await (const event of events) {
      const corrected = event.type === "search" ? event.corrected : undefined;
      if (corrected !== undefined || event.type === "text-delta" || event.type === "error") {
        clearInterval(waiting);
        progress.clear();
      }
      if (!asJson && event.type !== "text-delta") terminal.out(markdown.end());
      if (asJson) terminal.json(event, "line");
      else if (corrected !== undefined) terminal.out(showCorrected(corrected));
      else if (event.type === "text-delta") terminal.out(markdown.write(readable(event.text)));
      else if (event.type === "source") terminal.out(showSource(event.source, terminal));
      else if (event.type === "finish") terminal.out(["\n", dim(signature(event)), "\n"]);
      if (event.type === "error") throw new AppError("model_failed", event.message);
    }
    return context.signal.aborted ? INTERRUPTED : undefined;
  } finally {
    clearInterval(waiting);
    progress.clear();
  }
}

/**
 * Turns citations into numbers that the list of sources explains. Suggestions are for clients that render them, and go.
 */
function readable(text: string): string {
  if (text.startsWith("\n\n```suggestions")) return "";
  return text.replace(/\[\[(\d+)\]\]\([^)]*\)/g, "[$1]");
}

/** What was searched for in the place of misspelled words. */
export const showCorrected = (corrected: string): Text => [dim(`Showing results for: ${corrected}`), "\n\n"];

/** A page that is cited. A terminal shows its address besides, since many follow no links: beside it where that fits. */
function showSource({ id, title, url }: CitedSource, { isOutShown, columns }: Terminal): Text {
  const mark = `\n[${id.replace("source_", "")}] `;
  if (!isOutShown) return [mark, link(title, url)];
  const isShort = Bun.stringWidth(`${mark}${title}  ${url}`) <= columns;
  return [mark, leading(title, url), isShort ? "  " : "\n    ", dim(url)];
}

function signature({ outcome, model, cached }: Extract<AnswerEvent, { type: "finish" }>): string {
  if (outcome === "quoted") return "[quoted from the docs]";
  if (outcome === "touched") return "[what comes nearest in the docs]";
  if (outcome === "curated") return "[written by people]";
  if (outcome === "unanswered") return "[not covered by the docs]";
  if (model === undefined) return "[Docent's own words]";
  return `[${outcome} by ${model}${cached ? ", and given before" : ""}]`;
}
