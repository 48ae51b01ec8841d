import { useEffect, useState } from "react";
import { Empty } from "../../kit/feedback/empty.tsx";
import { Failed } from "../../kit/feedback/failed.tsx";
import { Loading } from "../../kit/feedback/loading.tsx";
import { Field } from "../../kit/form/field.tsx";
import { TextInput } from "../../kit/form/text-input.tsx";
import { marksOf } from "../../kit/runs/run-words.ts";
import { MoreButton } from "../../kit/table/more-button.tsx";
import { type Column, Table } from "../../kit/table/table.tsx";
import { Badge } from "../../kit/text/badge.tsx";
import { Time } from "../../kit/text/time.tsx";
import { type PageEntry, type PageList, siteOperations } from "../../replies.ts";
import { Link, navigate, useRoute } from "../../router.ts";
import { indexedPagePath, type SiteView, sitePath } from "../../site-view.ts";
import { usePartList } from "../../use-paged-list.ts";
import { ContentHeader } from "../content-header.tsx";

const TYPED_MS = 250;

/** Everything that the index holds, hidden pages too. */
export function PagesPage({ site }: { site: SiteView }) {
  const { query } = useRoute();
  const searched = query.get("query") ?? "";
  const [typed, setTyped] = useState(searched);
  useEffect(() => {
    if (typed.trim() === searched) return;
    const timer = setTimeout(() => {
      const given = typed.trim() === "" ? "" : `?${new URLSearchParams({ query: typed.trim() })}`;
      navigate(`${sitePath(site, "content", "pages")}${given}`, { replace: true });
    }, TYPED_MS);
    return () => clearTimeout(timer);
  }, [typed, searched, site]);
  const parameters = new URLSearchParams({ limit: "50", ...(searched === "" ? {} : { query: searched }) });
  const list = usePartList<PageList, PageEntry>(
    `${siteOperations(site.domain)}/pages?${parameters}`,
    ({ pages }) => pages,
  );

  return (
    <div className="stack-wide">
      <ContentHeader site={site} view="pages" />
      <Field label="Search pages" isLabelHidden>
        <TextInput type="search" value={typed} placeholder="Search in paths and titles" onChange={setTyped} />
      </Field>
      {list.state === "loading" && <Loading shape="rows" label="Reading the pages" />}
      {list.error && <Failed error={list.error} retry={list.retry} />}
      {list.state === "ready" &&
        (list.entries.length === 0 ? (
          <Nothing site={site} searched={searched} />
        ) : (
          <Table
            label="Pages"
            rows={list.entries}
            columns={columnsOf(site, list.entries)}
            keyOf={({ path, version, language, source }) => [path, version, language, source].join("\0")}
          />
        ))}
      <MoreButton list={list} />
    </div>
  );
}

function Nothing({ site, searched }: { site: SiteView; searched: string }) {
  return searched === "" ? (
    <Empty
      icon="page"
      title="No pages yet"
      text="They are here when a source has been read."
      action={<Link to={sitePath(site, "content")}>Go to the sources</Link>}
    />
  ) : (
    <Empty
      icon="search"
      title="No page is called that"
      text={
        <>
          No path and no title has “{searched}” in it. To look inside of pages, ask{" "}
          <Link to={sitePath(site, "content", "find")}>why something is found</Link>.
        </>
      }
    />
  );
}

function columnsOf(site: SiteView, pages: readonly PageEntry[]): Column<PageEntry>[] {
  const marks: Column<PageEntry> = { title: "Marks", cell: Marks };
  return [
    {
      title: "Page",
      cell: (page) => (
        <div className="place">
          <Link to={indexedPagePath(site, page.path)}>{page.title || page.path || "First page"}</Link>
          <span className="quiet small mono wrap-anywhere">/{page.path}</span>
        </div>
      ),
    },
    // Left out where no page has a version or a language.
    ...(pages.some(isMarked) ? [marks] : []),
    { title: "Passages", isNarrow: true, align: "end", cell: ({ passages }) => passages },
    { title: "Changed", isNarrow: true, cell: ({ updatedAt }) => <Time at={updatedAt} /> },
  ];
}

const isMarked = (page: PageEntry) => page.hidden || page.passages === 0 || marksOf(page).length > 0;

function Marks(page: PageEntry) {
  if (!isMarked(page)) return null;
  return (
    <span className="row">
      {page.hidden && <Badge tone="warn">Hidden</Badge>}
      {!page.hidden && page.passages === 0 && <Badge tone="warn">No words</Badge>}
      {marksOf(page).map((mark) => (
        <Badge key={mark}>{mark}</Badge>
      ))}
    </span>
  );
}
