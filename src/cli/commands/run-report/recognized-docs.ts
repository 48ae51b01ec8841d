import { printableLine } from "@docent/kernel/lib/printable";
import { hrefOf } from "@docent/reading/page/page-path";
import type { FoundDocs, RecognizedDocs } from "@docent/reading/source-reader";
import { counted } from "../../output.ts";

/** How many entries of a menu, and how many other docs, are shown. */
const ENTRIES_SHOWN = 12;
const BESIDE_SHOWN = 5;

/** Says what a source was recognized as, with its menu and some addresses: a person sees at once whether they are right. */
export function describeDocs(docs: FoundDocs): string {
  const lines =
    docs.generator === undefined
      ? ["No docs generator was recognized: addresses follow the files.", ...addressLines(docs)]
      : recognizedLines(docs);
  return lines.map((line) => `${printableLine(line)}\n`).join("");
}

const addressLines = ({ samples }: FoundDocs) =>
  samples.map(({ location, path }) => `  ${location} -> ${hrefOf({ path, anchor: "" })}`);

function recognizedLines(docs: RecognizedDocs): string[] {
  const { generator, root = "", pages, menu, unknowns, beside = [] } = docs;
  const place = root === "" ? "" : ` in ${root}`;
  return [
    `This looks like ${generator}${place}: ${counted(pages, "page")} ${pages === 1 ? "gets" : "get"} the addresses and the menu that it gives them.`,
    ...(menu.length === 0 ? [] : [`  Menu: ${entriesShown(menu)}`]),
    ...addressLines(docs),
    ...unknowns.map(({ name, question, guess }) =>
      name === undefined
        ? `  ${question} Assumed: ${guess}.`
        : `  ${question} Assumed: ${guess || "nothing"}. Otherwise: --answer ${name}=…`,
    ),
    ...besideLines(beside),
  ];
}

/** Docs beside these would be pages of another site: each is a source of its own, which its folder names. */
function besideLines(beside: NonNullable<RecognizedDocs["beside"]>): string[] {
  if (beside.length === 0) return [];
  const shown = beside
    .slice(0, BESIDE_SHOWN)
    .map(({ generator, root, pages }) => `  ${root}: ${generator}, ${counted(pages, "page")}`);
  const more = beside.length > BESIDE_SHOWN ? [`  and ${beside.length - BESIDE_SHOWN} more`] : [];
  return ["Not read: other docs beside these. To read some of them, name their folder.", ...shown, ...more];
}

function entriesShown(menu: RecognizedDocs["menu"]): string {
  const labels = menu.slice(0, ENTRIES_SHOWN).map(({ label }) => label);
  return [...labels, ...(menu.length > ENTRIES_SHOWN ? [`${menu.length - ENTRIES_SHOWN} more`] : [])].join(
    ", ",
  );
}
