import type { PresentNotices } from "@docent/doors/admin/admin";
import type { Notices } from "@docent/sites/notices/notices";
import { unstoredCondition } from "./conditions.ts";
import { createLooks, type Looking } from "./notices.ts";

interface Asked {
  /** Whether whoever asks is told of the server itself. */
  isServer: boolean;
  sees(organizationId: string): boolean;
  isSealed: boolean;
}

/**
 * Looks for what destinations would be told of at this moment, and notes nothing: it is there to be fetched, also where
 * nobody wants to be told, or nothing may be sent.
 */
export async function presentNotices(
  looking: Omit<Looking, "parts"> & { parts: Omit<Looking["parts"], "notices"> },
  { isServer, sees, isSealed }: Asked,
  signal: AbortSignal,
): Promise<PresentNotices> {
  const { parts } = looking;
  const wrong: PresentNotices["wrong"] = [];
  const notices: Pick<Notices, "wants" | "note" | "told"> = {
    // A generation is neither wrong nor over.
    wants: async (kind) => kind !== "generation-report",
    told: async () => new Set(),
    async note({ kind, site }, conditions) {
      if (site === undefined && !isServer) return;
      for (const { state, title, text, url } of conditions)
        if (state === "bad")
          wrong.push({
            kind,
            site: site === undefined ? null : { domain: site.domain, name: site.name },
            title,
            text,
            url: url ?? null,
          });
    },
  };
  const sites = {
    ...parts.people.sites,
    list: async () => (await parts.people.sites.list()).filter(({ organizationId }) => sees(organizationId)),
  };
  const looks = createLooks({ ...looking, parts: { ...parts, people: { ...parts.people, sites }, notices } });
  const url = `${looking.publicUrl}/server`;
  // Nothing of it is sent by the others: it would have to be stored first.
  await notices.note(
    { kind: "disk-full", site: undefined },
    unstoredCondition(parts.answers.threads.unstored(), url),
  );
  await looks.often(signal);
  await looks.seldom(signal);
  return { sealed: isSealed, wrong };
}
