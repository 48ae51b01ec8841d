import { Button } from "../../kit/buttons/button.tsx";
import { Copy } from "../../kit/buttons/copy.tsx";
import { type Column, Table } from "../../kit/table/table.tsx";
import { Badge, type Tone } from "../../kit/text/badge.tsx";
import { Time } from "../../kit/text/time.tsx";
import type { AssistantKey } from "../../site-keys.ts";

const STATES: Record<AssistantKey["state"], { text: string; tone: Tone }> = {
  active: { text: "Works", tone: "good" },
  expired: { text: "Expired", tone: "warn" },
  revoked: { text: "Revoked", tone: "quiet" },
};

/** Whether a key works. */
export function KeyState({ state }: Pick<AssistantKey, "state">) {
  const { text, tone } = STATES[state];
  return <Badge tone={tone}>{text}</Badge>;
}

interface KeysTableProps {
  keys: readonly AssistantKey[];
  mayChange: boolean;
  onRevoke: (key: AssistantKey) => Promise<void>;
}

/** The keys of a site, those that work first. */
export function KeysTable({ keys, mayChange, onRevoke }: KeysTableProps) {
  const columns: Column<AssistantKey>[] = [
    { title: "Name", cell: (key) => <KeyName apiKey={key} /> },
    { title: "State", cell: ({ state }) => <KeyState state={state} />, isNarrow: true },
    { title: "Opens", cell: ({ sites }) => sites?.join(", ") ?? "every site of the organization" },
    { title: "From", cell: ({ addresses }) => (addresses.length === 0 ? "anywhere" : addresses.join(", ")) },
    { title: "Last used", cell: ({ lastUsedAt }) => <Time at={lastUsedAt} />, isNarrow: true },
    { title: "Ends", cell: ({ expiresAt }) => <Time at={expiresAt} />, isNarrow: true },
  ];
  if (mayChange)
    columns.push({
      title: "Actions",
      isTitleHidden: true,
      align: "end",
      isNarrow: true,
      cell: (key) =>
        key.state !== "revoked" && (
          <Button
            size="small"
            kind="quiet"
            onClick={() => void onRevoke(key)}
            aria-label={`Revoke ${key.name}`}
          >
            Revoke
          </Button>
        ),
    });
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
