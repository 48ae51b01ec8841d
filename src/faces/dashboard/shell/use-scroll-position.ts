import { useEffect } from "react";
import { listenToMoves } from "../router.ts";

/** The longest that is waited for a page to be as long as it was when it was left. */
const RESTORE_MS = 3000;
const PREFIX = "docent-scroll:";

/** The events that tell that a person scrolls. */
const OWN_MOVES = ["wheel", "touchstart", "keydown", "pointerdown"];

/** A page that is returned to is where it was left; a new one begins at its top. */
export function useScrollPosition(): void {
  useEffect(() => {
    let { pathname } = location;
    let key = keyOfEntry();
    let stopRestoring = restore(key);
    const remember = () => keep(key);
    const stopListening = listenToMoves((how) => {
      stopRestoring();
      key = keyOfEntry();
      if (how === "returned") stopRestoring = restore(key);
      // Another query is the same page, seen otherwise: it stays where it is.
      else if (location.pathname !== pathname) window.scrollTo(0, 0);
      pathname = location.pathname;
    });
    window.addEventListener("scroll", remember, { passive: true });
    return () => {
      stopRestoring();
      stopListening();
      window.removeEventListener("scroll", remember);
    };
  }, []);
}

const keyOfEntry = () => `${PREFIX}${history.state?.key ?? "first"}`;

function keep(key: string): void {
  try {
    sessionStorage.setItem(key, String(Math.round(window.scrollY)));
  } catch {
    // A browser may keep nothing.
  }
}

function kept(key: string): number {
  try {
    return Number(sessionStorage.getItem(key) ?? 0);
  } catch {
    return 0;
  }
}

/** Waits for the page to be long enough, but not against who scrolls it themselves. */
function restore(key: string): () => void {
  const target = kept(key);
  let frame: number | undefined;
  const began = performance.now();
  const stop = () => {
    if (frame !== undefined) cancelAnimationFrame(frame);
    for (const each of OWN_MOVES) window.removeEventListener(each, stop);
  };
  const attempt = () => {
    const room = document.documentElement.scrollHeight - window.innerHeight;
    const isLate = performance.now() - began > RESTORE_MS;
    if (room < target && !isLate) {
      frame = requestAnimationFrame(attempt);
      return;
    }
    window.scrollTo(0, target);
    stop();
  };
  if (target === 0) return stop;
  for (const each of OWN_MOVES) window.addEventListener(each, stop, { passive: true });
  frame = requestAnimationFrame(attempt);
  return stop;
}
