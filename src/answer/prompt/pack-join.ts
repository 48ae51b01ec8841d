import type { Unit } from "../pieces.ts";

/** What stands between two pieces of one block that follow each other. */
const JOINTS: Partial<Record<Unit["kind"], string>> = {
  paragraph: " ",
  list: "\n",
  table: "\n",
  quote: "\n>\n",
};
/** The same where something between them was left out. */
const GAPS: Partial<Record<Unit["kind"], string>> = {
  paragraph: " … ",
  list: "\n…\n",
  table: "\n| … |\n",
  quote: "\n> …\n",
};

/** Units of one passage, in its order, as Markdown that shows where something was left out. */
export function joinUnits(units: readonly Unit[]): string {
  return units.map((unit, index) => `${jointBefore(unit, units[index - 1])}${unit.markdown}`).join("");
}

function jointBefore(unit: Unit, before: Unit | undefined): string {
  const isPiece = before?.block === unit.block;
  const header =
    isPiece || unit.header === undefined || unit.header === unit.markdown ? "" : `${unit.header}\n`;
  if (before === undefined) return header;
  if (before.position === unit.position - 1) return (isPiece && JOINTS[unit.kind]) || `\n\n${header}`;
  return (isPiece && GAPS[unit.kind]) || `\n\n…\n\n${header}`;
}
