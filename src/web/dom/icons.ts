/** Lines on a grid of 24, as paths. */
const ICONS = {
  ask: "M12 3a8.5 8.5 0 0 1 0 17H4.2l1.6-3.2A8.5 8.5 0 0 1 12 3ZM9.6 9.4a2.5 2.5 0 1 1 3.6 2.3c-.8.4-1.2.9-1.2 1.8M12 16.2v.1",
  close: "m6 6 12 12M18 6 6 18",
  newConversation: "M12 5v14M5 12h14",
  send: "M12 19V5M6 11l6-6 6 6",
  stop: "M7 7h10v10H7Z",
  down: "M12 5v14M6 13l6 6 6-6",
  copy: "M9 9h11v11H9ZM15 9V4H4v11h5",
  done: "m5 12.5 4.5 4.5L19 7.5",
  retry: "M20 11a8 8 0 1 0-2.3 6.7M20 4v7h-7",
  helpful: "M7 11v9H4v-9ZM7 11l4-8a2.6 2.6 0 0 1 2.6 3L13 9h5.4a2 2 0 0 1 2 2.4l-1.3 6.9a2 2 0 0 1-2 1.7H7",
  unhelpful:
    "M17 13V4h3v9ZM17 13l-4 8a2.6 2.6 0 0 1-2.6-3l.6-3H5.6a2 2 0 0 1-2-2.4l1.3-6.9a2 2 0 0 1 2-1.7H17",
  quote: "M5 6h14M5 12h9M5 18h6",
  code: "m8 7-5 5 5 5M16 7l5 5-5 5",
  team: "m12 3 2.4 5.2 5.6.7-4.1 3.9 1 5.6-4.9-2.8-4.9 2.8 1-5.6L4 8.9l5.6-.7Z",
  warn: "M12 4 2.8 20h18.4ZM12 10v4.5M12 17.2v.1",
  next: "M5 12h14M13 6l6 6-6 6",
  search: "M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13ZM15.5 15.5 20 20",
  recent: "M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16ZM12 7.5V12l3 2",
  page: "M6 3h8l4 4v14H6ZM14 3v4h4",
  section: "M9 4 7 20M17 4l-2 16M4 9h16M4 15h16",
} as const;

export type IconName = keyof typeof ICONS;

const SVG = "http://www.w3.org/2000/svg";

/** A picture beside words that say the same. */
export function icon(name: IconName): SVGSVGElement {
  const svg = document.createElementNS(SVG, "svg");
  const path = document.createElementNS(SVG, "path");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  svg.setAttribute("class", "icon");
  path.setAttribute("d", ICONS[name]);
  svg.append(path);
  return svg;
}
