import { Notice } from "../../kit/feedback/notice.tsx";
import { Card } from "../../kit/layout/card.tsx";
import { LedgerTable } from "../../kit/runs/ledger-table.tsx";
import { marksOf } from "../../kit/runs/run-words.ts";
import type { Explanation } from "../../replies.ts";
import { Link } from "../../router.ts";
import { type SiteView, sitePath } from "../../site-view.ts";
import { FoundPassages } from "./found-passages.tsx";
import { pageVerdict } from "./standing-words.ts";

interface FoundPageProps {
  site: SiteView;
  question: string;
  page: NonNullable<Explanation["page"]>;
}

/** Where the page stands that somebody asked after, and why it is not higher. */
export function FoundPage({ site, question, page }: FoundPageProps) {
  return (
    <Card title="The page that should be found" description={<span className="mono">/{page.path}</span>}>
      <div className="stack">
        {page.pages.map((each) => {
          const { tone, text } = pageVerdict(each, question);
          const marks = marksOf(each).join(", ");
          return (
            <section key={`${each.version} ${each.language} ${each.source}`} className="stack">
              <Notice tone={tone}>
                <strong>{[each.title, marks].filter(Boolean).join(" · ")}</strong> {text}
              </Notice>
              {each.ranked.length > 0 && (
                <details className="more-fields">
                  <summary>Its passages beside this question</summary>
                  <FoundPassages site={site} label={`Passages of ${each.title}`} passages={each.ranked} />
                </details>
              )}
            </section>
          );
        })}
        {page.pages.length === 0 && <NotThere site={site} page={page} />}
      </div>
    </Card>
  );
}

function NotThere({ site, page }: Pick<FoundPageProps, "site" | "page">) {
  if (page.ledger.length === 0)
    return (
      <Notice tone="bad">
        The index has no such page, and no source has met it. Look at its path, or{" "}
        <Link to={sitePath(site, "content")}>add the source</Link> that it is in.
      </Notice>
    );
  return (
    <>
      <Notice tone="bad">
        The index has no such page. This is what was noted of it when its source was read:
      </Notice>
      <LedgerTable label="What was noted" entries={page.ledger} />
    </>
  );
}
