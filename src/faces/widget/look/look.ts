import { accentOf, type Color, luminance, parseColor } from "@docent/kernel/text/colors";
import { directionOf } from "@docent/kernel/text/languages";
import { isLabelName } from "../labels.ts";

export const THEMES = ["auto", "light", "dark"] as const;
export const VARIANTS = ["button", "modal", "inline"] as const;
export const POSITIONS = ["right", "left"] as const;

const RADIUS_PIXELS_MAX = 24;
const STARTERS_MAX = 8;
const TEXT_CHARACTERS_MAX = 400;
const LOGO_CHARACTERS_MAX = 40_000;

/** How the widget looks, and what it offers. */
export interface Look {
  theme: (typeof THEMES)[number];
  variant: (typeof VARIANTS)[number];
  position: (typeof POSITIONS)[number];
  /** The language's own when undefined. */
  accent: Color | undefined;
  radius: number;
  /** An address; empty for none. */
  logo: string;
  starterQuestions: string[];
  askAboutSelection: boolean;
  askAboutCode: boolean;
  labels: Partial<Record<string, string>>;
}

export const DEFAULT_LOOK: Look = {
  theme: "auto",
  variant: "button",
  position: "right",
  accent: undefined,
  radius: 14,
  logo: "",
  starterQuestions: [],
  askAboutSelection: true,
  askAboutCode: true,
  labels: {},
};

/** What somebody says of the look: the page's attributes, or the site's settings. */
export type PartialLook = Partial<Look>;

/** Reads what has a meaning, and passes over what has none: a slip of the pen must not take the assistant away. */
export function readLook(said: Record<string, unknown>, base: string): PartialLook {
  return withoutUndefined({
    theme: oneOf(THEMES, said["theme"]),
    variant: oneOf(VARIANTS, said["variant"]),
    position: oneOf(POSITIONS, said["position"]),
    accent: typeof said["accent"] === "string" ? parseColor(said["accent"].trim()) : undefined,
    radius: radiusOf(said["radius"]),
    logo: logoOf(said["logo"], base),
    starterQuestions: textsOf(said["starterQuestions"]),
    askAboutSelection: switchOf(said["askAboutSelection"]),
    askAboutCode: switchOf(said["askAboutCode"]),
    labels: labelsOf(said["labels"]),
  });
}

/** The look, where what is said later counts more. */
export function mergeLooks(...looks: PartialLook[]): Look {
  const labels = Object.assign({}, ...looks.map((look) => look.labels ?? {}));
  return Object.assign({}, DEFAULT_LOOK, ...looks, { labels });
}

function withoutUndefined(look: { [Name in keyof Look]: Look[Name] | undefined }): PartialLook {
  return Object.fromEntries(Object.entries(look).filter(([, value]) => value !== undefined));
}

function oneOf<Name extends string>(names: readonly Name[], said: unknown): Name | undefined {
  return names.find((name) => name === said);
}

function radiusOf(said: unknown): number | undefined {
  const pixels = typeof said === "string" && said.trim() !== "" ? Number(said) : said;
  if (typeof pixels !== "number" || !Number.isFinite(pixels)) return undefined;
  return Math.min(Math.max(Math.round(pixels), 0), RADIUS_PIXELS_MAX);
}

/** A picture under http(s), or one that is given whole. */
function logoOf(said: unknown, base: string): string | undefined {
  if (typeof said !== "string" || said.length > LOGO_CHARACTERS_MAX) return undefined;
  if (said.trim() === "") return "";
  if (/^data:image\/(?:png|jpeg|webp|gif|svg\+xml)[;,]/i.test(said)) return said;
  const url = URL.parse(said, base);
  return url && /^https?:$/.test(url.protocol) ? url.href : undefined;
}

function textsOf(said: unknown): string[] | undefined {
  if (!Array.isArray(said)) return undefined;
  return said
    .filter((text): text is string => typeof text === "string" && text.trim() !== "")
    .map((text) => text.trim().slice(0, TEXT_CHARACTERS_MAX))
    .slice(0, STARTERS_MAX);
}

function switchOf(said: unknown): boolean | undefined {
  if (typeof said === "boolean") return said;
  return said === "on" || said === "" ? true : said === "off" ? false : undefined;
}

function labelsOf(said: unknown): Partial<Record<string, string>> | undefined {
  if (typeof said !== "object" || said === null) return undefined;
  const known = Object.entries(said).filter(
    (entry): entry is [string, string] => isLabelName(entry[0]) && typeof entry[1] === "string",
  );
  return Object.fromEntries(known.map(([name, text]) => [name, text.slice(0, TEXT_CHARACTERS_MAX)]));
}

type Shade = "light" | "dark";

const SHADES = ["data-theme", "data-bs-theme", "data-color-mode", "data-mode", "class"];
/** The attributes that change with a page. Material for MkDocs names its palettes as it likes: their colour tells the shade. */
const MARKS = [...SHADES, "data-md-color-scheme", "dir"];
/** The luminance that tells a light page from a dark one. */
const LUMINANCE_MIDDLE = 0.3;

/** Whether a page is light or dark, by what it says, or else by the colour that it stands on; undefined where it shows neither. */
export function shadeOfPage(): Shade | undefined {
  const elements = [document.documentElement, document.body].filter((each) => each !== null);
  for (const each of elements) {
    for (const name of SHADES) {
      const words = (each.getAttribute(name) ?? "").toLowerCase().split(/\s+/);
      if (words.includes("dark")) return "dark";
      if (words.includes("light")) return "light";
    }
  }
  // What is drawn behind everything is the body's colour, or that of the root where it has one.
  for (const each of elements.reverse()) {
    const shade = shadeOfColor(getComputedStyle(each).backgroundColor);
    if (shade) return shade;
  }
  return undefined;
}

/** A colour as browsers compute it; undefined for one that can be seen through. */
function shadeOfColor(color: string): Shade | undefined {
  const [red, green, blue, alpha = 1] = (/^rgba?\(([^)]*)\)/.exec(color)?.[1] ?? "")
    .split(/[\s,/]+/)
    .map(Number);
  if (red === undefined || green === undefined || blue === undefined || alpha < 0.5) return undefined;
  return luminance([red, green, blue]) < LUMINANCE_MIDDLE ? "dark" : "light";
}

/** Puts a look's colours and corners on the widget's root, and which language its words are in. */
export function applyLook(root: HTMLElement, look: Look, language: string): void {
  const { theme, accent, radius, position, variant } = look;
  const shade = theme === "auto" ? shadeOfPage() : theme;
  if (shade === undefined) root.removeAttribute("data-theme");
  else root.dataset["theme"] = shade;
  // The one property of text that the host cannot be kept from inheriting.
  root.dir = directionOf(language) === "rtl" ? "rtl" : getComputedStyle(document.body).direction;
  root.lang = language;
  // A page that is made larger as a whole would make the panel larger than the screen.
  root.style.setProperty("zoom", String(1 / (document.body.currentCSSZoom || 1)));
  root.dataset["position"] = position;
  root.dataset["variant"] = variant;
  root.style.setProperty("--corner", `${radius}px`);
  if (!accent) return;
  const { fill, onFill, light, dark, softLight, softDark } = accentOf(accent);
  root.style.setProperty("--fill", fill);
  root.style.setProperty("--on-fill", onFill);
  root.style.setProperty("--accent", `light-dark(${light}, ${dark})`);
  root.style.setProperty("--accent-soft", `light-dark(${softLight}, ${softDark})`);
}

/** Tells when the page changes from light to dark, however it does so. Gives what ends it. */
export function watchTheme(changed: () => void): () => void {
  const system = matchMedia("(prefers-color-scheme: dark)");
  const observer = new MutationObserver(changed);
  for (const each of [document.documentElement, document.body])
    observer.observe(each, { attributeFilter: MARKS });
  system.addEventListener("change", changed);
  return () => {
    observer.disconnect();
    system.removeEventListener("change", changed);
  };
}
