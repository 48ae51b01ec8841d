import { useState } from "react";
import { Button } from "../kit/buttons/button.tsx";
import { Loaded } from "../kit/feedback/loaded.tsx";
import { PageHeader } from "../kit/layout/page-header.tsx";
import { useSession } from "../session.ts";
import { useResource } from "../use-resource.ts";
import { InviteDialog } from "./invite-dialog.tsx";
import { LinkDialog, type ShownLink } from "./link-dialog.tsx";
import { type MemberView, ownedOrganizations } from "./member-view.ts";
import { MembersTable } from "./members-table.tsx";
import { RolesDialog } from "./roles-dialog.tsx";
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
