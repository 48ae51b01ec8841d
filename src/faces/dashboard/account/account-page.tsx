import "./roles-card.css";
import { useState } from "react";
import { useApi } from "../api.ts";
import { faultOf } from "../api-error.ts";
import { Button } from "../kit/buttons/button.tsx";
import { Failed } from "../kit/feedback/failed.tsx";
import { Field } from "../kit/form/field.tsx";
import { PASSWORD_HINT, PasswordInput } from "../kit/form/password-input.tsx";
import { Card } from "../kit/layout/card.tsx";
import { PageHeader } from "../kit/layout/page-header.tsx";
import { useToast } from "../kit/overlay/toast.tsx";
import { Badge } from "../kit/text/badge.tsx";
import { useSession } from "../session.ts";
import { useResource } from "../use-resource.ts";
import { useSubmit } from "../use-submit.ts";
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

/** Changes one's password. `onChanged`: other browsers were signed out by it. */
function PasswordCard({ onChanged }: { onChanged: () => void }) {
  const api = useApi();
  const toast = useToast();
  const { member } = useSession();
  const [current, setCurrent] = useState("");
  const [password, setPassword] = useState("");
  const { onSubmit, isBusy, error } = useSubmit(async () => {
    await api.put("/v1/session/password", { current, password });
    setCurrent("");
    setPassword("");
    toast("Your password is changed. Other browsers are signed out.");
    onChanged();
  });
  const faults = { current: faultOf(error, "current"), password: faultOf(error, "password") };
  return (
    <Card title="Password" description="Changing it signs you out in every other browser.">
      <form className="form" onSubmit={onSubmit}>
        {error && !faults.current && !faults.password && <Failed error={error} />}
        <input type="text" name="username" autoComplete="username" value={member.name} readOnly hidden />
        <Field label="Current password" error={faults.current}>
          <PasswordInput value={current} onChange={setCurrent} autoComplete="current-password" required />
        </Field>
        <Field
          label="New password"
          hint={faults.password ? undefined : PASSWORD_HINT}
          error={faults.password}
        >
          <PasswordInput value={password} onChange={setPassword} autoComplete="new-password" required />
        </Field>
        <div>
          <Button type="submit" kind="primary" busy={isBusy}>
            Change the password
          </Button>
        </div>
      </form>
    </Card>
  );
}
