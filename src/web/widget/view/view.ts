import type { Conversation } from "../../conversation/conversation.ts";
import { createFocus } from "../../dom/focus.ts";
import type { Appearance } from "../appearance.ts";
import { createSay } from "../labels.ts";
import { applyLook, type Look, watchTheme } from "../look/look.ts";
import { createParts, type Parts, type PartsOptions } from "./parts.ts";

/** The visible part of the widget: it is opened, closed, and redrawn when its look changes. */
export interface View {
  parts(): Parts;
  look(): Look;
  /** The conversation went on. */
  update(): void;
  /** The reader's device came online, or went offline. */
  updateConnection(): void;
  show(): void;
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
  conversation: Conversation;
  /** What happens when the reader uses it. */
  handlers: Omit<PartsOptions, "look" | "say" | "name" | "siteUrl">;
}

export function createView({ root, domain, appearance, conversation, handlers }: ViewOptions): View {
  const focus = createFocus(root);
  let look = appearance.look();
  const draw = (): Parts => {
    look = appearance.look();
    applyLook(root, look);
    const { name = domain, url } = appearance.config();
    return createParts(root, { ...handlers, look, name, siteUrl: url, say: createSay(look.labels) });
  };
  let parts = draw();
  const update = () => parts.panel.update(conversation.state());
  const updateConnection = () => parts.panel.setOnline(navigator.onLine);
  const takeFocus = () => parts.panel.composer.field.focus();
  const isShown = () => parts.dialog.isShown();
  const watchSystemTheme = () => watchTheme(() => applyLook(root, look));
  let stopWatching = watchSystemTheme();
  return {
    parts: () => parts,
    look: () => look,
    update,
    updateConnection,
    isShown,
    hasFocus: focus.isInside,
    takeFocus,
    show() {
      focus.remember();
      present(parts);
    },
    hide() {
      const isElsewhere = focus.isElsewhere();
      parts.dialog.hide();
      setOpen(parts, false);
      if (!isElsewhere) focus.giveBack(parts.launcher);
    },
    revive() {
      stopWatching();
      stopWatching = watchSystemTheme();
      applyLook(root, look);
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
      updateConnection();
      if (wasShown) present(parts);
      if (hadFocus) takeFocus();
    },
    end() {
      stopWatching();
      parts.end();
    },
  };
}

function present(parts: Parts): void {
  parts.dialog.show();
  setOpen(parts, true);
  parts.panel.toEnd();
}

function setOpen({ launcher }: Parts, isOpen: boolean): void {
  launcher.hidden = isOpen;
  launcher.setAttribute("aria-expanded", String(isOpen));
}
