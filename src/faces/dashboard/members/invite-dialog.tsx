import { useState } from "react";
import { useApi } from "../api.ts";
import { faultOf } from "../api-error.ts";
import { Failed } from "../kit/feedback/failed.tsx";
import { Field } from "../kit/form/field.tsx";
import { Select } from "../kit/form/select.tsx";
import { Switch } from "../kit/form/switch.tsx";
import { TextInput } from "../kit/form/text-input.tsx";
import { Dialog, FormActions } from "../kit/overlay/dialog.tsx";
import { type Role, useSession } from "../session.ts";
import { useSubmit } from "../use-submit.ts";
import { type NewMember, ownedOrganizations } from "./member-view.ts";

interface InviteDialogProps {
  onClose: () => void;
  onInvited: (invited: NewMember) => void;
}

/** Adds a member. The link that they come in by is shown next. */
export function InviteDialog({ onClose, onInvited }: InviteDialogProps) {
  const api = useApi();
  const session = useSession();
  const organizations = ownedOrganizations(session);
  const [name, setName] = useState("");
  const [organization, setOrganization] = useState(organizations[0]?.id ?? "");
  const [role, setRole] = useState<Role>("viewer");
  const [isServerOwner, setIsServerOwner] = useState(organizations.length === 0);
  const { onSubmit, isBusy, error } = useSubmit(async () => {
    const belonging = isServerOwner ? { serverOwner: true } : { organization, role };
    onInvited(await api.post<NewMember>("/v1/admin/members", { name, ...belonging }));
  });
  const fault = faultOf(error, "name");
  return (
    <Dialog title="Invite someone" isOpen onClose={onClose}>
      <form className="form" onSubmit={onSubmit}>
        {error && !fault && <Failed error={error} />}
        <Field label="Name" hint="They sign in with it: a name or an e-mail address." error={fault}>
          <TextInput
            value={name}
            onChange={setName}
            autoComplete="off"
            maxLength={100}
            data-autofocus
            required
          />
        </Field>
        {!isServerOwner && organizations.length > 1 && (
          <Field label="Organization">
            <Select
              value={organization}
              options={organizations.map(({ id, name: label }) => ({ value: id, label }))}
              onChange={setOrganization}
            />
          </Field>
        )}
        {!isServerOwner && <RoleField role={role} onChange={setRole} />}
        {session.member.isServerOwner && (
          <Switch
            label="Owns the server"
            hint="Manages every organization, its members, and backups."
            checked={isServerOwner}
            disabled={organizations.length === 0}
            onChange={setIsServerOwner}
          />
        )}
        <FormActions onCancel={onClose} isBusy={isBusy}>
          Make the invitation
        </FormActions>
      </form>
    </Dialog>
  );
}

function RoleField({ role, onChange }: { role: Role; onChange: (role: Role) => void }) {
  return (
    <Field
      label="Role"
      hint={
        role === "viewer"
          ? "Sees sites, conversations and gaps. Changes nothing."
          : "Changes sites, their docs, keys and members."
      }
    >
      <Select
        value={role}
        options={[
          { value: "viewer", label: "Viewer" },
          { value: "owner", label: "Owner" },
        ]}
        onChange={onChange}
      />
    </Field>
  );
}
