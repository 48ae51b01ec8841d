import { Card } from "../kit/layout/card.tsx";
import { Badge } from "../kit/text/badge.tsx";
import { useSession } from "../session.ts";
import "./roles-card.css";

/** What the member may do, and where. */
export function RolesCard() {
  const { member, organizations } = useSession();
  return (
    <Card
      title="What you may do"
      description={
        member.isServerOwner
          ? "You own this server: every organization, its members, backups."
          : "An owner of an organization can change your role."
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
