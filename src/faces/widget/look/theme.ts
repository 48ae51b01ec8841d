import { accentOf, luminance } from "@docent/kernel/text/colors";
import { directionOf } from "@docent/kernel/text/languages";
import type { Look } from "./look.ts";

type Shade = "light" | "dark";

const SHADES = ["data-theme", "data-bs-theme", "data-color-mode", "data-mode", "class"];
/** The attributes that change with a page. Material for MkDocs names its palettes as it likes: their colour tells the shade. */
const MARKS = [...SHADES, "data-md-color-scheme", "dir"];
/** The luminance that tells a light page from a dark one. */
const LUMINANCE_MIDDLE = 0.3;

/** Whether a page is light or dark, by what it says, or else by the colour that it stands on; undefined where it shows neither. */
export function shadeOfPage(page: Document = document): Shade | undefined {
  const elements = [page.documentElement, page.body].filter((each) => each !== null);
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
