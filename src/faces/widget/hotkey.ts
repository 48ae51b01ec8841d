import { isComposing, isEditing } from "../dom/keyboard.ts";

/**
 * Calls when ⌘ or Ctrl and a letter are pressed outside of what is being written, unless the page has a use for them of
 * its own, which may begin to listen after the widget does. Gives what ends it.
 */
export function watchHotkey(letter: string | undefined, pressed: () => void): () => void {
  if (letter === undefined) return () => {};
  const onKey = (event: KeyboardEvent) => {
    const { metaKey, ctrlKey, shiftKey, altKey, repeat } = event;
    if (letterOf(event) !== letter || metaKey === ctrlKey || shiftKey || altKey || isComposing(event)) return;
    if (repeat || event.defaultPrevented || isEditing(event.composedPath()[0])) return;
    event.preventDefault();
    pressed();
  };
  // What is added again while the event is on its way down comes last on its way up.
  const goLast = () => {
    window.removeEventListener("keydown", onKey);
    window.addEventListener("keydown", onKey);
  };
  window.addEventListener("keydown", goLast, true);
  return () => {
    window.removeEventListener("keydown", goLast, true);
    window.removeEventListener("keydown", onKey);
  };
}

/** Where the keys write another script, the letter is the one that stands there on others. */
function letterOf({ key, code }: Partial<KeyboardEvent>): string | undefined {
  // What browsers fill into a form by themselves comes as a key without a name.
  return (/^[ -~]$/.test(key ?? "") ? key : code?.replace("Key", ""))?.toLowerCase();
}

/** How the hotkey is written where it is shown. */
export function hotkeyName(letter: string): string {
  const isApple = /mac|iphone|ipad/i.test(navigator.platform);
  return isApple ? `⌘${letter.toUpperCase()}` : `Ctrl+${letter.toUpperCase()}`;
}
