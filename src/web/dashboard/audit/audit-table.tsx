import { type Column, Table } from "../kit/table/table.tsx";
import { Badge } from "../kit/text/badge.tsx";
import { Time } from "../kit/text/time.tsx";
import type { AuditEntry } from "../replies.ts";
import { actorWords, deedWords, detailWords } from "./audit-words.ts";

interface AuditTableProps {
  entries: readonly AuditEntry[];
  /** Shows what one did alone. */
  onChoose: (actor: string) => void;
}

/** What was done, the newest first. */
export function AuditTable({ entries, onChoose }: AuditTableProps) {
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
