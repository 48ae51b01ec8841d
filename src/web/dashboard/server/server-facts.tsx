import type { ReactNode } from "react";
import type { z } from "zod";
import type { serverStateShape } from "../../../http/admin/shapes.ts";
import { Copy } from "../kit/buttons/copy.tsx";
import { Card } from "../kit/layout/card.tsx";
import { formatBytes } from "../kit/text/format-number.ts";
import "./server.css";

/** Where the server is, and where it keeps what it has. */
export function ServerFacts({ state }: { state: z.output<typeof serverStateShape> }) {
  const { publicUrl, metricsUrl, data } = state;
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

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="server-fact">
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
