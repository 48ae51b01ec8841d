import type { Conversation } from "../../conversation/conversation.ts";
import type { QuestionContext } from "../../conversation/state.ts";
import { element } from "../../dom/element.ts";
import { createFocus } from "../../dom/focus.ts";
import * as paths from "../../dom/icon-paths.ts";
import { icon } from "../../dom/icons.ts";
import type { Appearance } from "../appearance.ts";
import { hotkeyName } from "../hotkey.ts";
import type { Link } from "../installation.ts";
import { applyLook, type Look, watchTheme } from "../look/look.ts";
import { createOffers, type OfferOptions } from "../offers/offers.ts";
import { createPanel, type Panel, type PanelOptions } from "../panel/panel.ts";
import type { Translation } from "../translation.ts";
import { createPanelDialog, type PanelDialog } from "./dialog.ts";

/** The visible part of the widget: it is opened, closed, and redrawn when its look changes. */
export interface View {
  parts(): Parts;
  look(): Look;
  /** The conversation went on, or the server can be reached or no more. */
  update(): void;
  /** Before the page where that is asked for, whatever the look. */
  show(isRaised: boolean): void;
  hide(): void;
  isShown(): boolean;
  hasFocus(): boolean;
  takeFocus(): void;
  /** To be called when the host element was removed and put back, perhaps into another page. */
  revive(): void;
  /** Redraws after a change of the appearance, and keeps the reader's draft. */
  redraw(): void;
  end(): void;
}

export interface ViewOptions {
  root: HTMLElement;
  /** What the widget is called where its site's name is not known. */
  domain: string;
  appearance: Appearance;
  translation: Translation;
  conversation: Conversation;
  link: Pick<Link, "isOnline">;
  /** What happens when the reader uses it. */
  handlers: Omit<PartsOptions, "look" | "say" | "name" | "siteUrl">;
}

export function createView(options: ViewOptions): View {
  const { root, domain, appearance, translation, conversation, link, handlers } = options;
  const focus = createFocus(root);
  const painter = createPainter(root, appearance.look(), translation.language);
  const draw = (): Parts => {
    const look = appearance.look();
    painter.paint(look);
    const { name = domain, url, handsOver } = appearance.config();
    const offered = { ...handlers, onHandOver: handsOver ? handlers.onHandOver : undefined };
    return createParts(root, { ...offered, look, name, siteUrl: url, say: translation.say(look.labels) });
  };
  let parts = draw();
  const update = () => {
    parts.panel.update(conversation.state());
    parts.panel.setOnline(link.isOnline());
  };
  const takeFocus = () => parts.panel.composer.field.focus();
  const isShown = () => parts.dialog.isShown();
  return {
    parts: () => parts,
    look: painter.look,
    update,
    isShown,
    hasFocus: focus.isInside,
    takeFocus,
    show(raised) {
      focus.remember();
      painter.raise(raised);
      present(parts, painter.isRaised());
    },
    hide() {
      const isElsewhere = focus.isElsewhere();
      parts.dialog.hide();
      painter.raise(false);
      setOpen(parts, false);
      if (!isElsewhere) focus.giveBack(parts.launcher);
    },
    revive() {
      painter.revive();
      parts.dialog.revive();
    },
    redraw() {
      // Nothing is animated: it was open a moment ago.
      root.dataset["still"] = "";
      const draft = parts.panel.composer.draft();
      const wasShown = isShown();
      const hadFocus = focus.isInside();
      parts.end();
      parts = draw();
      parts.panel.composer.restore(draft);
      update();
      if (wasShown) present(parts, painter.isRaised());
      if (hadFocus) takeFocus();
    },
    end() {
      painter.end();
      parts.end();
    },
  };
}

/** Keeps a look on the root as the page's theme changes. A panel that is raised stands before the page, whatever its look. */
function createPainter(root: HTMLElement, first: Look, language: () => string) {
  let look = first;
  let isRaised = false;
  const paint = (next = look) => {
    look = next;
    applyLook(root, look, language());
    if (isRaised) root.dataset["variant"] = "modal";
  };
  const watch = () => watchTheme(() => paint());
  let stopWatching = watch();
  return {
    look: () => look,
    paint,
    isRaised: () => isRaised,
    raise(raised: boolean) {
      isRaised = raised && look.variant !== "inline";
      paint();
    },
    revive() {
      stopWatching();
      stopWatching = watch();
      paint();
    },
    end: () => stopWatching(),
  };
}

function present(parts: Parts, isRaised: boolean): void {
  parts.dialog.show(isRaised);
  setOpen(parts, true);
  parts.panel.toNewest();
}

function setOpen({ launcher }: Parts, isOpen: boolean): void {
  launcher.hidden = isOpen;
  launcher.setAttribute("aria-expanded", String(isOpen));
}

/** All of the widget that is seen, drawn for one look: another look is drawn anew. */
interface Parts {
  panel: Panel;
  dialog: PanelDialog;
  launcher: HTMLButtonElement;
  /** What the reader points at on the page: what is selected, or the block of code that has the focus. */
  pointedAt(): QuestionContext | undefined;
  end(): void;
}

interface PartsOptions extends PanelOptions, OfferOptions {
  hotkey: string | undefined;
  onOpen: () => void;
}

/** Draws it into the root, until it is ended. */
function createParts(root: HTMLElement, options: PartsOptions): Parts {
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
