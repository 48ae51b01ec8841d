import "./server.css";
import type { modelsShape, serverStateShape } from "@docent/doors/admin/shapes";
import type { z } from "zod";
import { Button } from "../kit/buttons/button.tsx";
import { Stat } from "../kit/chart/stat.tsx";
import { Loaded } from "../kit/feedback/loaded.tsx";
import { NotFoundPage } from "../kit/feedback/not-found-page.tsx";
import { Card } from "../kit/layout/card.tsx";
import { PageHeader } from "../kit/layout/page-header.tsx";
import { Badge } from "../kit/text/badge.tsx";
import { formatBytes, formatNumber } from "../kit/text/format-number.ts";
import { Time } from "../kit/text/time.tsx";
import type { OfferedModels } from "../replies.ts";
import { useSession } from "../session-context.ts";
import { useResource } from "../use-resource.ts";
import { BackupCard, SharedBackupCard } from "./backup-card.tsx";
import { OrganizationsCard } from "./organizations-card.tsx";
import { ServerFacts } from "./server-facts.tsx";

type ServerState = z.output<typeof serverStateShape>;

const LOOK_MS = 15_000;

/** `/server`: the server itself, for those to whom it belongs. */
export function ServerPage() {
  const { member } = useSession();
  const server = useResource<ServerState>(member.isServerOwner ? "/v1/admin/server" : null, {
    everyMs: LOOK_MS,
  });
  if (!member.isServerOwner) return <NotFoundPage />;
  const isShared = (server.data?.data.servers ?? null) !== null;
  return (
    <>
      <PageHeader title="Server" description="What runs here, what it keeps, and what it answers with." />
      <div className="stack-wide">
        <Loaded of={server} label="Loading the server" shape="cards" lines={4}>
          {(state) => (
            <>
              <Card>
                <div className="tiles">
                  <Stat
                    label="Version"
                    value={state.version}
                    note={
                      <>
                        started <Time at={state.startedAt} />
                      </>
                    }
                  />
                  <Stat
                    label="Database"
                    value={formatBytes(state.data.databaseBytes)}
                    note={databaseNote(state.data)}
                  />
                  <Stat
                    label="Answers being written"
                    value={formatNumber(state.load.running)}
                    note={isShared ? "by this server" : undefined}
                  />
                  <Stat
                    label="Questions in line"
                    value={formatNumber(state.load.waiting)}
                    note={isShared ? "asked of this server" : undefined}
                  />
                </div>
              </Card>
              <ServerFacts state={state} />
            </>
          )}
        </Loaded>
        <ModelServersCard />
        <OrganizationsCard />
        {isShared ? (
          <SharedBackupCard />
        ) : (
          <BackupCard
            databaseBytes={server.data?.data.databaseBytes}
            scheduled={server.data?.backups ?? null}
          />
        )}
      </div>
    </>
  );
}

/** What is left on its disk; of a database elsewhere, who shares it. */
function databaseNote({ servers, freeBytes }: ServerState["data"]): string | undefined {
  if (servers !== null) return servers === 1 ? "of this server alone" : `shared by ${servers} servers`;
  return freeBytes === null ? undefined : `${formatBytes(freeBytes)} free`;
}

const SERVERS_LOOK_MS = 30_000;

/** The Ollama servers: whether they answer, by which model, and what to do where they do not. */
function ModelServersCard() {
  const servers = useResource<z.output<typeof modelsShape>>("/v1/admin/ollama", { everyMs: SERVERS_LOOK_MS });
  const offered = useResource<OfferedModels>("/v1/admin/models");
  const names = offered.data?.models.map(({ name }) => name) ?? [];
  return (
    <Card
      title="Models"
      description="The Ollama servers that write answers. Without one, readers get quotes from the docs."
      actions={
        <Button size="small" icon="refresh" busy={servers.isReloading} onClick={() => void servers.reload()}>
          Look again
        </Button>
      }
    >
      <Loaded of={servers} label="Asking the servers" lines={2}>
        {({ servers: each = [] }) => (
          <ul className="model-servers">
            {each.map(({ url, model, says, reason, hint }) => (
              <li key={url} className="model-server">
                <div className="row-apart">
                  <code>{url}</code>
                  <Badge tone={model === null ? "bad" : "good"}>
                    {model === null ? "Does not answer" : "Ready"}
                  </Badge>
                </div>
                <p className="small">
                  {model === null ? reason : <strong>{model}</strong>}
                  {model !== null && says && <span className="quiet"> {says}</span>}
                </p>
                {hint && <p className="small quiet">{hint}</p>}
              </li>
            ))}
          </ul>
        )}
      </Loaded>
      {names.length > 0 && <p className="small quiet model-names">Sites may choose: {names.join(", ")}.</p>}
    </Card>
  );
}
