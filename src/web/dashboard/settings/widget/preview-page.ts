interface PreviewPage {
  siteName: string;
  shade: "light" | "dark";
  /** Of the element that an inline widget goes into; undefined where it floats above the page. */
  targetId: string | undefined;
}

/** A page as a site of docs has them, with text to select and code to ask about. */
export function writePreviewPage(page: Document, { siteName, shade, targetId }: PreviewPage): void {
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
