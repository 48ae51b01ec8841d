import { createThinkingSplitter, type TextDelta } from "../thinking.ts";
import { createTurnEnd } from "./turn-end.ts";

export { createToldText } from "./told-text.ts";
export { createUnwrapper } from "./wrapped-answer.ts";

/** Tells a model's thoughts from its answer, and where the answer ends, as it streams. */
interface ReplyText {
  write(text: string): TextDelta[];
  end(): TextDelta[];
  /** Whether the model goes on behind its answer: it may be stopped. */
  isOver(): boolean;
}

export function createReplyText(): ReplyText {
  const splitter = createThinkingSplitter();
  const turn = createTurnEnd();
  const said = (text: string): TextDelta[] => (text === "" ? [] : [{ type: "text-delta", text }]);
  const tell = (deltas: Iterable<TextDelta>) =>
    [...deltas].flatMap((delta) => (delta.type === "text-delta" ? said(turn.write(delta.text)) : [delta]));
  return {
    write: (text) => tell(splitter.write(text)),
    end: () => [...tell(splitter.end()), ...said(turn.end())],
    isOver: () => turn.isOver(),
  };
}
