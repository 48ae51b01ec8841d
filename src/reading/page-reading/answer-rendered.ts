import { type RenderedPage, type WrittenPage, writeHere } from "../connectors/connectors.ts";
import type { Call } from "../reading-process/reading-process.ts";
import { decoded, encoded } from "./json-bytes.ts";
import { LISTED_CALL, type Lookup, listedShape, renderedShape } from "./rendered-shape.ts";

/** What a page asks for depends on what it was told at most so often. */
const ROUNDS_MAX = 4;

/**
 * Makes Markdown of a page as its server shows it. Where its links lead is known to the process that asks for it: the page is
 * written once to learn what it has to know, and once more with that.
 */
export async function answerRendered(body: Uint8Array, call: Call): Promise<Uint8Array> {
  const { kind, hasTitles, ...page } = renderedShape.parse(decoded(body));
  const known = new Map<string, string | undefined>();
  for (let round = 0; ; round++) {
    const asked = new Map<string, Lookup>();
    const look = (...lookup: Lookup) => {
      const key = JSON.stringify(lookup);
      if (!known.has(key)) asked.set(key, lookup);
      return known.get(key);
    };
    const rendered: RenderedPage = {
      ...page,
      pageAt: (address, linkedId) => look("pageAt", address, linkedId ?? null),
      ...(hasTitles && { titleAt: (address: string) => look("titleAt", address, null) }),
    };
    const written: WrittenPage = await writeHere(kind, rendered);
    if (asked.size === 0 || round >= ROUNDS_MAX) return encoded(written);
    const said = listedShape.parse(decoded(await call(LISTED_CALL, encoded([...asked.values()]))));
    for (const [index, key] of [...asked.keys()].entries()) known.set(key, said[index] ?? undefined);
  }
}
