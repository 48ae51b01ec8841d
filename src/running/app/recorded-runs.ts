import { type Audit, type AuditEvent, aboutSite, aboutSource } from "@docent/people/audit/audit";
import type { Sources } from "@docent/sites/ingest/ingest";
import type { ListedSource } from "@docent/sites/ingest/stores";
import type { Surroundings } from "./surroundings.ts";

/**
 * The same sources, with what their runs change kept in the audit log: whoever runs them, and from wherever. A run that
 * changes nothing, as most of a schedule's do, is in the ledger alone.
 */
export function recordRuns(
  sources: Sources,
  audit: Pick<Audit, "record">,
  runsAs: Surroundings["runsAs"],
): Sources {
  const { ofSites } = sources;
  const record = (
    site: { domain: string; organizationId: string },
    source: ListedSource,
    event: Pick<AuditEvent & { kind: "source.read" | "source.removed" }, "kind" | "details">,
  ) => audit.record({ kind: runsAs }, { ...aboutSite(site), ...aboutSource(source), ...event });
  return {
    ...sources,
    ofSites: {
      ...ofSites,
      async run(site, source, options) {
        const report = await ofSites.run(site, source, options);
        const { added, changed, removed, generation } = report;
        if (!report.previewed && added + changed + removed > 0)
          await record(site, source, { kind: "source.read", details: { generation } });
        return report;
      },
      async removeUnread(site, source) {
        const isGone = await ofSites.removeUnread(site, source);
        const { generation } = site;
        if (isGone) await record(site, source, { kind: "source.removed", details: { generation } });
        return isGone;
      },
      async remove(site, source, signal) {
        const report = await ofSites.remove(site, source, signal);
        const { generation } = report;
        await record(site, source, { kind: "source.removed", details: { generation } });
        return report;
      },
    },
  };
}
