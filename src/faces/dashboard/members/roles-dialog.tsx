import { useState } from "react";
import { Button } from "../kit/buttons/button.tsx";
import { Field } from "../kit/form/field.tsx";
import { type Option, Select } from "../kit/form/select.tsx";
import { Switch } from "../kit/form/switch.tsx";
import { Dialog } from "../kit/overlay/dialog.tsx";
import { type Role, useSession } from "../session.ts";
import { type MemberView, ownedOrganizations } from "./member-view.ts";

interface RolesDialogProps {
  member: MemberView;
  onSetRole: (
    member: MemberView,
    organization: { id: string; name: string },
    role: Role | null,
  ) => Promise<void>;
  onSetServerOwner: (member: MemberView, isServerOwner: boolean) => Promise<void>;
  onClose: () => void;
}

const CHOICES: readonly Option<Role | "none">[] = [
  { value: "none", label: "No access" },
  { value: "viewer", label: "Viewer: looks" },
  { value: "owner", label: "Owner: looks and changes" },
];

/** Gives and takes roles, each at once. */
export function RolesDialog({ member, onSetRole, onSetServerOwner, onClose }: RolesDialogProps) {
  const session = useSession();
  const [isBusy, setIsBusy] = useState(false);
  const run = async (change: Promise<void>) => {
    setIsBusy(true);
    await change;
    setIsBusy(false);
  };
  const roleIn = (organizationId: string) =>
    member.roles.find((each) => each.organizationId === organizationId)?.role ?? "none";
  return (
    <Dialog
      title={`What ${member.name} may do`}
      isOpen
      onClose={onClose}
      actions={
        <Button kind="primary" onClick={onClose}>
          Done
        </Button>
      }
    >
      {session.member.isServerOwner && (
        <Switch
          label="Owns the server"
          hint="Manages every organization, its members, and backups."
          checked={member.isServerOwner}
          disabled={isBusy}
          onChange={(checked) => void run(onSetServerOwner(member, checked))}
        />
      )}
      {member.isServerOwner ? (
        <p className="quiet">An owner of the server is an owner in every organization.</p>
      ) : (
        ownedOrganizations(session).map((organization) => (
          <Field key={organization.id} label={organization.name}>
            <Select
              value={roleIn(organization.id)}
              options={CHOICES}
              disabled={isBusy}
              onChange={(chosen) =>
                void run(onSetRole(member, organization, chosen === "none" ? null : chosen))
              }
            />
          </Field>
        ))
      )}
    </Dialog>
  );
}
