import { GlobalRegistrator } from "@happy-dom/global-registrator";

const KEPT = [
  "fetch",
  "Request",
  "Response",
  "Headers",
  "ReadableStream",
  "WritableStream",
  "TransformStream",
  "TextDecoder",
  "TextEncoder",
  "TextDecoderStream",
  "AbortController",
  "AbortSignal",
  "URL",
  "Blob",
  "File",
  "FormData",
  // React keeps hold of these, and would wait for ever on those of a page that is gone.
  "setTimeout",
  "clearTimeout",
  "setInterval",
  "clearInterval",
  "setImmediate",
  "clearImmediate",
  "queueMicrotask",
  "MessageChannel",
] as const;

/** How long React may take to do what it still has to do when a page is over. */
const TURNS = 20;

/**
 * A page for React in this process. The network's parts stay Bun's own: an emulation of them would be tested instead
 * of the real ones.
 */
export function registerDom(): () => Promise<void> {
  const real = Object.fromEntries(KEPT.map((name) => [name, globalThis[name]]));
  GlobalRegistrator.register({ url: "http://localhost/" });
  Object.assign(globalThis, real, { IS_REACT_ACT_ENVIRONMENT: false });
  return async () => {
    for (let turn = 0; turn < TURNS; turn++) await new Promise((resolve) => setImmediate(resolve));
    await GlobalRegistrator.unregister();
    Object.assign(globalThis, real);
  };
}
