import "./keys.css";
import { useState } from "react";
import { Button } from "../../kit/buttons/button.tsx";
import { Copy } from "../../kit/buttons/copy.tsx";
import { Empty } from "../../kit/feedback/empty.tsx";
import { Loaded } from "../../kit/feedback/loaded.tsx";
import { type Column, Table } from "../../kit/table/table.tsx";
import { useSession } from "../../session.ts";
import { type AssistantKey, keysOf, useKeys } from "../../site-keys.ts";
import type { SiteView } from "../../site-view.ts";
import { SettingsHeader } from "../settings-header.tsx";
import { AdminKeysCard } from "./admin-keys-card.tsx";
import { revokeColumn, STATE_COLUMN, TIME_COLUMNS, useRevoke } from "./any-key.tsx";
import { CreateKeyDialog } from "./create-key-dialog.tsx";

/** `/…/settings/keys`: the keys that open the site's assistant; and for owners of the server those that open the API. */
export function KeysPage({ site }: { site: SiteView }) {
  const { member } = useSession();
  const keys = useKeys();
  const [isCreating, setIsCreating] = useState(false);
  const revoke = useRevoke("/v1/admin/keys", lossOf, keys.reload);
  const own = keys.data && keysOf(keys.data, site);
  const create = site.mayChange && (
    <Button kind="primary" icon="add" onClick={() => setIsCreating(true)}>
      Make a key
    </Button>
  );
  return (
    <>
      <div className="stack-wide">
        <SettingsHeader site={site} tab="keys" />
        <section className="stack" aria-labelledby="assistant-keys">
          <div className="row-apart">
            <div>
              <h2 className="keys-title" id="assistant-keys">
                Assistant keys
              </h2>
              <p className="keys-about">
                They open this site's assistant, search and pages, and nothing else. They are made to stand in
                a page's source, where anyone can read them.
              </p>
            </div>
            {own && own.length > 0 && create}
          </div>
          <Loaded of={keys} label="Loading the keys" shape="rows" lines={3} />
          {own?.length === 0 && (
            <Empty
              icon="key"
              title="No key opens this site yet"
              text="The widget, search and API clients need one."
              action={create}
            />
          )}
          {own && own.length > 0 && <KeysTable keys={own} mayChange={site.mayChange} onRevoke={revoke} />}
        </section>
        {member.isServerOwner && <AdminKeysCard />}
      </div>
      {isCreating && (
        <CreateKeyDialog
          site={site}
          onClose={() => setIsCreating(false)}
          onCreated={() => {
            setIsCreating(false);
            void keys.reload();
          }}
        />
      )}
    </>
  );
}

const lossOf = ({ sites }: AssistantKey) =>
  `Pages that have this key in their snippet lose the assistant at once${sites === null ? ", on every site of the organization" : ""}.`;

interface KeysTableProps {
  keys: readonly AssistantKey[];
  mayChange: boolean;
  onRevoke: (key: AssistantKey) => Promise<void>;
}

/** The keys of a site, those that work first. */
function KeysTable({ keys, mayChange, onRevoke }: KeysTableProps) {
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
