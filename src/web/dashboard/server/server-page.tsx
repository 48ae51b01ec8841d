import type { z } from "zod";
import type { serverStateShape } from "../../../http/admin/shapes.ts";
import { Stat } from "../kit/chart/stat.tsx";
import { Failed } from "../kit/feedback/failed.tsx";
import { Loading } from "../kit/feedback/loading.tsx";
import { Card } from "../kit/layout/card.tsx";
import { PageHeader } from "../kit/layout/page-header.tsx";
import { formatBytes, formatNumber } from "../kit/text/format-number.ts";
import { Time } from "../kit/text/time.tsx";
import { useSession } from "../session.ts";
import { NotFoundPage } from "../shell/not-found-page.tsx";
import { useResource } from "../use-resource.ts";
import { BackupCard } from "./backup-card.tsx";
import { ModelServersCard } from "./model-servers-card.tsx";
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
  return (
    <>
      <PageHeader title="Server" description="What runs here, what it keeps, and what it answers with." />
      <div className="stack-wide">
        {server.state === "loading" && <Loading label="Loading the server" shape="cards" lines={4} />}
        {server.state === "failed" && <Failed error={server.error} retry={() => void server.reload()} />}
        {server.state === "ready" && (
          <>
            <Card>
              <div className="tiles">
                <Stat
                  label="Version"
                  value={server.data.version}
                  note={
                    <>
                      started <Time at={server.data.startedAt} />
                    </>
                  }
                />
                <Stat
                  label="Database"
                  value={formatBytes(server.data.data.databaseBytes)}
                  note={
                    server.data.data.freeBytes === null
                      ? undefined
                      : `${formatBytes(server.data.data.freeBytes)} free`
                  }
                />
                <Stat label="Answers being written" value={formatNumber(server.data.load.running)} />
                <Stat label="Questions in line" value={formatNumber(server.data.load.waiting)} />
              </div>
            </Card>
            <ServerFacts state={server.data} />
          </>
        )}
        <ModelServersCard />
        <OrganizationsCard />
        <BackupCard databaseBytes={server.data?.data.databaseBytes} />
      </div>
    </>
  );
}
