import type { RecognizedDocs } from "../../../ingest/source-reader.ts";
import { printableLine } from "../../../lib/printable.ts";
import { hrefOf } from "../../../pages/page-path.ts";

/** How many entries of a menu are shown. */
const ENTRIES_SHOWN = 12;

/** Says what a source was recognized as, with its menu and some addresses: a person sees at once whether they are right. */
export function describeDocs({ generator, pages, menu, samples, unknowns }: RecognizedDocs): string {
  const lines = [
    `This looks like ${generator}: ${pages} pages get the addresses and the menu that it gives them.`,
    ...(menu.length === 0 ? [] : [`  Menu: ${entriesShown(menu)}`]),
    ...samples.map(({ location, path }) => `  ${location} -> ${hrefOf({ path, anchor: "" })}`),
    ...unknowns.map(({ name, question, guess }) =>
      name === undefined
        ? `  ${question} Taken: ${guess}.`
        : `  ${question} Taken: ${guess || "nothing"}. Otherwise: --answer ${name}=…`,
    ),
  ];
  return lines.map((line) => `${printableLine(line)}\n`).join("");
}

function entriesShown(menu: RecognizedDocs["menu"]): string {
  const labels = menu.slice(0, ENTRIES_SHOWN).map(({ label }) => label);
  return [...labels, ...(menu.length > ENTRIES_SHOWN ? [`${menu.length - ENTRIES_SHOWN} more`] : [])].join(
    ", ",
  );
}
