import type { Answer } from "../../answer/answer.ts";

/**
 * Opens the way to an answer at its first question: links need the port, which is known once the server
 * listens.
 */
export function answerLater(open: () => Answer): Answer {
  let answer: Answer | undefined;
  return (request, signal) => {
    answer ??= open();
    return answer(request, signal);
  };
}
