import { wordsOfName } from "@docent/kernel/text/words-of-name";

/** A page's place in a menu, from its front matter or file name. */
export interface NavigationPlace {
  /** Pages with a position come first, the smallest at the top. */
  position: number | undefined;
  /** The name in the menu. */
  label: string | undefined;
  /** The page can be read, but is in no menu. */
  isLeftOut: boolean;
}

// The names that common site builders use: Docusaurus, Just the Docs, VitePress, Hugo, Starlight and others.
const POSITIONS = ["sidebar_position", "nav_order", "order", "weight", "position"];
const LABELS = ["sidebar_label", "nav_title", "sidebarTitle", "linkTitle"];
const LABEL_CHARACTERS_MAX = 120;
/** Matches `01-start` and `2_install`, but not the year of a date. */
const NUMBERED = /^(\d{1,3})[-_. ]+(?=\p{L})/u;

/** Reads a page's place. Front matter is written by people: it may contain anything. */
export function navigationPlace(path: string, frontMatter: Record<string, unknown>): NavigationPlace {
  const sidebar = recordOf(frontMatter["sidebar"]);
  const positions = [...POSITIONS.map((name) => frontMatter[name]), sidebar["order"]];
  const labels = [...LABELS.map((name) => frontMatter[name]), sidebar["label"]];
  return {
    position: positions.map(numberOf).find((number) => number !== undefined) ?? numberInName(path),
    label: labels.map(labelOf).find((label) => label !== undefined),
    isLeftOut: frontMatter["nav_exclude"] === true || sidebar["hidden"] === true,
  };
}

/** A folder's or file's name in words: `02-getting_started` becomes "Getting started", `api-keys` "API keys". */
export const humanizedName = (name: string): string => wordsOfName(name.replace(NUMBERED, "")) || name;

/** The number at the start of a folder's or file's name: 1 for `guide/01-start`. */
export function numberInName(path: string): number | undefined {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const digits = NUMBERED.exec(name)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

function numberOf(value: unknown): number | undefined {
  if (typeof value !== "number" && (typeof value !== "string" || value.trim() === "")) return undefined;
  const number = Number(value);
  return Number.isFinite(number) ? number : undefined;
}

function labelOf(value: unknown): string | undefined {
  if (typeof value !== "string" && typeof value !== "number") return undefined;
  const text = String(value).replace(/\s+/g, " ").trim().slice(0, LABEL_CHARACTERS_MAX);
  return text === "" ? undefined : text.toWellFormed();
}

function recordOf(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}
