import { iconButton } from "../dom/button.ts";
import { element } from "../dom/element.ts";
import * as paths from "../dom/icon-paths.ts";
import { icon } from "../dom/icons.ts";
import styles from "./palette.css" with { type: "text" };

/** The words of the palette. What stands in braces is filled in. */
interface PaletteLabels {
  search: string;
  searchPlaceholder: string;
  askRow: string;
  recent: string;
  starters: string;
  found: string;
  nothingFound: string;
  corrected: string;
  allResults: string;
  searchFailed: string;
  close: string;
  toChoose: string;
  toOpen: string;
  toAsk: string;
}

export type PaletteSay = (name: keyof PaletteLabels, filled?: Record<string, string | number>) => string;

/** What of the palette is seen. */
export interface PaletteView {
  dialog: HTMLDialogElement;
  input: HTMLInputElement;
  list: HTMLElement;
  /** What was searched for in the place of misspelled words. */
  note: HTMLElement;
  /** What screen readers are told. */
  status: HTMLElement;
}

export const QUERY_CHARACTERS_MAX = 1000;
export const LIST_ID = "docent-found";

/** How the key is written that asks, together with Enter. */
export const modifierName = () => (/mac|iphone|ipad/i.test(navigator.platform) ? "⌘" : "Ctrl ");

/** Draws it into the root, with its rules for the tree that this is in. */
export function drawPalette(root: HTMLElement, say: PaletteSay, onClose: () => void): PaletteView {
  addStyles(root);
  const input = createField(say);
  const list = element("div", { id: LIST_ID, class: "rows", role: "listbox", "aria-label": say("search") });
  const note = element("p", { class: "note", dir: "auto" });
  const status = element("p", { class: "hidden", role: "status" });
  const hint = (keys: string, words: string) => element("span", {}, element("kbd", {}, keys), words);
  const dialog = element(
    "dialog",
    { class: "palette", "aria-label": say("search") },
    element(
      "div",
      { class: "palette-box" },
      element(
        "div",
        { class: "field" },
        icon(paths.search),
        input,
        iconButton(paths.close, say("close"), onClose),
      ),
      note,
      list,
      status,
      element(
        "div",
        { class: "hints", "aria-hidden": "true" },
        hint("↑↓", say("toChoose")),
        hint("↵", say("toOpen")),
        hint(`${modifierName()}↵`, say("toAsk")),
      ),
    ),
  );
  root.append(dialog);
  return { dialog, input, list, note, status };
}

const createField = (say: PaletteSay) =>
  element("input", {
    type: "text",
    role: "combobox",
    "aria-label": say("search"),
    "aria-controls": LIST_ID,
    "aria-autocomplete": "list",
    "aria-haspopup": "listbox",
    "aria-expanded": "false",
    placeholder: say("searchPlaceholder"),
    maxlength: QUERY_CHARACTERS_MAX,
    autocomplete: "off",
    autocapitalize: "off",
    spellcheck: "false",
    enterkeyhint: "search",
    dir: "auto",
  });

function addStyles(root: HTMLElement): void {
  const tree = root.getRootNode();
  if (!(tree instanceof ShadowRoot)) return;
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(styles);
  tree.adoptedStyleSheets.push(sheet);
}
