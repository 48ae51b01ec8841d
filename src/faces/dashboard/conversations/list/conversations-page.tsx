import { useMemo } from "react";
import { withQuery } from "../../api.ts";
import { Button, buttonClass } from "../../kit/buttons/button.tsx";
import { ButtonLink } from "../../kit/buttons/button-link.tsx";
import { Empty } from "../../kit/feedback/empty.tsx";
import { Failed } from "../../kit/feedback/failed.tsx";
import { Loading } from "../../kit/feedback/loading.tsx";
import { MoreButton } from "../../kit/table/more-button.tsx";
import { Time } from "../../kit/text/time.tsx";
import { type ConversationList, siteAnalytics } from "../../replies.ts";
import { hrefOf, navigate, useRoute } from "../../router.ts";
import { type SiteView, sitePath } from "../../site-view.ts";
import { usePartList } from "../../use-paged-list.ts";
import { ConversationsHeader } from "../conversations-header.tsx";
import { Filters } from "./filters.tsx";
import { apiQuery, isNarrowed, type ListNarrowing, narrowingIn, pageQuery } from "./query.ts";
import { TurnList } from "./turn-list.tsx";
import "../conversations.css";
import { Icon } from "../../kit/icons/icon.tsx";

const PART = 50;
/** Keeps each part of the list whole: beside its turns, it tells how far back was searched. */
const partOf = (reply: ConversationList): ConversationList[] => [reply];

/** What readers asked, with what narrows it. */
export function ConversationsPage({ site }: { site: SiteView }) {
  const { query } = useRoute();
  const narrowing = narrowingIn(query);
  const { shown, caller, days, text } = narrowing;
  // Another moment would be another list: it is the one in which the address was arrived at.
  const asked = useMemo(
    () => apiQuery({ shown, caller, days, text }, new Date()),
    [shown, caller, days, text],
  );
  const path = withQuery(`${siteAnalytics(site.domain)}/conversations`, { ...asked, limit: PART });
  const list = usePartList<ConversationList, ConversationList>(path, partOf);
  const turns = list.entries.flatMap(({ conversations }) => conversations);
  const lookedBackTo = list.entries.at(-1)?.lookedBackTo ?? null;
  const narrow = (next: ListNarrowing) => {
    const given = new URLSearchParams(Object.entries(pageQuery(next)).filter(([, value]) => value !== ""));
    navigate(`${sitePath(site, "conversations")}${given.size === 0 ? "" : `?${given}`}`, { replace: true });
  };
  const dateFrom = asked["dateFrom"] === undefined ? undefined : String(asked["dateFrom"]);
  const isEmpty = list.state === "ready" && turns.length === 0;

  return (
    <div className="stack-wide">
      <ConversationsHeader
        site={site}
        view="conversations"
        actions={<ExportLinks site={site} dateFrom={dateFrom} />}
      />
      <Filters narrowing={narrowing} onChange={narrow} />
      {list.state === "loading" && <Loading shape="rows" lines={6} label="Reading the conversations" />}
      {list.error && <Failed error={list.error} retry={list.retry} />}
      {turns.length > 0 && <TurnList site={site} turns={turns} />}
      {isEmpty && list.hasMore && (
        <p className="quiet" role="status">
          Nothing since <Time at={lookedBackTo} isWhole />. Older conversations have not been looked at yet.
        </p>
      )}
      {isEmpty && !list.hasMore && !isNarrowed(narrowing) && <NobodyAsked site={site} />}
      {isEmpty && !list.hasMore && isNarrowed(narrowing) && (
        <Empty
          icon="search"
          title="No such conversation"
          text="Nothing that was asked fits all of what you look for."
          action={
            <Button onClick={() => narrow({ shown: "all", caller: "", days: "", text: "" })}>Show all</Button>
          }
        />
      )}
      <MoreButton list={list} />
    </div>
  );
}

function NobodyAsked({ site }: { site: SiteView }) {
  return (
    <Empty
      icon="chat"
      title="Nobody has asked anything yet"
      text="Every question to this site shows up here with its answer, the passages behind it, and what its reader said."
      action={
        <ButtonLink kind="primary" icon="play" to={sitePath(site, "playground")}>
          Ask in the playground
        </ButtonLink>
      }
    />
  );
}

const FORMATS = [
  { format: "csv", label: "Export CSV", says: "Download all conversations of this time as CSV" },
  { format: "jsonl", label: "JSON Lines", says: "Download all conversations of this time as JSON Lines" },
];

/** Links to files with all conversations of a period: the list's other filters do not apply to them. */
function ExportLinks({ site, dateFrom }: { site: SiteView; dateFrom: string | undefined }) {
  return (
    <>
      {FORMATS.map(({ format, label, says }) => (
        <a
          key={format}
          className={buttonClass("plain", "normal")}
          href={hrefOf(withQuery(`${siteAnalytics(site.domain)}/export`, { format, dateFrom }))}
          download
          title={says}
        >
          <Icon name="download" size={17} />
          {label}
        </a>
      ))}
    </>
  );
}
