import type { adminKeyShape, newAdminKeyShape } from "@docent/doors/admin/shapes";
import { useState } from "react";
import type { z } from "zod";
import { useApi } from "../../api.ts";
import { faultOf, isToldBeside } from "../../api-error.ts";
import { Button } from "../../kit/buttons/button.tsx";
import { Failed } from "../../kit/feedback/failed.tsx";
import { Loaded } from "../../kit/feedback/loaded.tsx";
import { Field } from "../../kit/form/field.tsx";
import { Select } from "../../kit/form/select.tsx";
import { Switch } from "../../kit/form/switch.tsx";
import { TextInput } from "../../kit/form/text-input.tsx";
import { Dialog, FormActions } from "../../kit/overlay/dialog.tsx";
import { ShownOnceDialog } from "../../kit/overlay/shown-once-dialog.tsx";
import { type Column, Table } from "../../kit/table/table.tsx";
import { useSession } from "../../session-context.ts";
import { useResource } from "../../use-resource.ts";
import { useSubmit } from "../../use-submit.ts";
import {
  EXPIRIES,
  type Expiry,
  expiresDaysOf,
  revokeColumn,
  STATE_COLUMN,
  TIME_COLUMNS,
  useRevoke,
} from "./any-key.tsx";

const PATH = "/v1/admin/admin-keys";

type AdminKey = z.output<typeof adminKeyShape>;

/** The keys of programs that manage sites: for those to whom the server belongs. */
export function AdminKeysCard() {
  const keys = useResource<AdminKey[]>(PATH);
  const [isCreating, setIsCreating] = useState(false);
  const [created, setCreated] = useState<NewAdminKey>();

  return (
    <section className="stack" aria-labelledby="admin-keys">
      <div className="row-apart">
        <div>
          <h2 className="keys-title" id="admin-keys">
            Admin keys
          </h2>
          <p className="keys-about">
            They open the admin API for programs, on this site and others. Each is shown once, when it is
            made: keep it as you keep a password.
          </p>
        </div>
        <Button icon="add" onClick={() => setIsCreating(true)}>
          Make an admin key
        </Button>
      </div>
      <Loaded of={keys} label="Loading the admin keys" shape="rows" lines={2} />
      {keys.data?.length === 0 && <p className="quiet">There are none.</p>}
      {keys.data && keys.data.length > 0 && <AdminKeysTable keys={keys.data} reload={keys.reload} />}
      {isCreating && (
        <CreateAdminKeyDialog
          onClose={() => setIsCreating(false)}
          onCreated={(key) => {
            setIsCreating(false);
            setCreated(key);
            void keys.reload();
          }}
        />
      )}
      {created && (
        <NewKeyDialog name={created.name} text={created.key} onClose={() => setCreated(undefined)} />
      )}
    </section>
  );
}

interface AdminKeysTableProps {
  keys: AdminKey[];
  reload: () => Promise<void>;
}

function AdminKeysTable({ keys, reload }: AdminKeysTableProps) {
  const { organizations } = useSession();
  const revoke = useRevoke(PATH, () => "Programs that use it are refused at once.", reload);
  const nameOf = (organizationId: string) =>
    organizations.find(({ id }) => id === organizationId)?.name ?? organizationId;
  const columns: Column<AdminKey>[] = [
    { title: "Name", cell: ({ name }) => name },
    STATE_COLUMN,
    {
      title: "Opens",
      cell: ({ organizationId }) => (organizationId === null ? "the whole server" : nameOf(organizationId)),
    },
    { title: "May", cell: ({ mayWrite }) => (mayWrite ? "change things" : "only read") },
    ...TIME_COLUMNS,
    revokeColumn(revoke),
  ];
  return <Table label="Admin keys" rows={keys} columns={columns} keyOf={({ id }) => id} />;
}

interface NewKeyDialogProps {
  name: string;
  text: string;
  onClose: () => void;
}

/** Shows an admin key, this once. */
function NewKeyDialog({ name, text, onClose }: NewKeyDialogProps) {
  return (
    <ShownOnceDialog title={`${name} is made`} what="key" label="Admin key" text={text} onClose={onClose}>
      Programs send it in the header Authorization: Bearer …
    </ShownOnceDialog>
  );
}

/** An admin key with its text, which is told once. */
type NewAdminKey = z.output<typeof newAdminKeyShape>;

const WHOLE_SERVER = "";

interface CreateAdminKeyDialogProps {
  onClose: () => void;
  onCreated: (key: NewAdminKey) => void;
}

/** Makes an admin key: for one organization unless more is chosen, and to read unless it may do more. */
function CreateAdminKeyDialog({ onClose, onCreated }: CreateAdminKeyDialogProps) {
  const api = useApi();
  const { organizations } = useSession();
  const [name, setName] = useState("");
  const [organization, setOrganization] = useState(organizations[0]?.id ?? WHOLE_SERVER);
  const [write, setWrite] = useState(false);
  const [expiry, setExpiry] = useState<Expiry>("90");
  const { onSubmit, isBusy, error } = useSubmit(async () => {
    const opens = organization === WHOLE_SERVER ? { server: true } : { organization };
    const body = { name, ...opens, write, ...expiresDaysOf(expiry) };
    onCreated(await api.post<NewAdminKey>("/v1/admin/admin-keys", body));
  });
  return (
    <Dialog title="Make an admin key" isOpen onClose={onClose}>
      <form className="form" onSubmit={onSubmit}>
        {error && !isToldBeside(error, ["name"]) && <Failed error={error} />}
        <Field label="Name" hint="What uses it, such as Nightly reports." error={faultOf(error, "name")}>
          <TextInput value={name} onChange={setName} maxLength={200} data-autofocus required />
        </Field>
        <Field
          label="Opens"
          hint={
            organization === WHOLE_SERVER
              ? "Every organization, other admin keys, members and backups."
              : undefined
          }
        >
          <Select
            value={organization}
            onChange={setOrganization}
            options={[
              ...organizations.map(({ id, name: label }) => ({ value: id, label })),
              { value: WHOLE_SERVER, label: "The whole server" },
            ]}
          />
        </Field>
        <Switch
          label="It may change things"
          hint="Otherwise it only reads."
          checked={write}
          onChange={setWrite}
        />
        <Field label="Ends">
          <Select value={expiry} onChange={setExpiry} options={EXPIRIES} />
        </Field>
        <FormActions onCancel={onClose} isBusy={isBusy}>
          Make the key
        </FormActions>
      </form>
    </Dialog>
  );
}
