import codeColors from "../design/code-colors.css" with { type: "text" };
import prose from "../design/prose.css" with { type: "text" };
import tokens from "../design/tokens.css" with { type: "text" };
import answer from "./styles/answer.css" with { type: "text" };
import frame from "./styles/frame.css" with { type: "text" };
import lastWord from "./styles/last-word.css" with { type: "text" };
import talk from "./styles/talk.css" with { type: "text" };

/**
 * The widget's rules. The design language's variables are set on the root inside: on the host, the page could set them
 * to something else.
 */
export const css = [
  tokens.replace(/:root,\s*:host(?=\s*\{)/, ".docent"),
  frame,
  talk,
  prose,
  codeColors,
  answer,
  lastWord,
].join("");
