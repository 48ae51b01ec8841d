import type { QuestionContext } from "../../conversation/state.ts";
import type { Say } from "../labels.ts";
import type { Look } from "../look/look.ts";
import { offerCode } from "./code.ts";
import { offerSelection } from "./selection.ts";

/** A button over the page that offers to ask about a piece of it, until it is ended. */
export interface PageOffer {
  element: HTMLElement;
  /** What the reader points at now; undefined for nothing. */
  context(): QuestionContext | undefined;
  end(): void;
}

export interface OfferOptions {
  look: Look;
  say: Say;
  onAskAbout: (context: QuestionContext) => void;
  /** Whether an event came out of the widget. */
  isOurs: (target: EventTarget | null) => boolean;
}

/** The offers that a look has: for the text that is selected, and for the block of code that is pointed at. */
export function createOffers({ look, say, onAskAbout, isOurs }: OfferOptions): PageOffer[] {
  return [
    ...(look.askAboutSelection ? [offerSelection(say("askAboutSelection"), onAskAbout)] : []),
    ...(look.askAboutCode ? [offerCode(say("askAboutCode"), isOurs, onAskAbout)] : []),
  ];
}
