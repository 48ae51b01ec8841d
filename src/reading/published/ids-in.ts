import { placeMark } from "../markdown/anchors.ts";
import { decodeEntities } from "../markdown/html-text.ts";

const IDS_MAX = 1_000;

/** The ids that elements of a page of HTML have, as far as links may name them. */
export function idsIn(html: string): string[] {
  const ids = new Set<string>();
  const rewriter = new HTMLRewriter().on("[id], a[name]", {
    element(element) {
      for (const said of [element.getAttribute("id"), element.getAttribute("name")]) {
        const id = decodeEntities(said ?? "");
        if (ids.size < IDS_MAX && placeMark(id) !== "") ids.add(id);
      }
    },
  });
  try {
    rewriter.transform(html);
  } catch {
    // Markup that the parser gives up on: what was found so far is what there is.
  }
  return [...ids];
}
