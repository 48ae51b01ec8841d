import type { Conversation } from "../../conversation/conversation.ts";
import { createFocus } from "../../dom/focus.ts";
import type { Appearance } from "../appearance.ts";
import { createSay } from "../labels.ts";
import type { Look } from "../look/look.ts";
import { applyLook, watchTheme } from "../look/theme.ts";
import { createParts, type Parts, type PartsOptions } from "./parts.ts";

/** Where the widget is seen. */
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
  /** It was out of the page for a moment, which may be another one by now. */
  revive(): void;
  /** Draws everything anew around what is being written: the appearance is another one. */
  redraw(): void;
  end(): void;
}

interface ViewOptions {
  root: HTMLElement;
  /** What the widget is called where its site's name is not known. */
  domain: string;
  appearance: Appearance;
  conversation: Conversation;
  hands: Omit<PartsOptions, "look" | "say" | "name" | "siteUrl">;
}

export function createView({ root, domain, appearance, conversation, hands }: ViewOptions): View {
  const focus = createFocus(root);
  let look = appearance.look();

  const draw = (): Parts => {
    look = appearance.look();
    applyLook(root, look);
    const { name = domain, url } = appearance.config();
    return createParts(root, { ...hands, look, name, siteUrl: url, say: createSay(look.labels) });
  };
  let face = draw();

  const update = () => face.panel.update(conversation.state());
  const updateConnection = () => face.panel.setOnline(navigator.onLine);
  const takeFocus = () => face.panel.composer.field.focus();
  const isShown = () => face.dialog.isShown();
  const setOpen = (isOpen: boolean) => {
    face.launcher.hidden = isOpen;
    face.launcher.setAttribute("aria-expanded", String(isOpen));
  };
  const present = () => {
    face.dialog.show();
    setOpen(true);
    face.panel.toEnd();
  };
  const follow = () => watchTheme(() => applyLook(root, look));
  let endTheme = follow();

  return {
    parts: () => face,
    look: () => look,
    update,
    updateConnection,
    isShown,
    hasFocus: focus.isInside,
    takeFocus,
    show() {
      focus.remember();
      present();
    },
    hide() {
      const isElsewhere = focus.isElsewhere();
      face.dialog.hide();
      setOpen(false);
      if (!isElsewhere) focus.giveBack(face.launcher);
    },
    revive() {
      endTheme();
      endTheme = follow();
      applyLook(root, look);
      face.dialog.revive();
    },
    redraw() {
      // What opened a moment ago does not open twice.
      root.dataset["still"] = "";
      const draft = face.panel.composer.draft();
      const wasShown = isShown();
      const hadFocus = focus.isInside();
      face.end();
      face = draw();
      face.panel.composer.restore(draft);
      update();
      updateConnection();
      if (wasShown) present();
      if (hadFocus) takeFocus();
    },
    end() {
      endTheme();
      face.end();
    },
  };
}
