import { readInstallation } from "./installation.ts";
import { partsOf } from "./later.ts";
import { createWidget, type Widget } from "./widget.ts";

/** What pages call: `window.Docent`. */
type Api = Readonly<Widget>;

const NAME = "Docent";
/** Marks what is ours: a page may have something of that name, and may run this script again. */
const OURS = Symbol.for("docent.widget");

const isStarted = (): boolean => OURS in Object(Reflect.get(window, NAME));

function start(script: Document["currentScript"]): void {
  if (isStarted()) return;
  const installation =
    script instanceof HTMLScriptElement && readInstallation(script.dataset, script.src, location.href);
  if (!installation) {
    reportError(new Error("widget.js: its script tag, no module, needs data-domain and data-key"));
    return;
  }
  const { destroy, ...rest } = createWidget(installation, partsOf(installation.server));
  const api: Api & { [OURS]: true } = Object.freeze({
    ...rest,
    destroy() {
      destroy();
      Reflect.deleteProperty(window, NAME);
    },
    [OURS]: true as const,
  });
  Object.defineProperty(window, NAME, { value: api, configurable: true, writable: true });
}

const IDLE_MAX_MS = 300;

/** Calls back when the page has nothing to do. */
function whenIdle(run: () => void): void {
  if ("requestIdleCallback" in window) window.requestIdleCallback(run, { timeout: IDLE_MAX_MS });
  else setTimeout(run, 1);
}

/** Starts when the page has been read and has time, or at once when it asks for `window.Docent`: it does not wait for us. */
function startLater(script: Document["currentScript"]): void {
  if (isStarted()) return;
  let isWaiting = true;
  const begin = () => {
    if (!isWaiting || !document.body) return;
    isWaiting = false;
    Reflect.deleteProperty(window, NAME);
    start(script);
  };
  Object.defineProperty(window, NAME, {
    configurable: true,
    get() {
      begin();
      return isWaiting ? undefined : Reflect.get(window, NAME);
    },
    // A page may call something of its own so.
    set(value: unknown) {
      begin();
      Object.defineProperty(window, NAME, { value, configurable: true, writable: true });
    },
  });
  if (document.readyState === "loading")
    document.addEventListener("DOMContentLoaded", () => whenIdle(begin), { once: true });
  else whenIdle(begin);
}

// The element of this script, which is only known while the script runs for the first time.
const script = document.currentScript;
if (document.readyState === "complete") start(script);
else startLater(script);
