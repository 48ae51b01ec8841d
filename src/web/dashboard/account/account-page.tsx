import { PageHeader } from "../kit/layout/page-header.tsx";
import { useSession } from "../session.ts";
import { useResource } from "../use-resource.ts";
import { PasswordCard } from "./password-card.tsx";
import { RolesCard } from "./roles-card.tsx";
import { type OwnSessions, SessionsCard } from "./sessions-card.tsx";

/** `/account`: one's own password, and the browsers that are signed in. */
export function AccountPage() {
  const { member } = useSession();
  const sessions = useResource<OwnSessions>("/v1/session/sessions");
  return (
    <>
      <PageHeader title="Your account" description={`You are signed in as ${member.name}.`} />
      <div className="stack">
        <RolesCard />
        <PasswordCard onChanged={() => void sessions.reload()} />
        <SessionsCard sessions={sessions} />
      </div>
    </>
  );
}
