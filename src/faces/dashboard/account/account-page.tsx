import "./roles-card.css";
import type { sessionsShape } from "@docent/doors/session/shapes";
import { useState } from "react";
import type { z } from "zod";
import { useApi } from "../api.ts";
import { faultOf } from "../api-error.ts";
import { Button } from "../kit/buttons/button.tsx";
import { Failed } from "../kit/feedback/failed.tsx";
import { Loaded } from "../kit/feedback/loaded.tsx";
import { Field } from "../kit/form/field.tsx";
import { PASSWORD_HINT, PasswordInput } from "../kit/form/password-input.tsx";
import { Card } from "../kit/layout/card.tsx";
import { PageHeader } from "../kit/layout/page-header.tsx";
import { useToast } from "../kit/overlay/toast.tsx";
import { actionsColumn, type Column, Table } from "../kit/table/table.tsx";
import { Badge } from "../kit/text/badge.tsx";
import { Time } from "../kit/text/time.tsx";
import { useSession } from "../session-context.ts";
import { useAttempt } from "../use-attempt.ts";
import { type Resource, useResource } from "../use-resource.ts";
import { useSubmit } from "../use-submit.ts";

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

/** The browsers in which the member is signed in. */
type OwnSessions = z.output<typeof sessionsShape>;
type OwnSession = OwnSessions[number];

/** Lists the browsers that are signed in, and ends what should not be. */
function SessionsCard({ sessions }: { sessions: Resource<OwnSessions> }) {
  const api = useApi();
  const toast = useToast();
  const attempt = useAttempt();
  const end = async (ended: readonly OwnSession[]) => {
    await attempt(async () => {
      for (const { id } of ended) await api.delete(`/v1/session/sessions/${encodeURIComponent(id)}`);
      toast(ended.length === 1 ? "That browser is signed out." : "All other browsers are signed out.");
    });
    await sessions.reload();
  };
  const others = sessions.data?.filter(({ isCurrent }) => !isCurrent) ?? [];
  return (
    <Card
      title="Where you are signed in"
      description="If you do not know one of them, sign it out and change your password."
      actions={
        others.length > 1 && (
          <Button size="small" onClick={() => void end(others)}>
            Sign out everywhere else
          </Button>
        )
      }
    >
      <Loaded of={sessions} shape="rows" lines={2} label="Loading where you are signed in">
        {(list) => (
          <Table
            label="Browsers that are signed in"
            rows={list}
            keyOf={({ id }) => id}
            columns={columns((one) => void end([one]))}
          />
        )}
      </Loaded>
    </Card>
  );
}

const columns = (end: (session: OwnSession) => void): Column<OwnSession>[] => [
  {
    title: "Browser",
    cell: ({ agent, isCurrent }) => (
      <span className="row" title={agent}>
        {agentName(agent)}
        {isCurrent && <Badge tone="good">This one</Badge>}
      </span>
    ),
  },
  { title: "Address", cell: ({ address }) => <span className="mono">{address}</span> },
  { title: "Last used", cell: ({ lastUsedAt }) => <Time at={lastUsedAt} /> },
  { title: "Since", cell: ({ createdAt }) => <Time at={createdAt} /> },
  actionsColumn((session) =>
    session.isCurrent ? null : (
      <Button size="small" onClick={() => end(session)} aria-label={`Sign out ${agentName(session.agent)}`}>
        Sign out
      </Button>
    ),
  ),
];

const BROWSERS: readonly [pattern: RegExp, name: string][] = [
  [/EdgA?\//, "Edge"],
  [/OPR\//, "Opera"],
  [/Firefox\//, "Firefox"],
  [/Chrom(?:e|ium)\//, "Chrome"],
  [/\bVersion\/.*\bSafari\//, "Safari"],
];
const SYSTEMS: readonly [pattern: RegExp, name: string][] = [
  [/\biPhone\b/, "iPhone"],
  [/\biPad\b/, "iPad"],
  [/\bAndroid\b/, "Android"],
  [/\bWindows\b/, "Windows"],
  [/\bMac OS X\b/, "macOS"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bLinux\b/, "Linux"],
];

/** What a browser calls itself, in words: "Firefox on Linux". */
function agentName(agent: string): string {
  const browser = BROWSERS.find(([pattern]) => pattern.test(agent))?.[1];
  const system = SYSTEMS.find(([pattern]) => pattern.test(agent))?.[1];
  if (browser === undefined)
    return agent === "" ? "Unknown browser" : (agent.split(" ")[0]?.slice(0, 60) ?? agent);
  return system === undefined ? browser : `${browser} on ${system}`;
}
