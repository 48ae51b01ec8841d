import { Link } from "../../router.ts";
import { classNames } from "../class-names.ts";
import "./tabs.css";

/** One of the pages that belong together. */
interface TabLink {
  to: string;
  label: string;
  isCurrent: boolean;
}

/** Scrolls the current tab into view: on a phone not all of them fit. */
const bringIntoView = (link: HTMLAnchorElement | null) =>
  link?.scrollIntoView?.({ block: "nearest", inline: "center" });

/** Pages that belong together, each with an address of its own. */
export function TabLinks({ label, links }: { label: string; links: readonly TabLink[] }) {
  return (
    <nav className="tabs" aria-label={label}>
      {links.map(({ to, label: name, isCurrent }) => (
        <Link
          key={to}
          to={to}
          className={classNames("tab", isCurrent && "tab-current")}
          aria-current={isCurrent ? "page" : undefined}
          {...(isCurrent && { ref: bringIntoView })}
        >
          {name}
        </Link>
      ))}
    </nav>
  );
}
