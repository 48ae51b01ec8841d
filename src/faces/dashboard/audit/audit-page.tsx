import "./audit.css";
import { useMemo } from "react";
import { type ApiQuery, withQuery } from "../api.ts";
import { Button } from "../kit/buttons/button.tsx";
import { Empty } from "../kit/feedback/empty.tsx";
import { Failed } from "../kit/feedback/failed.tsx";
import { Loading } from "../kit/feedback/loading.tsx";
import { Field } from "../kit/form/field.tsx";
import { type Option, Select } from "../kit/form/select.tsx";
import { PageHeader } from "../kit/layout/page-header.tsx";
import { MoreButton } from "../kit/table/more-button.tsx";
import { type Column, Table } from "../kit/table/table.tsx";
import { Badge } from "../kit/text/badge.tsx";
import { Time } from "../kit/text/time.tsx";
import { beginOf, periodIn } from "../period.ts";
import { type AuditEntry, type AuditList, entriesOf } from "../replies.ts";
import { navigate, useRoute } from "../router.ts";
import { usePartList } from "../use-paged-list.ts";
import { useResource } from "../use-resource.ts";
import { actorWords, deedWords, detailWords, KIND_GROUPS, UNNAMED } from "./audit-words.ts";

const PART = 50;
const PERIODS: readonly Option[] = [
  { value: "", label: "Any time" },
  { value: "7", label: "Last 7 days" },
  { value: "30", label: "Last 30 days" },
  { value: "90", label: "Last 90 days" },
];

/** `/audit`: who signed in, and who changed what. */
export function AuditPage() {
  const { query } = useRoute();
  const { about, actor, days } = narrowingIn(query);
  // Another moment would be another list: it is the one in which the address was arrived at.
  const asked = useMemo(() => apiQuery({ about, actor, days }, new Date()), [about, actor, days]);
  const list = usePartList<AuditList, AuditEntry>(
    withQuery("/v1/admin/audit", { ...asked, limit: PART }),
    entriesOf,
  );
  const narrow = (change: Partial<AuditNarrowing>) =>
    navigate(addressOf({ about, actor, days, ...change }), { replace: true });
  const isEmpty = list.state === "ready" && list.entries.length === 0;
  return (
    <div className="stack-wide">
      <PageHeader
        title="Audit log"
        description="Who signed in, and who changed what. Nobody can change an entry."
      />
      <div className="audit-filters">
        <Field label="About" isLabelHidden>
          <Select value={about} options={KIND_GROUPS} onChange={(next) => narrow({ about: next })} />
        </Field>
        <ActorField actor={actor} entries={list.entries} onChange={(next) => narrow({ actor: next })} />
        <Field label="When" isLabelHidden>
          <Select value={days} options={PERIODS} onChange={(next) => narrow({ days: next })} />
        </Field>
      </div>
      {list.state === "loading" && <Loading shape="rows" lines={6} label="Reading the audit log" />}
      {list.error && <Failed error={list.error} retry={list.retry} />}
      {list.entries.length > 0 && (
        <AuditTable entries={list.entries} onChoose={(next) => narrow({ actor: next })} />
      )}
      {isEmpty && list.hasMore && (
        <p className="quiet" role="status">
          Nothing among the newest entries. Older ones have not been looked at yet.
        </p>
      )}
      {isEmpty && !list.hasMore && (
        <Empty
          icon="search"
          title="No such entry"
          text="Nothing that was done fits all of what you look for."
          action={<Button onClick={() => narrow({ about: "", actor: "", days: "" })}>Show all</Button>}
        />
      )}
      <MoreButton list={list} />
    </div>
  );
}

interface ActorFieldProps {
  actor: string;
  entries: readonly AuditEntry[];
  onChange: (actor: string) => void;
}

/** Whose entries are shown: a member's, or those of whoever is in the list, as a key or a member who is gone. */
function ActorField({ actor, entries, onChange }: ActorFieldProps) {
  const members = useResource<{ id: string; name: string }[]>("/v1/admin/members");
  const names = new Map<string, string>(Object.entries(UNNAMED));
  for (const { id, name } of members.data ?? []) names.set(id, name);
  for (const { actor: each } of entries) if (each.id !== null) names.set(each.id, actorWords(each));
  if (actor !== "" && !names.has(actor)) names.set(actor, actor);
  const options = [...names].map(([value, label]) => ({ value, label }));
  return (
    <Field label="Who" isLabelHidden>
      <Select value={actor} options={[{ value: "", label: "Anyone" }, ...options]} onChange={onChange} />
    </Field>
  );
}

interface AuditTableProps {
  entries: readonly AuditEntry[];
  /** Shows what one did alone. */
  onChoose: (actor: string) => void;
}

/** What was done, the newest first. */
function AuditTable({ entries, onChoose }: AuditTableProps) {
  const columns: Column<AuditEntry>[] = [
    { title: "When", cell: ({ at }) => <Time at={at} isWhole />, isNarrow: true },
    {
      title: "Who",
      cell: ({ actor }) => (
        <span className="row">
          <button type="button" className="audit-actor" onClick={() => onChoose(actor.id ?? actor.kind)}>
            {actorWords(actor)}
          </button>
          {actor.kind === "admin-key" && <Badge>Key</Badge>}
        </span>
      ),
    },
    { title: "What", cell: (entry) => <Deed entry={entry} /> },
    { title: "Site", cell: ({ site }) => site ?? <span className="quiet">–</span>, isNarrow: true },
  ];
  return <Table label="Audit log" rows={entries} columns={columns} keyOf={({ id }) => id} />;
}

function Deed({ entry }: { entry: AuditEntry }) {
  const { actor, subject, details } = entry;
  const isOwn = actor.id !== null && actor.id === subject.id;
  const name = isOwn ? undefined : (subject.name ?? undefined);
  const besides = detailWords(details);
  return (
    <span className="audit-deed">
      <span>
        {deedWords(entry)}
        {name !== undefined && <strong className="audit-subject">{name}</strong>}
      </span>
      {besides !== "" && <span className="quiet">{besides}</span>}
    </span>
  );
}

/** The filters that an address of the log has. */
interface AuditNarrowing {
  about: string;
  actor: string;
  days: string;
}

/** Reads the filters from an address; a value that is not known filters nothing. */
export function narrowingIn(query: URLSearchParams): AuditNarrowing {
  const about = query.get("about") ?? "";
  return {
    about: KIND_GROUPS.some(({ value }) => value === about) ? about : "",
    actor: (query.get("actor") ?? "").slice(0, 100),
    days: String(periodIn(query) ?? ""),
  };
}

/** The page's address with those filters. */
export function addressOf({ about, actor, days }: AuditNarrowing): string {
  const given = new URLSearchParams(
    Object.entries({ about, actor, days }).filter(([, value]) => value !== ""),
  );
  return given.size === 0 ? "/audit" : `/audit?${given}`;
}

/** The query that the server is asked. */
export function apiQuery({ about, actor, days }: AuditNarrowing, now: Date): ApiQuery {
  const period = periodIn(new URLSearchParams({ days }));
  return {
    kind: KIND_GROUPS.find(({ value }) => value === about)?.kinds.join(","),
    actor,
    dateFrom: period === undefined ? undefined : beginOf(period, now),
  };
}
