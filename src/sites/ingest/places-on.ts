import { decodeText } from "@docent/kernel/text/decode-bytes";
import { decodeEntities } from "@docent/reading/markdown/html-text";

/** Whether a page of HTML has places: elements with such an id, or anchors with such a name. */
export function placesOn(body: Uint8Array, anchors: readonly string[]): ReadonlyMap<string, boolean> {
  const ids = new Set<string>();
  const rewriter = new HTMLRewriter()
    .on("[id]", { element: (element) => void ids.add(decodeEntities(element.getAttribute("id") ?? "")) })
    .on("a[name]", {
      element: (element) => void ids.add(decodeEntities(element.getAttribute("name") ?? "")),
    });
  try {
    rewriter.transform(decodeText(body, { html: true })?.text ?? "");
  } catch {
    // Markup that the parser gives up on: what was found so far is what there is.
  }
  return new Map(anchors.map((anchor) => [anchor, ids.has(anchor)]));
}
