import { isComposing } from "../dom/keyboard.ts";
import { watchHotkey } from "./hotkey.ts";

interface PageEvents {
  root: HTMLElement;
  hotkey: string | undefined;
  onHotkey: () => void;
  searchHotkey: string | undefined;
  onSearchHotkey: () => void;
  onEscape: () => void;
  onConnection: () => void;
  /** The address changed without the page being loaded anew. */
  onNavigate: () => void;
  /** Another page of this origin may have kept something, or this one is back from where it stood still. */
  onKept: () => void;
}

/** Listens to what happens around the widget. Gives what ends it. */
export function listen({ root, onEscape, ...on }: PageEvents): () => void {
  const ending = new AbortController();
  const { signal } = ending;
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== "Escape" || isComposing(event)) return;
    event.preventDefault();
    onEscape();
  };
  root.addEventListener("keydown", onKey, { signal });
  for (const name of ["online", "offline"]) window.addEventListener(name, on.onConnection, { signal });
  for (const name of ["storage", "pageshow"]) window.addEventListener(name, on.onKept, { signal });
  window.addEventListener("popstate", on.onNavigate, { signal });
  const endings = [watchHotkey(on.hotkey, on.onHotkey), watchHotkey(on.searchHotkey, on.onSearchHotkey)];
  return () => {
    for (const end of endings) end();
    ending.abort();
  };
}
