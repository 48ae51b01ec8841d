import type { newAdminKeyShape } from "@docent/doors/admin/shapes";
import { useState } from "react";
import type { z } from "zod";
import { useApi } from "../../api.ts";
import { faultOf, isToldBeside } from "../../api-error.ts";
import { Failed } from "../../kit/feedback/failed.tsx";
import { Field } from "../../kit/form/field.tsx";
import { Select } from "../../kit/form/select.tsx";
import { Switch } from "../../kit/form/switch.tsx";
import { TextInput } from "../../kit/form/text-input.tsx";
import { Dialog, FormActions } from "../../kit/overlay/dialog.tsx";
import { useSession } from "../../session.ts";
import { useSubmit } from "../../use-submit.ts";
import { EXPIRIES, type Expiry, expiresDaysOf } from "./expiries.ts";

/** An admin key with its text, which is told once. */
export type NewAdminKey = z.output<typeof newAdminKeyShape>;

const WHOLE_SERVER = "";

interface CreateAdminKeyDialogProps {
  onClose: () => void;
  onCreated: (key: NewAdminKey) => void;
}

/** Makes an admin key: for one organization unless more is chosen, and to read unless it may do more. */
export function CreateAdminKeyDialog({ onClose, onCreated }: CreateAdminKeyDialogProps) {
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
