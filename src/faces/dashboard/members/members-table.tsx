import { Menu } from "../kit/overlay/menu.tsx";
import { actionsColumn, type Column, Table } from "../kit/table/table.tsx";
import { Badge } from "../kit/text/badge.tsx";
import { Time } from "../kit/text/time.tsx";
import type { Session } from "../session-context.ts";
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
          cell: ({ id, name, state, provider }) => (
            <span className="row">
              {name}
              {id === session.member.id && <Badge>You</Badge>}
              {state === "invited" && <Badge tone="warn">Invited</Badge>}
              {provider !== null && <Badge tone="quiet">by {provider}</Badge>}
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
  if (!member.isServerOwner && member.roles.length === 0) return <Badge tone="warn">No role any more</Badge>;
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
        {
          label: "Change roles",
          icon: "edit",
          ...elsewhere(member, "They come from their groups"),
          onSelect: () => onChangeRoles(member),
        },
        {
          label: member.state === "invited" ? "New invitation link" : "Link for a new password",
          icon: "link",
          ...elsewhere(member, "They have no password here"),
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

/** What cannot be done here of a member whom somebody else vouches for, and why. */
const elsewhere = ({ provider }: MemberView, note: string) =>
  provider === null ? {} : { isDisabled: true, note };
