import type { Suggestion } from "@docent/kernel/text/suggestions";
import { useEffect, useRef } from "react";
import { paint } from "../../../highlight/highlight.ts";
import { createMarkdownView } from "../../../markdown/markdown.ts";
import { decodeSegment } from "../../route-match.ts";
import { hrefOf } from "../../router.ts";
import { indexedPagePath, type SiteView } from "../../site-view.ts";
import "./markdown-text.css";

interface MarkdownTextProps {
  site: SiteView;
  text: string;
}

/** An answer as readers see it. A link to a page of the site leads to where the site is, or to what the index has of it. */
export function MarkdownText({ site, text }: MarkdownTextProps) {
  const container = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = container.current;
    if (!element) return;
    // A text that is edited may change anywhere, and a view only goes on behind what it has.
    element.replaceChildren();
    const view = viewIn(element, site);
    view.write(text);
    view.end();
  }, [site, text]);
  return <div className="markdown-text" ref={container} />;
}

const viewIn = (element: HTMLElement, site: SiteView) =>
  createMarkdownView(element, {
    headingOffset: 2,
    resolveLink: (href) => resolveFor(site, href),
    onCode: (_, code, language) => paint(code, language),
  });

/** Where a link of an answer leads: those of curated answers begin at the site's root. */
function resolveFor(site: SiteView, href: string): string | undefined {
  if (!href.startsWith("/") || href.startsWith("//")) return href;
  if (site.url !== null) return site.url + href;
  const [path = ""] = href.slice(1).split(/[?#]/, 1);
  return hrefOf(indexedPagePath(site, decodeSegment(path)));
}

/** The pages that an answer proposed besides; nothing where there are none. */
export function ReadNext({ suggestions }: { suggestions: readonly Suggestion[] }) {
  if (suggestions.length === 0) return null;
  return <p className="small quiet">Read next: {suggestions.map(({ label }) => label).join(", ")}</p>;
}

interface AnswerTextProps extends MarkdownTextProps {
  /** Whether more of the text follows. */
  isComing: boolean;
}

/** An answer, drawn as it comes. */
export function AnswerText({ site, text, isComing }: AnswerTextProps) {
  const element = useRef<HTMLDivElement>(null);
  const view = useRef<ReturnType<typeof createMarkdownView>>(undefined);
  useEffect(() => {
    if (!element.current) return;
    view.current ??= viewIn(element.current, site);
    view.current.write(text);
    if (!isComing) view.current.end();
  }, [site, text, isComing]);
  return <div className="markdown-text" ref={element} />;
}
