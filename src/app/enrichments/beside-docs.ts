import type { Sources } from "../../ingest/ingest.ts";
import { type Log, reasonFields } from "../../lib/log.ts";
import type { Enrichments } from "./enrichments.ts";

/**
 * The same sources, whose runs take over the questions for passages that stand beside the docs: once readers see the pages
 * that these are for. What fails there fails no run.
 */
export function takeWritten(sources: Sources, enrichments: Pick<Enrichments, "import">, log: Log): Sources {
  const { ofSites } = sources;
  return {
    ...sources,
    ofSites: {
      ...ofSites,
      async run(site, source, options) {
        let content: Uint8Array | undefined;
        const report = await ofSites.run(site, source, {
          ...options,
          onWritten(found) {
            content = found;
          },
        });
        if (content === undefined || report.previewed || report.refused !== undefined) return report;
        const about = { site: site.domain };
        try {
          const text = new TextDecoder().decode(content);
          const { lines, taken, refused, unreadable } = await enrichments.import(site, text, options.signal);
          if (taken + refused + unreadable.length > 0)
            log.info("questions beside the docs were read", {
              ...about,
              lines,
              taken,
              refused,
              unreadable: unreadable.length,
            });
        } catch (error) {
          options.signal.throwIfAborted();
          log.warn("questions beside the docs could not be taken over", { ...about, ...reasonFields(error) });
        }
        return report;
      },
    },
  };
}
