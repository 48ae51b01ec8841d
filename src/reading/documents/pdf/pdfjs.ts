import type { PDFDocumentProxy } from "pdfjs-dist/legacy/build/pdf.mjs";
import { readCMap } from "./cmaps.ts";

type Pdfjs = typeof import("pdfjs-dist/legacy/build/pdf.mjs");

/** A PDF that can be read; `close` frees all of it. */
export interface OpenPdf {
  pdf: PDFDocumentProxy;
  /** The numbers that it gives to what a page draws. */
  operators: Pdfjs["OPS"];
  close(): Promise<void>;
}

let loading: Promise<Pdfjs> | undefined;

/** Opens a PDF, or says why it cannot be read. */
export async function openPdf(content: Uint8Array): Promise<OpenPdf | { unreadable: string }> {
  loading ??= loadPdfjs();
  const { getDocument, OPS } = await loading;
  const task = getDocument({
    // pdf.js takes the memory over that it is given, and refuses a Buffer, whose `slice` would be one again.
    data: new Uint8Array(content),
    verbosity: 0,
    enableXfa: false,
    // Pictures are not looked at: those of more than one pixel are not even unpacked.
    maxImageSize: 1,
    isOffscreenCanvasSupported: false,
    isImageDecoderSupported: false,
    useWasm: false,
    useSystemFonts: false,
    disableFontFace: true,
    // The names of fonts, which say whether they are bold.
    fontExtraProperties: true,
    useWorkerFetch: false,
    stopAtErrors: false,
    cMapUrl: "embedded/",
    cMapPacked: true,
    BinaryDataFactory: EmbeddedTables,
  });
  // A password is never asked for: without this, pdf.js waits for one.
  task.onPassword = () => {
    throw Object.assign(new Error("needs a password"), { name: "PasswordException" });
  };
  try {
    return { pdf: await task.promise, operators: OPS, close: () => task.destroy() };
  } catch (error) {
    await task.destroy().catch(() => {});
    return { unreadable: whyNot(error) };
  }
}

function whyNot(error: unknown): string {
  const { name, message } = error instanceof Error ? error : new Error(String(error));
  if (name === "PasswordException") return "is encrypted: it needs a password";
  if (/encrypt|password|crypt filter/i.test(message))
    return `is encrypted in a way that is not known: ${short(message)}`;
  if (/is empty/i.test(message)) return "is empty";
  return `is damaged: ${short(message)}`;
}

/** What pdf.js says of an error, as the end of a sentence. */
export const short = (message: string) => message.replace(/\s+/g, " ").replace(/\.$/, "").slice(0, 150);

/** What pdf.js asks for beside the document. It has no addresses, and nothing is fetched. */
class EmbeddedTables {
  fetch = async ({ kind, filename }: { kind: string; filename: string }): Promise<Uint8Array> => {
    const table = kind === "cMapUrl" ? await readCMap(filename) : undefined;
    if (table === undefined) throw new Error(`${filename} is not carried`);
    return table;
  };
}

/**
 * Loads pdf.js, and what it calls its worker, into this thread. While it loads, it looks for a library that draws, warns
 * where there is none, and makes names of it global that others take for a browser's: it is given empty ones meanwhile.
 */
async function loadPdfjs(): Promise<Pdfjs> {
  const { getBuiltinModule } = process;
  const known = GLOBALS.map((name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)] as const);
  Reflect.set(process, "getBuiltinModule", () => ({ createRequire: () => () => NO_CANVAS }));
  try {
    await import("pdfjs-dist/legacy/build/pdf.worker.min.mjs");
    return await import("pdfjs-dist/legacy/build/pdf.min.mjs");
  } finally {
    Reflect.set(process, "getBuiltinModule", getBuiltinModule);
    for (const [name, descriptor] of known) {
      if (descriptor === undefined) Reflect.deleteProperty(globalThis, name);
      else Object.defineProperty(globalThis, name, descriptor);
    }
  }
}

const GLOBALS = ["DOMMatrix", "Path2D", "navigator"];
const NO_CANVAS = { DOMMatrix: class {}, Path2D: class {} };
