import { Copy } from "../../kit/buttons/copy.tsx";
import { type Column, Table } from "../../kit/table/table.tsx";
import type { AssistantKey } from "../../site-keys.ts";
import { revokeColumn, STATE_COLUMN, TIME_COLUMNS } from "./any-key.tsx";

interface KeysTableProps {
  keys: readonly AssistantKey[];
  mayChange: boolean;
  onRevoke: (key: AssistantKey) => Promise<void>;
}

/** The keys of a site, those that work first. */
export function KeysTable({ keys, mayChange, onRevoke }: KeysTableProps) {
  const columns: Column<AssistantKey>[] = [
    { title: "Name", cell: (key) => <KeyName apiKey={key} /> },
    STATE_COLUMN,
    { title: "Opens", cell: ({ sites }) => sites?.join(", ") ?? "every site of the organization" },
    { title: "From", cell: ({ addresses }) => (addresses.length === 0 ? "anywhere" : addresses.join(", ")) },
    ...TIME_COLUMNS,
    ...(mayChange ? [revokeColumn(onRevoke)] : []),
  ];
  const sorted = keys.toSorted((one, other) => rank(one) - rank(other));
  return <Table label="Assistant keys" rows={sorted} columns={columns} keyOf={({ id }) => id} />;
}

function KeyName({ apiKey: { name, key, state } }: { apiKey: AssistantKey }) {
  return (
    <span className="key-name">
      <span>{name}</span>
      {state === "active" && (
        <span className="key-text">
          <code>{shortened(key)}</code>
          <Copy text={key} label={`Copy the key ${name}`} isIcon />
        </span>
      )}
    </span>
  );
}

const rank = ({ state }: AssistantKey) => ["active", "expired", "revoked"].indexOf(state);

const SHOWN_CHARACTERS = 16;
const shortened = (key: string) =>
  key.length > SHOWN_CHARACTERS + 4 ? `${key.slice(0, SHOWN_CHARACTERS)}…${key.slice(-4)}` : key;
