import { Menu } from "../kit/overlay/menu.tsx";
import { actionsColumn, type Column, Table } from "../kit/table/table.tsx";
import { Badge } from "../kit/text/badge.tsx";
import { Time } from "../kit/text/time.tsx";
import type { Session } from "../session.ts";
import { type MemberView, ownedOrganizations, ROLE_NAMES } from "./member-view.ts";

type Act = (member: MemberView) => void;

interface MembersTableProps {
  members: readonly MemberView[];
  session: Session;
  onChangeRoles: Act;
  onMakeLink: Act;
  onRemove: Act;
}

/** The members, with what may be done about each. */
export function MembersTable({ members, session, ...actions }: MembersTableProps) {
  return (
    <Table
      label="Members"
      rows={members}
      keyOf={({ id }) => id}
      columns={[
        {
          title: "Name",
          cell: ({ id, name, state }) => (
            <span className="row">
              {name}
              {id === session.member.id && <Badge>You</Badge>}
              {state === "invited" && <Badge tone="warn">Invited</Badge>}
            </span>
          ),
        },
        { title: "Role", cell: (member) => <Roles member={member} session={session} /> },
        {
          title: "Last seen",
          cell: ({ lastSeenAt, state }) => (
            <Time at={lastSeenAt} none={state === "invited" ? "not yet" : "never"} />
          ),
        },
        ...(ownedOrganizations(session).length > 0 || session.member.isServerOwner
          ? [actionColumn(session, actions)]
          : []),
      ]}
    />
  );
}

function Roles({ member, session }: { member: MemberView; session: Session }) {
  const nameOf = (organizationId: string) =>
    session.organizations.find(({ id }) => id === organizationId)?.name ?? organizationId;
  const isOne = session.organizations.length < 2;
  return (
    <span className="row">
      {member.isServerOwner && <Badge tone="accent">Server owner</Badge>}
      {member.roles.map(({ organizationId, role }) => (
        <Badge key={organizationId} tone={role === "owner" ? "accent" : "quiet"}>
          {isOne ? ROLE_NAMES[role] : `${nameOf(organizationId)}: ${ROLE_NAMES[role].toLowerCase()}`}
        </Badge>
      ))}
    </span>
  );
}

function actionColumn(
  { member: self }: Session,
  { onChangeRoles, onMakeLink, onRemove }: Omit<MembersTableProps, "members" | "session">,
): Column<MemberView> {
  return actionsColumn((member) => (
    <Menu
      label={`Actions for ${member.name}`}
      items={[
        { label: "Change roles", icon: "edit", onSelect: () => onChangeRoles(member) },
        {
          label: member.state === "invited" ? "New invitation link" : "Link for a new password",
          icon: "link",
          onSelect: () => onMakeLink(member),
        },
        {
          label: "Remove",
          icon: "trash",
          tone: "bad",
          isDisabled: member.id === self.id,
          ...(member.id === self.id && { note: "Another owner can remove you" }),
          onSelect: () => onRemove(member),
        },
      ]}
    />
  ));
}
