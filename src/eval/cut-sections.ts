import { createSlugger } from "../markdown/md/anchors.ts";
import { takeHeadingId } from "../markdown/md/heading-id.ts";

/** A piece of a page as a plain search engine would index it. */
export interface Piece {
  heading: string;
  anchor: string;
  text: string;
  start: number;
  end: number;
}

const FENCE = /^\s*(```|~~~)/;
const HEADING = /^#{1,6}\s+(.*)$/;

/** Cuts a page at its headings, and at lines where a section is longer than so many characters. */
export function cutSections(page: string, charactersMax: number): Piece[] {
  const pieces: Piece[] = [];
  const slugger = createSlugger();
  let heading = "";
  let anchor = "";
  let start = 0;
  let at = 0;
  let fenced = false;
  const cut = () => {
    const text = page.slice(start, at);
    if (text.trim() !== "") pieces.push({ heading, anchor, text, start, end: at });
    start = at;
  };
  for (const line of page.split(/(?<=\n)/)) {
    if (FENCE.test(line)) fenced = !fenced;
    const title = fenced ? undefined : HEADING.exec(line.trimEnd())?.[1];
    if (title !== undefined || at + line.length - start > charactersMax) cut();
    if (title !== undefined) {
      const { text, id } = takeHeadingId(title);
      heading = text;
      anchor = id === undefined ? slugger.unique(text) : slugger.claim(id);
    }
    at += line.length;
  }
  cut();
  return pieces;
}
