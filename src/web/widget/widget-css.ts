import tokens from "../design/tokens.css" with { type: "text" };
import answer from "./styles/answer.css" with { type: "text" };
import frame from "./styles/frame.css" with { type: "text" };
import talk from "./styles/talk.css" with { type: "text" };

/**
 * Rules that nothing beats. On the host, an important rule in here wins over every rule of the page's, an important one
 * and an inline one too.
 */
const LAST_WORD = `
:host { all: initial !important; display: contents !important; }
:host([data-inline]) { display: block !important; height: 100% !important; }
@media print { :host { display: none !important; } }
[hidden] { display: none !important; }
@media (prefers-reduced-motion: reduce) {
  *, *::before, *::after, ::backdrop { animation: none !important; transition: none !important; }
}`;

/**
 * The widget's rules. The design language's variables are set on the root inside: on the host, the page could set them
 * to something else.
 */
export const css = [
  tokens.replace(/:root,\s*:host(?=\s*\{)/, ".docent"),
  frame,
  talk,
  answer,
  LAST_WORD,
].join("\n");
