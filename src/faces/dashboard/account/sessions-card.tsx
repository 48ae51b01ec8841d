import type { sessionsShape } from "@docent/doors/session/shapes";
import type { z } from "zod";
import { useApi } from "../api.ts";
import { Button } from "../kit/buttons/button.tsx";
import { Loaded } from "../kit/feedback/loaded.tsx";
import { Card } from "../kit/layout/card.tsx";
import { useToast } from "../kit/overlay/toast.tsx";
import { actionsColumn, type Column, Table } from "../kit/table/table.tsx";
import { Badge } from "../kit/text/badge.tsx";
import { Time } from "../kit/text/time.tsx";
import { useAttempt } from "../use-attempt.ts";
import type { Resource } from "../use-resource.ts";

/** The browsers in which the member is signed in. */
export type OwnSessions = z.output<typeof sessionsShape>;
type OwnSession = OwnSessions[number];

/** Lists the browsers that are signed in, and ends what should not be. */
export function SessionsCard({ sessions }: { sessions: Resource<OwnSessions> }) {
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
