import { isComing, type Turn } from "../../../conversation/state.ts";
import { Spinner } from "../feedback/spinner.tsx";
import "./answer-progress.css";

/** What an answer waits for, and that it was stopped. Once its words are seen, how it goes on is there to be heard. */
export function AnswerProgress({ turn }: { turn: Turn }) {
  const isWaiting = isComing(turn) && turn.answer === "";
  const isSeen = isWaiting || turn.status === "stopped";
  return (
    <p className={isSeen ? "answer-progress quiet row" : "visually-hidden"} role="status">
      {isWaiting && <Spinner />} {progressWords(turn)}
    </p>
  );
}

/** How far an answer is, in a few words. */
export function progressWords({ status, queuePosition }: Turn): string {
  switch (status) {
    case "searching":
      return "Searching the docs…";
    case "waiting":
      return queuePosition === undefined ? "Waiting for the model…" : `Number ${queuePosition} in the queue…`;
    case "thinking":
      return "Thinking…";
    case "answering":
      return "The answer is being written.";
    case "done":
      return "The answer is complete.";
    case "stopped":
      return "Stopped.";
    case "failed":
      return "The answer failed.";
  }
}
