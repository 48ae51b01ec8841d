import { audienceWords } from "@docent/kernel/text/groups/groups";
import { withQuery } from "../../api.ts";
import { ButtonLink } from "../../kit/buttons/button.tsx";
import { Empty } from "../../kit/feedback/empty.tsx";
import { Loaded } from "../../kit/feedback/loaded.tsx";
import { Notice } from "../../kit/feedback/notice.tsx";
import { Card } from "../../kit/layout/card.tsx";
import { PageHeader } from "../../kit/layout/page-header.tsx";
import { marksOf } from "../../kit/runs/run-words.ts";
import { Badge } from "../../kit/text/badge.tsx";
import { counted, formatNumber } from "../../kit/text/format-number.ts";
import { Time } from "../../kit/text/time.tsx";
import { type IndexedPage, siteOperations } from "../../replies.ts";
import { Link, pathTo, useRoute } from "../../router.ts";
import { type SiteView, sitePath } from "../../site-view.ts";
import { useResource } from "../../use-resource.ts";
import "../content.css";

/** What the index has of a path: each version and language, cut into the passages that are searched and cited. */
export function PagePage({ site }: { site: SiteView }) {
  const { query } = useRoute();
  const path = query.get("path") ?? "";
  const pages = useResource<IndexedPage[]>(withQuery(`${siteOperations(site.domain)}/page`, { path }));
  const find = pathTo(["dashboard", site.organizationName, site.domain, "content", "find"], { path });
  return (
    <div className="stack-wide">
      <PageHeader
        title={pages.data?.[0]?.title || `/${path}`}
        of={site.name}
        description={<span className="mono">/{path}</span>}
        actions={
          <ButtonLink to={find} icon="search">
            Why is it found, or not?
          </ButtonLink>
        }
      />
      <Loaded of={pages} shape="cards" label="Reading the page" />
      {pages.state === "ready" && pages.data.length === 0 && (
        <Empty
          icon="page"
          title="The index has no such page"
          text="It may have been removed, or left out by its source."
          action={<Link to={sitePath(site, "content", "pages")}>All pages</Link>}
        />
      )}
      {pages.data?.map((page) => (
        <OnePage key={[page.version, page.language, page.source].join("\0")} site={site} page={page} />
      ))}
    </div>
  );
}

function OnePage({ site, page }: { site: SiteView; page: IndexedPage }) {
  const { hidden, content, source, location, updatedAt, description, tags, groups } = page;
  return (
    <section className="stack" aria-label={[page.title, ...marksOf(page)].join(", ")}>
      <div className="row">
        {marksOf(page).map((mark) => (
          <Badge key={mark} tone="accent">
            {mark}
          </Badge>
        ))}
        {tags.map((tag) => (
          <Badge key={tag}>{tag}</Badge>
        ))}
        {groups.map((group) => (
          <Badge key={group} tone="quiet">
            for {audienceWords([group])}
          </Badge>
        ))}
        <span className="quiet small wrap-anywhere">
          From{" "}
          <Link to={sitePath(site, "content", "sources", source)} className="wrap-anywhere">
            {location}
          </Link>
          , changed <Time at={updatedAt} />, {counted(content.length, "passage")}
        </span>
      </div>
      {description && <p className="quiet">{description}</p>}
      {hidden && (
        <Notice tone="warn">
          Its front matter asks that search does not show it: it can be opened, and is never found or cited.
        </Notice>
      )}
      {content.length === 0 && !hidden && (
        <Notice tone="warn">It has no words, so there is nothing to find.</Notice>
      )}
      {content.map((passage) => (
        <Passage key={`${passage.anchor}\0${passage.markdown}`} passage={passage} />
      ))}
    </section>
  );
}

function Passage({ passage }: { passage: IndexedPage["content"][number] }) {
  const { headings, anchor, markdown, tokens, hasVector } = passage;
  return (
    <Card>
      <div className="stack">
        <div className="row-apart">
          <h2 className="content-passage-title">{headings.join(" › ") || "Before the first heading"}</h2>
          <span className="quiet small">
            {anchor !== "" && <span className="mono">#{anchor} · </span>}
            about {formatNumber(tokens)} tokens
            {!hasVector && " · found by words alone"}
          </span>
        </div>
        <pre className="content-markdown">{markdown}</pre>
      </div>
    </Card>
  );
}
