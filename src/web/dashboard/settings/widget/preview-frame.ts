import { writePreviewPage } from "./preview-page.ts";
import type { WidgetLook } from "./widget-look.ts";

/** What the widget in the preview is, and what it says. */
interface PreviewOptions {
  look: WidgetLook;
  starterQuestions: readonly string[];
  domain: string;
  siteName: string;
  siteUrl: string | null;
  /** The dashboard's base path. */
  base: string;
  /** Of the page around it. */
  shade: "light" | "dark";
}

/** What the widget's script puts into its window. */
interface WidgetWindow extends Window {
  Docent?: { open(): void; destroy(): void; on(event: string, listener: () => void): void };
}

/** A frame with a page of docs in it, and the real widget on that page. */
export interface PreviewFrame {
  /** Shows a look: the widget is taken out and put in again, open where it was open. */
  show(options: PreviewOptions): void;
  end(): void;
}

const TARGET_ID = "assistant";

/**
 * Draws into a frame of the same origin. Everything that its widget asks for goes through `fetch`: so the look is the one
 * that is being designed, and what is asked leaves no trace.
 */
export function createPreviewFrame(frame: HTMLIFrameElement, fetch: Window["fetch"]): PreviewFrame {
  let isOpen = false;
  let shown = "";
  return {
    show(options) {
      const page: WidgetWindow | null = frame.contentWindow;
      const content = frame.contentDocument;
      if (page === null || content === null) return;
      const next = JSON.stringify(options);
      if (next === shown) return;
      shown = next;
      page.fetch = fetch;
      page.Docent?.destroy();
      content.querySelector("script")?.remove();
      const isInline = options.look.variant === "inline";
      writePreviewPage(content, { ...options, targetId: isInline ? TARGET_ID : undefined });
      const script = content.createElement("script");
      for (const [name, value] of Object.entries(attributesOf(options))) script.setAttribute(name, value);
      script.addEventListener("load", () => {
        page.Docent?.on("open", () => (isOpen = true));
        page.Docent?.on("close", () => (isOpen = false));
        if (isOpen) page.Docent?.open();
      });
      content.body.append(script);
    },
    end() {
      const page: WidgetWindow | null = frame.contentWindow;
      page?.Docent?.destroy();
    },
  };
}

/** Whether a logo can be shown here: one that is given whole. */
export const isOwnPicture = (logo: string) => logo.startsWith("data:");

/** The look as the tag's attributes say it: they come before what the server says. */
export function attributesOf({
  look,
  starterQuestions,
  domain,
  base,
}: PreviewOptions): Record<string, string> {
  const { labels, askAboutSelection, askAboutCode, radius, logo, ...rest } = look;
  const labelAttributes = Object.entries(labels).map(([name, text]) => [
    `data-label-${dashFrom(name)}`,
    text,
  ]);
  return {
    src: `${base}/widget.js`,
    // A conversation that is tried here is none of the site's.
    "data-domain": `${domain} (preview)`,
    "data-key": "preview",
    ...Object.fromEntries(Object.entries(rest).map(([name, value]) => [`data-${dashFrom(name)}`, value])),
    // The dashboard loads nothing from elsewhere, and a path would be one of its own.
    "data-logo": isOwnPicture(logo) ? logo : "",
    "data-radius": String(radius),
    "data-ask-about-selection": askAboutSelection ? "on" : "off",
    "data-ask-about-code": askAboutCode ? "on" : "off",
    ...(starterQuestions.length > 0 ? { "data-starters": starterQuestions.join("|") } : {}),
    ...(look.variant === "inline" ? { "data-target": `#${TARGET_ID}` } : {}),
    ...Object.fromEntries(labelAttributes),
  };
}

/** `newConversation` as attributes have it: `new-conversation`. */
const dashFrom = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
