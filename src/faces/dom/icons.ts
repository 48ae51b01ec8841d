import type * as paths from "./icon-paths.ts";

/** The lines of one of the pictures there are. */
export type Picture = (typeof paths)[keyof typeof paths];

const SVG = "http://www.w3.org/2000/svg";

/** A picture beside words that say the same. */
export function icon(lines: Picture): SVGSVGElement {
  const svg = document.createElementNS(SVG, "svg");
  const path = document.createElementNS(SVG, "path");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  svg.setAttribute("class", "icon");
  path.setAttribute("d", lines);
  svg.append(path);
  return svg;
}
