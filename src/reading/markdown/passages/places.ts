import { placesIn, withoutPlaces } from "../anchors.ts";
import type { Section } from "../md/md.ts";

/** Characters that no text has a use for: each stands for one mark. */
const FIRST = 0x100000;
const MARKS_MAX = 0xfffd;
const HELD = /[\u{100000}-\u{10FFFD}]/gu;
const HELD_AT_START = /^(?:\s*[\u{100000}-\u{10FFFD}])+/u;

/** A piece of a page without the marks of its places. */
interface Placed {
  markdown: string;
  /** The place that it begins at. */
  place: string;
}

/**
 * Follows the marks of places through a page that is cut: a citation of a PDF leads to the page of it where the passage
 * begins, not to the heading above, which may be many pages back. Each mark is one character meanwhile, so that
 * nothing cuts it in two.
 */
export function followPlaces(sections: readonly Section[]): {
  sections: Section[];
  /** To be asked of each piece, in order. */
  take(markdown: string): Placed;
} {
  const places: string[] = [];
  let place = "";
  const hold = (markdown: string): string => {
    let held = markdown;
    for (const id of placesIn(markdown)) {
      const code = places.length < MARKS_MAX ? String.fromCodePoint(FIRST + places.length) : "";
      if (code !== "") places.push(id);
      place = id;
      held = held.replace(`<a id="${id.replaceAll("&", "&amp;")}"></a>`, code);
    }
    return held;
  };
  const lastOf = (markdown: string) => {
    const code = markdown.match(HELD)?.at(-1)?.codePointAt(0);
    return code === undefined ? undefined : places[code - FIRST];
  };

  const held = sections.map((section) => {
    // What is marked in a heading is where it stands.
    const ids = placesIn(section.headingSource);
    place = ids.at(-1) ?? place;
    const anchor = place;
    const headingSource = withoutPlaces(section.headingSource);
    const blocks = section.blocks.map((block) =>
      block.kind === "code" ? block : { ...block, text: hold(block.text) },
    );
    return { ...section, anchor, headingSource, blocks };
  });

  let current = "";
  return {
    sections: held,
    take(markdown) {
      const start = HELD_AT_START.exec(markdown)?.[0];
      const begins = (start === undefined ? undefined : lastOf(start)) ?? current;
      current = lastOf(markdown) ?? current;
      return { markdown: markdown.replace(HELD, "").trim(), place: begins };
    },
  };
}
