import { Card } from "../kit/layout/card.tsx";
import { PageHeader } from "../kit/layout/page-header.tsx";
import { Badge } from "../kit/text/badge.tsx";
import { useSession } from "../session.ts";
import { useResource } from "../use-resource.ts";
import { PasswordCard } from "./password-card.tsx";
import { type OwnSessions, SessionsCard } from "./sessions-card.tsx";
import "./roles-card.css";

/** `/account`: one's own password, and the browsers that are signed in. */
export function AccountPage() {
  const { member } = useSession();
  const sessions = useResource<OwnSessions>("/v1/session/sessions");
  return (
    <>
      <PageHeader title="Your account" description={`You are signed in as ${member.name}.`} />
      <div className="stack">
        <RolesCard />
        {member.provider === null && <PasswordCard onChanged={() => void sessions.reload()} />}
        <SessionsCard sessions={sessions} />
      </div>
    </>
  );
}

/** What the member may do, and where. */
function RolesCard() {
  const { member, organizations } = useSession();
  return (
    <Card
      title="What you may do"
      description={
        member.isServerOwner
          ? "You own this server: every organization, its members, backups."
          : member.provider === null
            ? "An owner of an organization can change your role."
            : `It comes from your groups at ${member.provider}, each time that you sign in.`
      }
    >
      <ul className="roles">
        {organizations.map(({ id, name, role }) => (
          <li key={id}>
            <span>{name}</span>
            <Badge tone={role === "owner" ? "accent" : "quiet"}>
              {role === "owner" ? "Owner" : "Viewer"}
            </Badge>
          </li>
        ))}
      </ul>
    </Card>
  );
}
