import { formatNumber } from "../blocks/blocks.ts";
import { attributeOf, childOf, childrenOf, type XmlElement } from "../xml/xml.ts";

/** What stands before a paragraph of a list. */
export interface Marker {
  level: number;
  /** Of a plain number, such as `3.` */
  number?: number;
  /** Of any other: `a)`, `1.2`, `Article 4`. Without both it is a bullet. */
  label?: string;
}

export interface Numbering {
  /** Counts a paragraph of a list; undefined where that list is none. */
  next(numId: string, level: number | undefined, styleId: string | undefined): Marker | undefined;
}

interface Level {
  format: string;
  start: number;
  text: string;
  styleId: string | undefined;
  /** The level whose numbers begin this one anew; all above where it is not said. */
  restart: number | undefined;
}

interface List {
  /** Lists of one kind count together. */
  counters: number[];
  levels: ReadonlyMap<number, Level>;
}

const LEVELS = 9;

/** Reads the lists of a document. */
export function readNumbering(root: XmlElement | undefined): Numbering {
  const kinds = new Map<
    string,
    { levels: Map<number, Level>; counters: number[]; styleLink: string | undefined }
  >();
  for (const kind of childrenOf(root, "w:abstractNum")) {
    const levels = new Map(childrenOf(kind, "w:lvl").map((level) => [levelOf(level), readLevel(level)]));
    const styleLink = settingOf(kind, "w:numStyleLink");
    kinds.set(attributeOf(kind, "w:abstractNumId") ?? "", { levels, counters: [], styleLink });
  }
  // A list may be only the name of a style that is defined with another.
  const styled = new Map(
    childrenOf(root, "w:abstractNum").flatMap((kind) => {
      const link = settingOf(kind, "w:styleLink");
      return link === undefined ? [] : [[link, attributeOf(kind, "w:abstractNumId") ?? ""] as const];
    }),
  );
  const lists = new Map<string, List>();
  for (const num of childrenOf(root, "w:num")) {
    const named = kinds.get(settingOf(num, "w:abstractNumId") ?? "");
    const kind =
      named?.levels.size === 0 ? (kinds.get(styled.get(named.styleLink ?? "") ?? "") ?? named) : named;
    if (kind !== undefined) lists.set(attributeOf(num, "w:numId") ?? "", overridden(num, kind));
  }
  return {
    next(numId, level, styleId) {
      const list = lists.get(numId);
      return list === undefined ? undefined : count(list, levelIn(list, level, styleId));
    },
  };
}

function overridden(num: XmlElement, kind: { levels: Map<number, Level>; counters: number[] }): List {
  const overrides = childrenOf(num, "w:lvlOverride");
  if (overrides.length === 0) return kind;
  const levels = new Map(kind.levels);
  let restarts = false;
  for (const override of overrides) {
    const at = levelOf(override);
    const own = childOf(override, "w:lvl");
    const start = settingOf(override, "w:startOverride");
    const level = own === undefined ? levels.get(at) : readLevel(own);
    if (level !== undefined)
      levels.set(at, start === undefined ? level : { ...level, start: Number(start) || 0 });
    restarts ||= start !== undefined;
  }
  return { levels, counters: restarts ? [] : kind.counters };
}

const settingOf = (element: XmlElement | undefined, name: string) =>
  attributeOf(childOf(element, name), "w:val");

const levelOf = (element: XmlElement) => Number(attributeOf(element, "w:ilvl") ?? 0) || 0;

function readLevel(level: XmlElement): Level {
  const start = Number(settingOf(level, "w:start") ?? 0);
  const restart = settingOf(level, "w:lvlRestart");
  return {
    format: settingOf(level, "w:numFmt") ?? "decimal",
    start: Number.isInteger(start) ? start : 0,
    text: settingOf(level, "w:lvlText") ?? "",
    styleId: settingOf(level, "w:pStyle"),
    restart: restart === undefined ? undefined : Number(restart) || 0,
  };
}

/** The level of a paragraph: what it says, or that of its style. */
function levelIn({ levels }: List, level: number | undefined, styleId: string | undefined): number {
  if (level !== undefined) return Math.min(Math.max(0, level), LEVELS - 1);
  for (const [at, each] of levels) if (each.styleId !== undefined && each.styleId === styleId) return at;
  return 0;
}

function count({ levels, counters }: List, at: number): Marker | undefined {
  const level = levels.get(at);
  if (level === undefined) return { level: at };
  for (let above = 0; above < at; above++) counters[above] ??= levels.get(above)?.start ?? 1;
  counters[at] = (counters[at] ?? level.start - 1) + 1;
  for (let below = at + 1; below < LEVELS; below++) {
    const { restart } = levels.get(below) ?? {};
    if (restart === undefined || (restart > 0 && at < restart)) delete counters[below];
  }
  if (level.format === "bullet" || level.format === "none")
    return level.format === "none" && level.text === "" ? undefined : { level: at };
  const plain = /^%\d([.)]?)$/.test(level.text) || /^\(%\d\)$/.test(level.text);
  if (plain && /^decimal/.test(level.format) && level.text.startsWith("%"))
    return { level: at, number: counters[at] ?? 1, label: labelOf(level.text, levels, counters) };
  const label = labelOf(level.text, levels, counters);
  return label === "" ? undefined : { level: at, label };
}

function labelOf(text: string, levels: ReadonlyMap<number, Level>, counters: readonly number[]): string {
  return text
    .replace(/%([1-9])/g, (_, digit: string) => {
      const at = Number(digit) - 1;
      const level = levels.get(at);
      return formatNumber(counters[at] ?? level?.start ?? 1, level?.format ?? "decimal");
    })
    .replace(/[\s\u00a0]+/g, " ")
    .trim();
}
