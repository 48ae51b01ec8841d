import { join } from "node:path";
import { commandReference } from "./command-reference.ts";
import { districtsFigure } from "./house/districts.ts";
import { settingsTable } from "./settings-table.ts";
import { packagesText, thirdPartyText } from "./third-party.ts";
import { widgetLabels } from "./widget-labels.ts";

// Writes the generated parts of docs/, between their markers, and the text of `docent licenses`: `bun
// scripts/docs.ts`.

/** The pages with generated parts, each with the name of its markers and the content between them. */
export const GENERATED = [
  { file: "configuration.md", name: "settings", content: settingsTable },
  { file: "cli.md", name: "commands", content: commandReference },
  { file: "widget.md", name: "labels", content: widgetLabels },
  { file: "architecture.md", name: "districts", content: () => districtsFigure(join(import.meta.dir, "..")) },
] as const;

/** The licences of the third-party code in the binary. */
export const THIRD_PARTY_FILE = "src/cli/third-party.txt";
/** The same packages, for bills of materials. */
export const PACKAGES_FILE = "src/running/bundle/bill/packages.json";

/** The page with the part between its markers replaced. */
export function withGenerated(page: string, name: string, content: string): string {
  const [open, close] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const from = page.indexOf(open);
  const to = page.indexOf(close);
  if (from < 0 || to < from) throw new Error(`the markers ${open} and ${close} are missing`);
  return `${page.slice(0, from + open.length)}\n\n${content}\n\n${page.slice(to)}`;
}

if (import.meta.main) {
  for (const { file, name, content } of GENERATED) {
    const path = join(import.meta.dir, "../docs", file);
    await Bun.write(path, withGenerated(await Bun.file(path).text(), name, await content()));
    process.stdout.write(`docs/${file}\n`);
  }
  await Bun.write(join(import.meta.dir, "..", THIRD_PARTY_FILE), await thirdPartyText());
  process.stdout.write(`${THIRD_PARTY_FILE}\n`);
  await Bun.write(join(import.meta.dir, "..", PACKAGES_FILE), await packagesText());
  process.stdout.write(`${PACKAGES_FILE}\n`);
}
