import "./keys.css";
import { useState } from "react";
import { useApi } from "../../api.ts";
import { faultOf, isToldBeside } from "../../api-error.ts";
import { Button } from "../../kit/buttons/button.tsx";
import { Copy } from "../../kit/buttons/copy.tsx";
import { Empty } from "../../kit/feedback/empty.tsx";
import { Failed } from "../../kit/feedback/failed.tsx";
import { Loaded } from "../../kit/feedback/loaded.tsx";
import { Field } from "../../kit/form/field.tsx";
import { Select } from "../../kit/form/select.tsx";
import { TextInput } from "../../kit/form/text-input.tsx";
import { TextList } from "../../kit/form/text-list.tsx";
import { Dialog, FormActions } from "../../kit/overlay/dialog.tsx";
import { useToast } from "../../kit/overlay/toast.tsx";
import { type Column, Table } from "../../kit/table/table.tsx";
import { useSession } from "../../session-context.ts";
import { type AssistantKey, keysOf, useKeys } from "../../site-keys.ts";
import type { SiteView } from "../../site-view.ts";
import { filledLines } from "../../text.ts";
import { useSubmit } from "../../use-submit.ts";
import { SettingsHeader } from "../settings-header.tsx";
import { AdminKeysCard } from "./admin-keys-card.tsx";
import {
  EXPIRIES,
  type Expiry,
  expiresDaysOf,
  revokeColumn,
  STATE_COLUMN,
  TIME_COLUMNS,
  useRevoke,
} from "./any-key.tsx";

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

const FIELDS = ["name", "addresses", "expiresDays"];
const ADDRESSES_MAX = 100;

interface CreateKeyDialogProps {
  site: SiteView;
  onClose: () => void;
  onCreated: () => void;
}

/** Makes an assistant key, for the site or for all of its organization. */
function CreateKeyDialog({ site, onClose, onCreated }: CreateKeyDialogProps) {
  const api = useApi();
  const toast = useToast();
  const [name, setName] = useState("");
  const [opens, setOpens] = useState<"site" | "all">("site");
  const [expiry, setExpiry] = useState<Expiry>("never");
  const [addresses, setAddresses] = useState<string[]>([]);
  const { onSubmit, isBusy, error } = useSubmit(async () => {
    await api.post("/v1/admin/keys", {
      ...(name.trim() === "" ? {} : { name: name.trim() }),
      organization: site.organizationId,
      ...(opens === "site" ? { sites: [site.domain] } : {}),
      ...expiresDaysOf(expiry),
      ...(filledLines(addresses).length === 0 ? {} : { addresses: filledLines(addresses) }),
    });
    toast("The key is made.");
    onCreated();
  });
  return (
    <Dialog title="Make an assistant key" isOpen onClose={onClose}>
      <form className="form" onSubmit={onSubmit}>
        {error && !isToldBeside(error, FIELDS) && <Failed error={error} />}
        <Field
          label="Name"
          hint="Where it is used, such as Docs widget."
          isOptional
          error={faultOf(error, "name")}
        >
          <TextInput value={name} onChange={setName} maxLength={200} data-autofocus />
        </Field>
        <Field label="Opens">
          <Select
            value={opens}
            onChange={setOpens}
            options={[
              { value: "site", label: `${site.name} alone` },
              { value: "all", label: `Every site of ${site.organizationName}, those to come included` },
            ]}
          />
        </Field>
        <Field label="Ends" error={faultOf(error, "expiresDays")}>
          <Select value={expiry} onChange={setExpiry} options={EXPIRIES} />
        </Field>
        <AddressesFields addresses={addresses} onChange={setAddresses} error={faultOf(error, "addresses")} />
        <FormActions onCancel={onClose} isBusy={isBusy}>
          Make the key
        </FormActions>
      </form>
    </Dialog>
  );
}

interface AddressesFieldsProps {
  addresses: string[];
  onChange: (addresses: string[]) => void;
  error: string | undefined;
}

function AddressesFields({ addresses, onChange, error }: AddressesFieldsProps) {
  return (
    <details className="more">
      <summary>Only from some addresses</summary>
      <TextList
        label="Addresses"
        hint="Readers' own addresses or networks, such as 10.0.0.0/8. Without any, it works from anywhere."
        one="address"
        texts={addresses}
        onChange={onChange}
        max={ADDRESSES_MAX}
        placeholder="10.0.0.0/8"
        error={error}
        isMono
      />
    </details>
  );
}
