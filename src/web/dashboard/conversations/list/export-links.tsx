import { withQuery } from "../../api.ts";
import { buttonClass } from "../../kit/buttons/button.tsx";
import { Icon } from "../../kit/icons/icon.tsx";
import { siteAnalytics } from "../../replies.ts";
import { hrefOf } from "../../router.ts";
import type { SiteView } from "../../site-view.ts";

const FORMATS = [
  { format: "csv", label: "CSV", says: "Download all conversations of this time as CSV" },
  { format: "jsonl", label: "JSON Lines", says: "Download all conversations of this time as JSON Lines" },
];

/** Links to files with all conversations of a period: the list's other filters do not apply to them. */
export function ExportLinks({ site, dateFrom }: { site: SiteView; dateFrom: string | undefined }) {
  return (
    <>
      {FORMATS.map(({ format, label, says }) => (
        <a
          key={format}
          className={buttonClass("plain", "normal")}
          href={hrefOf(withQuery(`${siteAnalytics(site.domain)}/export`, { format, dateFrom }))}
          download
          title={says}
          aria-label={says}
        >
          <Icon name="download" size={17} />
          {label}
        </a>
      ))}
    </>
  );
}
