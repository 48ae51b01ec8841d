import { readInstallation } from "./installation.ts";
import { partsOf } from "./later.ts";
import { createWidget, type Widget } from "./widget.ts";

/** What pages call: `window.Docent`. */
type Api = Readonly<Widget>;

const NAME = "Docent";
/** Marks what is ours: a page may have something of that name, and may run this script again. */
const OURS = Symbol.for("docent.widget");

function start(script: Document["currentScript"]): void {
  const known: unknown = Reflect.get(window, NAME);
  if (typeof known === "object" && known !== null && OURS in known) return;
  const installation =
    script instanceof HTMLScriptElement && readInstallation({ ...script.dataset }, script.src, location.href);
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

// It is only there while the script runs for the first time.
const script = document.currentScript;
if (document.body) start(script);
else document.addEventListener("DOMContentLoaded", () => start(script), { once: true });
