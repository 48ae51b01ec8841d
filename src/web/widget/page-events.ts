import { watchHotkey } from "./hotkey.ts";

interface PageEvents {
  root: HTMLElement;
  hotkey: string | undefined;
  onHotkey: () => void;
  onEscape: () => void;
  onConnection: () => void;
  /** The reader went to another place of the page's. */
  onNavigate: () => void;
}

/** Listens to what happens around the widget. Gives what ends it. */
export function listen({
  root,
  hotkey,
  onHotkey,
  onEscape,
  onConnection,
  onNavigate,
}: PageEvents): () => void {
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== "Escape" || event.isComposing) return;
    event.preventDefault();
    onEscape();
  };
  root.addEventListener("keydown", onKey);
  window.addEventListener("online", onConnection);
  window.addEventListener("offline", onConnection);
  window.addEventListener("popstate", onNavigate);
  const endHotkey = watchHotkey(hotkey, onHotkey);
  return () => {
    endHotkey();
    root.removeEventListener("keydown", onKey);
    window.removeEventListener("online", onConnection);
    window.removeEventListener("offline", onConnection);
    window.removeEventListener("popstate", onNavigate);
  };
}
