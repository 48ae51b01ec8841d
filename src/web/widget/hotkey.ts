/** Whether the reader is writing: there, a key belongs to what is written. */
export function isEditing(target: EventTarget | undefined): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName);
}

/** Calls when ⌘ or Ctrl and a letter are pressed outside of what is being written. Gives what ends it. */
export function watchHotkey(letter: string | undefined, pressed: () => void): () => void {
  if (letter === undefined) return () => {};
  const onKey = (event: KeyboardEvent) => {
    const { key, metaKey, ctrlKey, shiftKey, altKey, repeat, isComposing } = event;
    if (key.toLowerCase() !== letter || metaKey === ctrlKey || shiftKey || altKey || isComposing) return;
    if (repeat || event.defaultPrevented || isEditing(event.composedPath()[0])) return;
    event.preventDefault();
    pressed();
  };
  window.addEventListener("keydown", onKey);
  return () => window.removeEventListener("keydown", onKey);
}

/** How the hotkey is written where it is shown. */
export function hotkeyName(letter: string): string {
  const isApple = /mac|iphone|ipad/i.test(navigator.platform);
  return isApple ? `⌘${letter.toUpperCase()}` : `Ctrl+${letter.toUpperCase()}`;
}
