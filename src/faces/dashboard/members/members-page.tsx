import { useState } from "react";
import { useApi } from "../api.ts";
import { faultOf } from "../api-error.ts";
import { Button } from "../kit/buttons/button.tsx";
import { Failed } from "../kit/feedback/failed.tsx";
import { Loaded } from "../kit/feedback/loaded.tsx";
import { Field } from "../kit/form/field.tsx";
import { type Option, Select } from "../kit/form/select.tsx";
import { Switch } from "../kit/form/switch.tsx";
import { TextInput } from "../kit/form/text-input.tsx";
import { PageHeader } from "../kit/layout/page-header.tsx";
import { Dialog, FormActions } from "../kit/overlay/dialog.tsx";
import { type Role, useSession } from "../session-context.ts";
import { useResource } from "../use-resource.ts";
import { useSubmit } from "../use-submit.ts";
import { LinkDialog, type ShownLink } from "./link-dialog.tsx";
import { type MemberView, type NewMember, ownedOrganizations } from "./member-view.ts";
import { MembersTable } from "./members-table.tsx";
import { useMemberActions } from "./use-member-actions.tsx";

/** `/members`: who may sign in, and what they may do. */
export function MembersPage() {
  const session = useSession();
  const members = useResource<MemberView[]>("/v1/admin/members");
  const [isInviting, setIsInviting] = useState(false);
  const [changingId, setChangingId] = useState<string>();
  const [link, setLink] = useState<ShownLink>();
  const actions = useMemberActions({ reload: members.reload, showLink: setLink });
  const mayInvite = session.member.isServerOwner || ownedOrganizations(session).length > 0;
  const changing = members.data?.find(({ id }) => id === changingId);
  return (
    <>
      <PageHeader
        title="Members"
        description="People who sign in here. Owners can change things; viewers can only look."
        actions={
          mayInvite && (
            <Button kind="primary" icon="add" onClick={() => setIsInviting(true)}>
              Invite someone
            </Button>
          )
        }
      />
      <Loaded of={members} label="Loading the members" shape="rows" lines={3}>
        {(list) => (
          <MembersTable
            members={list}
            session={session}
            onChangeRoles={({ id }) => setChangingId(id)}
            onMakeLink={actions.makeLink}
            onRemove={actions.remove}
          />
        )}
      </Loaded>
      {isInviting && (
        <InviteDialog
          onClose={() => setIsInviting(false)}
          onInvited={({ member, link: text, expiresAt }) => {
            setIsInviting(false);
            setLink({ name: member.name, link: text, expiresAt, isInvitation: true });
            void members.reload();
          }}
        />
      )}
      {changing && (
        <RolesDialog
          member={changing}
          onSetRole={actions.setRole}
          onSetServerOwner={actions.setServerOwner}
          onClose={() => setChangingId(undefined)}
        />
      )}
      {link && <LinkDialog {...link} onClose={() => setLink(undefined)} />}
    </>
  );
}

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
function RolesDialog({ member, onSetRole, onSetServerOwner, onClose }: RolesDialogProps) {
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

interface InviteDialogProps {
  onClose: () => void;
  onInvited: (invited: NewMember) => void;
}

/** Adds a member. The link that they come in by is shown next. */
function InviteDialog({ onClose, onInvited }: InviteDialogProps) {
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
