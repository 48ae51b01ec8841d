import type { serverStateShape } from "@docent/doors/admin/shapes";
import type { ReactNode } from "react";
import type { z } from "zod";
import { Copy } from "../kit/buttons/copy.tsx";
import { Card } from "../kit/layout/card.tsx";
import { Badge } from "../kit/text/badge.tsx";
import { formatBytes } from "../kit/text/format-number.ts";
import { Time } from "../kit/text/time.tsx";
import { sentence } from "../text.ts";
import "./server.css";

/** Where the server is, and where it keeps what it has. */
export function ServerFacts({ state }: { state: ServerState }) {
  const { publicUrl, metricsUrl, data, sealed, bundle } = state;
  return (
    <Card title="Where it is">
      <dl className="server-facts">
        <Fact name="Address">
          <code>{publicUrl}</code> <Copy text={publicUrl} label="Copy the address" isIcon />
        </Fact>
        <Fact name="Database">{data.engine}</Fact>
        <Fact name="Data directory">
          <code>{data.directory}</code>
        </Fact>
        <Fact name="It holds">
          {data.servers === null
            ? `${formatBytes(data.databaseBytes)} of database, ${formatBytes(data.backupsBytes)} of backups, ${formatBytes(data.otherBytes)} besides`
            : `${formatBytes(data.otherBytes)} of this server's own, such as what was fetched by git`}
        </Fact>
        <Fact name="Sealed">{sealed === null ? <NotSealed /> : <Sealed {...sealed} />}</Fact>
        {bundle !== null && (
          <Fact name="Last bundle">
            <InstalledBundle {...bundle} />
          </Fact>
        )}
        <Fact name="Metrics">
          {metricsUrl === null ? (
            <span className="quiet">
              Off. Start the server with <code>--metrics on</code> for Prometheus.
            </span>
          ) : (
            <>
              <code>{metricsUrl}</code>{" "}
              <Copy text={metricsUrl} label="Copy the address of the metrics" isIcon />
            </>
          )}
        </Fact>
      </dl>
    </Card>
  );
}

type ServerState = z.output<typeof serverStateShape>;

const NotSealed = () => (
  <span className="quiet">
    No: it may connect to what its settings and sources name. <code>docent doctor --egress</code> lists that.
  </span>
);

function Sealed({ byKernel, says }: NonNullable<ServerState["sealed"]>) {
  return (
    <>
      <Badge tone={byKernel ? "good" : "warn"}>{byKernel ? "Yes" : "By Docent alone"}</Badge>{" "}
      {`It connects to Ollama and its database alone. ${sentence(says)}`}
    </>
  );
}

/** What was brought into a closed network last, and by whom. */
function InstalledBundle({ docent, madeAt, installedAt, signedBy }: NonNullable<ServerState["bundle"]>) {
  return (
    <>
      Installed <Time at={installedAt} />, made <Time at={madeAt} isWhole /> by Docent {docent}.{" "}
      {signedBy === null ? (
        <Badge tone="warn">No key was asked for</Badge>
      ) : (
        <>
          Signed with the key <code className="wrap-anywhere">{signedBy}</code>.
        </>
      )}
    </>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="server-fact">
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
