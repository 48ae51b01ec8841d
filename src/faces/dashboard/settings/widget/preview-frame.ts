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

interface PreviewPage {
  siteName: string;
  shade: "light" | "dark";
  /** Of the element that an inline widget goes into; undefined where it floats above the page. */
  targetId: string | undefined;
}

/** A page as a site of docs has them, with text to select and code to ask about. */
function writePreviewPage(page: Document, { siteName, shade, targetId }: PreviewPage): void {
  const make = (name: string, text: string, className = "") => {
    const element = page.createElement(name);
    element.textContent = text;
    if (className !== "") element.className = className;
    return element;
  };
  page.documentElement.dataset["theme"] = shade;
  page.documentElement.className = "preview-root";
  page.title = `${siteName}: preview`;
  takeStyles(page);
  const code = make("pre", "");
  code.append(make("code", "curl -fsSL https://example.com/install.sh | sh\nacme start --port 8080"));
  const main = make("main", "", "preview-page");
  main.append(
    make("p", siteName, "preview-site"),
    make("h1", "Getting started"),
    make(
      "p",
      "This page stands for one of yours. Select a few words, or point at the code, to see what is offered.",
    ),
    code,
    make("h2", "Next steps"),
    make("p", "Readers see the assistant as it is here, on every page that has the snippet."),
  );
  if (targetId !== undefined) {
    const target = make("div", "", "preview-target");
    target.id = targetId;
    main.append(target);
  }
  page.body.replaceChildren(main);
}

/** The dashboard's own sheet has the rules for it: the policy of this page allows no others. */
function takeStyles(page: Document): void {
  if (page.querySelector("link") !== null) return;
  for (const sheet of document.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"]')) {
    const link = page.createElement("link");
    link.rel = "stylesheet";
    link.href = sheet.href;
    page.head.append(link);
  }
}
