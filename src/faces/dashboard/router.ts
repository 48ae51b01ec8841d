import {
  type AnchorHTMLAttributes,
  createElement,
  type MouseEvent,
  type ReactElement,
  type Ref,
  useMemo,
  useSyncExternalStore,
} from "react";
import { segmentsOf } from "./route-match.ts";

/** Where the app is. */
export interface Route {
  /** The segments below the base path, decoded. */
  path: string[];
  query: URLSearchParams;
}

/** Told to the window when the address changed by `navigate`; `popstate` tells of the browser's own moves. */
const MOVED = "docent:moved";
/** Asked of the window before the address changes: who has something to lose prevents it, and may go on later. */
const LEAVING = "docent:leaving";

/** Where the app is, kept up to date. */
export function useRoute(): Route {
  const address = useSyncExternalStore(listenToMoves, currentAddress);
  return useMemo(() => routeOf(address), [address]);
}

/** Goes to a path below the base path, such as `/dashboard/Acme/docs.acme/gaps?state=open`. */
export function navigate(to: string, { replace = false }: { replace?: boolean } = {}): void {
  if (!replace && !mayLeave(() => navigate(to))) return;
  const url = hrefOf(to);
  const state = { key: entryKey() };
  if (replace) history.replaceState({ ...history.state, ...state }, "", url);
  else history.pushState(state, "", url);
  window.dispatchEvent(new Event(MOVED));
}

/** What an entry of the history is called. Of secure pages alone, browsers offer better ones; this need not be one. */
const entryKey = () => `${Date.now().toString(36)}-${Math.random().toString(36).slice(2)}`;

/** Asks whoever has something to lose; `leave` goes on where they agree to that later. */
const mayLeave = (leave: () => void) =>
  window.dispatchEvent(new CustomEvent<() => void>(LEAVING, { cancelable: true, detail: leave }));

/**
 * Lets pages keep the browser from going back and forth. It tells when it has gone: the address is put back, in front of
 * the one that was gone to. This has to hear of it before everything else: browsers tell windows in the order of asking.
 */
export function guardReturns(): void {
  const present = () => ({ address: currentAddress(), state: history.state });
  let here = present();
  window.addEventListener(MOVED, () => {
    here = present();
  });
  window.addEventListener("popstate", (event) => {
    // Another place on the same page leaves nothing.
    if (currentAddress() === here.address || mayLeave(() => history.back())) {
      here = present();
      return;
    }
    event.stopImmediatePropagation();
    history.pushState(here.state, "", hrefOf(here.address));
  });
}

/** Hears of moves inside the app before they happen; `ask` answers whether the move may not happen for now. */
export function listenToLeaving(ask: (leave: () => void) => boolean): () => void {
  const hear = (event: Event) => {
    if (event instanceof CustomEvent && ask(event.detail)) event.preventDefault();
  };
  window.addEventListener(LEAVING, hear);
  return () => window.removeEventListener(LEAVING, hear);
}

/** Hears of every change of the address: by a link or `navigate`, or by the browser's own way back and forth. */
export function listenToMoves(hear: (how: "moved" | "returned") => void): () => void {
  const moved = () => hear("moved");
  const returned = () => hear("returned");
  window.addEventListener(MOVED, moved);
  window.addEventListener("popstate", returned);
  return () => {
    window.removeEventListener(MOVED, moved);
    window.removeEventListener("popstate", returned);
  };
}

/** The address of a path in the app, as the browser has it. */
export const hrefOf = (to: string) => basePath() + to;

/** The path and query of the app that is shown, as `navigate` takes it. */
export function currentAddress(): string {
  const { pathname, search } = window.location;
  const base = basePath();
  const path = pathname.startsWith(`${base}/`) ? pathname.slice(base.length) : "/";
  return path + search;
}

/** A path of segments, each encoded, with what the query gives. Empty values are left out. */
export function pathTo(segments: readonly (string | number)[], query: Record<string, string> = {}): string {
  const path = `/${segments.map((segment) => encodeURIComponent(segment)).join("/")}`;
  const given = new URLSearchParams(Object.entries(query).filter(([, value]) => value !== ""));
  return given.size === 0 ? path : `${path}?${given}`;
}

export interface LinkProps extends Omit<AnchorHTMLAttributes<HTMLAnchorElement>, "href"> {
  /** A path below the base path. */
  to: string;
  ref?: Ref<HTMLAnchorElement>;
}

/** A link inside the app. Only a plain click with the left button stays in it; the others are the browser's. */
export function Link({ to, onClick, ...rest }: LinkProps): ReactElement {
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event);
    if (!isPlainClick(event) || rest.target === "_blank" || rest.download !== undefined) return;
    event.preventDefault();
    navigate(to);
  };
  return createElement("a", { ...rest, href: hrefOf(to), onClick: follow });
}

function isPlainClick(event: MouseEvent): boolean {
  const { button, metaKey, ctrlKey, shiftKey, altKey } = event;
  return button === 0 && !event.defaultPrevented && !metaKey && !ctrlKey && !shiftKey && !altKey;
}

function routeOf(address: string): Route {
  const [path = "", query = ""] = address.split(/\?(.*)/s);
  return { path: segmentsOf(path), query: new URLSearchParams(query) };
}

/** Where the server's addresses begin, as the document says: empty, or `/docent`. */
export function basePath(): string {
  return document.querySelector<HTMLMetaElement>('meta[name="docent-base"]')?.content ?? "";
}
