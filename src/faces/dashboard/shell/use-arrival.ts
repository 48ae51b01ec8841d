import { useEffect, useRef, useState } from "react";

/** How long a page may take to show its heading. */
const ARRIVAL_MS = 10_000;

/**
 * After a move to another page, the keyboard is at its heading, which a screen reader then speaks. Not where something in
 * the page took the focus itself, and not when the app begins: there the browser's own beginning is right. Gives the title
 * to be spoken.
 */
export function useArrival(path: readonly string[]): string {
  const key = path.join("/");
  const [title, setTitle] = useState("");
  const before = useRef(key);
  useEffect(() => {
    if (before.current === key) return;
    before.current = key;
    return whenHeadingIsThere((heading) => {
      const focused = document.activeElement;
      const isTaken = focused?.closest("main, dialog") && focused !== document.body && focused.id !== "main";
      if (!isTaken) heading.focus({ preventScroll: true });
      setTitle(document.title);
    });
  }, [key]);
  return title;
}

function whenHeadingIsThere(then: (heading: HTMLElement) => void): () => void {
  const find = () => document.querySelector<HTMLElement>("main h1");
  const found = find();
  if (found) {
    then(found);
    return () => {};
  }
  const observer = new MutationObserver(() => {
    const heading = find();
    if (!heading) return;
    stop();
    then(heading);
  });
  const timer = setTimeout(() => observer.disconnect(), ARRIVAL_MS);
  const stop = () => {
    observer.disconnect();
    clearTimeout(timer);
  };
  observer.observe(document.body, { childList: true, subtree: true });
  return stop;
}
