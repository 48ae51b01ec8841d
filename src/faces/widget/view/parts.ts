import type { QuestionContext } from "../../conversation/state.ts";
import { element } from "../../dom/element.ts";
import * as paths from "../../dom/icon-paths.ts";
import { icon } from "../../dom/icons.ts";
import { hotkeyName } from "../hotkey.ts";
import { createOffers, type OfferOptions } from "../offers/offers.ts";
import { createPanel, type Panel, type PanelOptions } from "../panel/panel.ts";
import { createPanelDialog, type PanelDialog } from "./dialog.ts";

/** All of the widget that is seen, drawn for one look: another look is drawn anew. */
export interface Parts {
  panel: Panel;
  dialog: PanelDialog;
  launcher: HTMLButtonElement;
  /** What the reader points at on the page: what is selected, or the block of code that has the focus. */
  pointedAt(): QuestionContext | undefined;
  end(): void;
}

export interface PartsOptions extends PanelOptions, OfferOptions {
  hotkey: string | undefined;
  onOpen: () => void;
}

/** Draws it into the root, until it is ended. */
export function createParts(root: HTMLElement, options: PartsOptions): Parts {
  const { look, say, hotkey, name, onOpen, onClose } = options;
  const panel = createPanel(options);
  const dialog = createPanelDialog(panel.element, look.variant, onClose);
  const title = say("title", { name });
  const launcher = element(
    "button",
    {
      type: "button",
      class: "launcher",
      title: hotkey === undefined ? title : `${title} (${hotkeyName(hotkey)})`,
      "aria-haspopup": "dialog",
      "aria-expanded": "false",
      onclick: onOpen,
    },
    icon(paths.ask),
    element("span", {}, say("open")),
  );
  const offers = createOffers(options);
  const drawn = [
    ...(look.variant === "inline" ? [] : [launcher]),
    panel.element,
    ...offers.map((offer) => offer.element),
  ];
  root.prepend(...drawn);
  return {
    panel,
    dialog,
    launcher,
    pointedAt: () => offers.map((offer) => offer.context()).find((context) => context !== undefined),
    end() {
      dialog.end();
      for (const offer of offers) offer.end();
      for (const part of drawn) part.remove();
    },
  };
}
