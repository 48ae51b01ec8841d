import { keepLatest } from "@docent/kernel/lib/remember";
import type { Site } from "../../site/sites.ts";
import type { LookAtPages, PagesLook } from "./fidelity.ts";

/** Of so many sites it is kept what was found: with its examples, some ten KB of each. */
const SITES_KEPT = 100;

/** A look that goes on, or is over. */
interface Look {
  /** The generation, and the site's own settings, which decide what readers see of it. */
  key: string;
  found: Promise<PagesLook>;
  isOver: boolean;
  abort: AbortController;
  /** How many wait for it: it ends with the last who leaves. */
  readers: number;
}

/** Looks at a site's pages once for each of its states, however many ask at the same time, and at one site after the other. */
export function createKeptLook(lookAtPages: LookAtPages) {
  const looks = new Map<number, Look>();
  let line: Promise<unknown> = Promise.resolve();

  function begin(site: Site, generation: number, key: string): Look {
    const abort = new AbortController();
    const found = line.then(() => {
      abort.signal.throwIfAborted();
      return lookAtPages(site, abort.signal);
    });
    const look: Look = { key, found, isOver: false, abort, readers: 0 };
    const forget = () => {
      if (looks.get(site.id) === look) looks.delete(site.id);
    };
    line = found.then((report) => {
      look.isOver = true;
      // Another one was published meanwhile.
      if (report.generation !== generation) forget();
    }, forget);
    keepLatest(looks, site.id, look, SITES_KEPT);
    return look;
  }

  return async (site: Site, generation: number, signal: AbortSignal): Promise<PagesLook> => {
    signal.throwIfAborted();
    const key = JSON.stringify([generation, site.url, site.settings]);
    const known = looks.get(site.id);
    const isOfUse = known?.key === key && !known.abort.signal.aborted;
    const look = isOfUse ? known : begin(site, generation, key);
    look.readers += 1;
    const left = Promise.withResolvers<never>();
    const leave = () => left.reject(signal.reason);
    signal.addEventListener("abort", leave, { once: true });
    try {
      return await Promise.race([look.found, left.promise]);
    } finally {
      signal.removeEventListener("abort", leave);
      look.readers -= 1;
      if (look.readers === 0 && !look.isOver) look.abort.abort();
    }
  };
}
