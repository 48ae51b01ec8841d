import { fidelityShape } from "@docent/doors/admin/shapes";
import { jsonIn } from "@docent/kernel/text/json";
import { createFidelity, type Fidelity } from "@docent/sites/ingest/ingest";
import { createNavigation } from "@docent/sites/pages/navigation/navigation";
import type { Parts } from "./parts.ts";
import type { Surroundings } from "./surroundings.ts";

/** Looks at pages in a process of its own, where there can be one: thousands of them take seconds of CPU. */
export function openFidelity(
  { content, sources }: Pick<Parts, "content" | "sources">,
  askSelf?: Surroundings["askSelf"],
): Fidelity {
  return createFidelity({
    pages: content.pages,
    images: content.images,
    navigation: createNavigation(content.pages),
    sources: sources.ofSites,
    ledger: sources.ledger,
    lookApart:
      askSelf &&
      (async ({ domain }, signal) =>
        fidelityShape.parse(jsonIn(await askSelf(["sites", "fidelity", domain], signal)))),
  });
}
