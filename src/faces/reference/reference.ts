import scale from "../design/scale.css" with { type: "text" };
import tokens from "../design/tokens.css" with { type: "text" };
import own from "./reference.css" with { type: "text" };

/** How the page that shows the API to people looks. The server writes the page itself. */
export const referenceStyles: string = tokens + scale + own;
