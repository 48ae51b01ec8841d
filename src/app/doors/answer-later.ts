import type { Answer } from "../../answer/answer.ts";

/** A line that is opened with its first question: links need the port, which is known once the server listens. */
export function answerLater(open: () => Answer): Answer {
  let answer: Answer | undefined;
  return (request, signal) => {
    answer ??= open();
    return answer(request, signal);
  };
}
