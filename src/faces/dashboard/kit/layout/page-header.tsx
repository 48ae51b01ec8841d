import { type ReactNode, useEffect } from "react";
import "./page-header.css";

interface PageHeaderProps {
  title: string;
  description?: ReactNode;
  actions?: ReactNode;
  /** In the browser's title, before the page's: which of its tabs is shown. */
  view?: string | undefined;
  /** In the browser's title, behind the page's: the site's name. */
  of?: string;
}

/** The head of every page: its heading, which the keyboard arrives at, and the browser's title. */
export function PageHeader({ title, description, actions, view, of }: PageHeaderProps) {
  useEffect(() => {
    document.title = [view, title, of, "Docent"].filter(Boolean).join(" · ");
  }, [title, view, of]);
  return (
    <header className="page-header">
      <div className="page-header-text">
        <h1 tabIndex={-1}>{title}</h1>
        {description && <p className="page-header-description">{description}</p>}
      </div>
      {actions && <div className="page-header-actions">{actions}</div>}
    </header>
  );
}
