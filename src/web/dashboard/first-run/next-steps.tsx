import { Icon } from "../kit/icons/icon.tsx";
import type { IconName } from "../kit/icons/icon-paths.ts";
import { Link } from "../router.ts";
import { type SiteView, sitePath } from "../site-view.ts";

const NEXT: readonly { to: string[]; icon: IconName; title: string; text: string }[] = [
  {
    to: ["settings", "widget"],
    icon: "palette",
    title: "Make it yours",
    text: "Colour, position, words, starter questions",
  },
  { to: ["content"], icon: "folder", title: "Add more docs", text: "Other sources, versions, a schedule" },
  { to: ["gaps"], icon: "gap", title: "See what is missing", text: "Questions that your docs do not answer" },
  { to: [], icon: "chart", title: "Go to the overview", text: "What is asked, and how it goes" },
];

/** Where to go from here. */
export function NextSteps({ site }: { site: SiteView }) {
  return (
    <nav className="next-steps" aria-label="What to do next">
      {NEXT.map(({ to, icon, title, text }) => (
        <Link key={title} to={sitePath(site, ...to)} className="next-step">
          <Icon name={icon} size={20} />
          <span>
            <strong>{title}</strong>
            <span className="quiet small">{text}</span>
          </span>
        </Link>
      ))}
    </nav>
  );
}
