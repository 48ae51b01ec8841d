import { districtOf, readTree, type SourceTree } from "./tree.ts";

/** What each district imports, from the bottom up: one that stands above all that it imports comes after them. */
function importsOfDistricts({ files, districts }: SourceTree): Map<string, Set<string>> {
  const imports = new Map([...districts.keys()].map((name) => [name, new Set<string>()]));
  for (const { path, imports: targets } of files)
    for (const to of targets.map(districtOf))
      if (to !== districtOf(path) && imports.has(to)) imports.get(districtOf(path))?.add(to);
  return imports;
}

/** The arrows that say something new: what is imported by way of another district needs none of its own. */
function arrows(imports: Map<string, Set<string>>): [from: string, to: string][] {
  const reach = (from: string, seen = new Set<string>()): Set<string> => {
    for (const to of imports.get(from) ?? []) if (!seen.has(to)) reach(to, seen.add(to));
    return seen;
  };
  return [...imports].flatMap(([from, targets]) =>
    [...targets]
      .filter((to) => ![...targets].some((other) => other !== to && reach(other).has(to)))
      .toSorted()
      .map((to): [string, string] => [from, to]),
  );
}

/** The figure of the districts in docs/architecture.md, drawn from the imports. */
export async function districtsFigure(root: string): Promise<string> {
  const tree = await readTree(root);
  const imports = importsOfDistricts(tree);
  const lines = arrows(imports).map(([from, to]) => `    ${from} --> ${to}`);
  const rows = [...imports.keys()]
    .toSorted((a, b) => (imports.get(a)?.size ?? 0) - (imports.get(b)?.size ?? 0))
    .map((name) => `| \`${name}\` | ${[...(imports.get(name) ?? [])].toSorted().join(", ") || "nothing"} |`);
  return [
    "```mermaid",
    "flowchart TD",
    ...lines,
    "```",
    "",
    "An arrow leads to what is imported; what another arrow leads to anyway has none. In full:",
    "",
    "| District | imports |",
    "| --- | --- |",
    ...rows,
  ].join("\n");
}
