import type { PersonRequest, ReaderEvent } from "../../conversation/connection.ts";
import type { Turn } from "../../conversation/state.ts";
import type { Say } from "../labels.ts";
import type { Later, TurnDrawing } from "../later.ts";

/** The words, the callbacks and the settings that every part of a panel is given. */
export interface PanelDeps {
  say: Say;
  /** The docs' own address, where it is known: what relative links begin at. */
  siteUrl: string | undefined;
  onRetry: () => void;
  onAsk: (text: string) => void;
  onRate: (turn: Turn, helpful: boolean, comment?: string) => void;
  /** Hands the conversation over to a person, and says whether it could; undefined where the site has nobody for that. */
  onHandOver: ((turn: Turn, request: PersonRequest) => Promise<boolean>) | undefined;
  /** A link of an answer was followed. */
  onFollow: (turn: Turn, type: ReaderEvent["type"], url: string, inPlace: boolean) => void;
  turns: Later<TurnDrawing>;
  /** Colours a block of code, when what does so has come. */
  paint: (code: HTMLElement, language: string) => void;
  /** Whether nothing should move. */
  isCalm: () => boolean;
  /** Called after something was drawn: a reader who looks at the end is kept there. */
  onGrow: () => void;
}
