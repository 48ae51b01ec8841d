import { useEffect, useRef } from "react";
import { createMarkdownView } from "../../../markdown/markdown.ts";
import type { SiteView } from "../../site-view.ts";
import { resolveFor } from "./markdown-text.tsx";
import "./markdown-text.css";

interface AnswerTextProps {
  site: SiteView;
  /** Markdown so far. */
  text: string;
  isComing: boolean;
}

/** An answer, drawn as it comes. */
export function AnswerText({ site, text, isComing }: AnswerTextProps) {
  const element = useRef<HTMLDivElement>(null);
  const view = useRef<ReturnType<typeof createMarkdownView>>(undefined);
  useEffect(() => {
    if (!element.current) return;
    view.current ??= createMarkdownView(element.current, {
      headingOffset: 2,
      resolveLink: (href) => resolveFor(site, href),
    });
    view.current.write(text);
    if (!isComing) view.current.end();
  }, [site, text, isComing]);
  return <div className="markdown-text" ref={element} />;
}
