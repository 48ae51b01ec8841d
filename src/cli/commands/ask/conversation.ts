import { createInterface } from "node:readline";
import type { AnswerEvent } from "@docent/answering/answer/events";
import type { Parts } from "@docent/running/app/parts";
import type { Site } from "@docent/sites/site/sites";
import { type Context, textOption } from "../../command.ts";
import { printFailure } from "../../failure.ts";
import { bold } from "../../terminal/text.ts";
import { audienceOf, filterOf } from "./narrowing.ts";
import { INTERRUPTED, showAnswer } from "./show-answer.ts";

/** Asks a site a question, as the next one of a thread where it is one of a conversation. */
export type Asking = (text: string, threadId: string | undefined) => AsyncIterable<AnswerEvent>;

/** Asks the questions of a command of a site, with its options. */
export function askingOf(context: Context, { ids, answers }: Parts, site: Site, publicUrl: string): Asking {
  const open = answers.open(publicUrl);
  return (text, threadId) =>
    open(
      {
        requestId: ids.ulid(),
        reader: "cli",
        site,
        question: {
          questionMessageId: ids.ulid(),
          text,
          keyId: undefined,
          fp: "cli",
          caller: "cli",
          audience: audienceOf(context),
          currentPath: textOption(context, "path"),
          filter: filterOf(context),
        },
        threadId,
        posted: [],
        contexts: [],
        images: [],
        pageSize: site.settings.pageSize,
      },
      context.signal,
    );
}

/** Asks each line that is typed or piped in, all of one conversation, until there are no more. Returns the exit code. */
export async function converse(context: Context, asking: Asking): Promise<number | undefined> {
  const { terminal, signal } = context;
  const lines = createInterface({ input: terminal.input() });
  const stop = () => lines.close();
  signal.addEventListener("abort", stop, { once: true });
  const prompt = () => {
    if (terminal.isInteractive) terminal.err(["\n", bold("? ")]);
  };
  let threadId: string | undefined;
  let code: number | undefined;
  prompt();
  try {
    for await (const line of lines) {
      const text = line.trim();
      if (text !== "") {
        const events = asking(text, threadId);
        code = await showAnswer(
          context,
          noting(events, (id) => (threadId = id)),
        ).catch(failed);
      }
      if (signal.aborted) break;
      prompt();
    }
  } finally {
    signal.removeEventListener("abort", stop);
    lines.close();
  }
  return signal.aborted ? INTERRUPTED : code;

  /** Where somebody types, the next question may fare better. */
  function failed(error: unknown): number {
    if (!terminal.isInteractive || signal.aborted) throw error;
    printFailure(terminal, error, {
      json: context.options["json"] === true,
      debug: context.options["debug"] === true,
    });
    return 1;
  }
}

/** The events as they are, with the thread that they belong to told. */
async function* noting(
  events: AsyncIterable<AnswerEvent>,
  tell: (threadId: string) => void,
): AsyncIterable<AnswerEvent> {
  for await (const event of events) {
    if (event.type === "start") tell(event.threadId);
    yield event;
  }
}
