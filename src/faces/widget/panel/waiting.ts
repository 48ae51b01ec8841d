import type { Turn } from "../../conversation/state.ts";
import type { Say } from "../labels.ts";

/** What a question waits for: its place in line, or the model's first word where nobody is before it. */
export const waitingText = ({ queuePosition }: Pick<Turn, "queuePosition">, say: Say): string =>
  queuePosition === undefined ? say("thinking") : say("queued", { position: queuePosition });
