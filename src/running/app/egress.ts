import { readFileSync } from "node:fs";
import type { Config } from "@docent/kernel/config/settings";
import { offWhileSealed } from "@docent/kernel/lib/seal/seal";
import { readSignInFile } from "@docent/people/identity/identity";
import type { ListedSource } from "@docent/sites/ingest/stores";
import type { Site } from "@docent/sites/site/sites";
import type { Parts } from "./parts.ts";
import { admittedBy } from "./seal.ts";
import type { Surroundings } from "./surroundings.ts";

/** Somewhere that this server may connect to. */
export interface Egress {
  what:
    | "Ollama"
    | "vectors"
    | "database"
    | "source"
    | "published pages"
    | "readers' keys"
    | "webhook"
    | "mail"
    | "identity provider";
  /** A host with its port, or an address. */
  where: string;
  /** What names it: a setting, or a part of a site. */
  named: string;
  /** Why it is not dialled at present; undefined where it is. */
  refused: string | undefined;
}

/** Lists everything that this server may connect to, with what names it. There is nothing else that it dials. */
export async function listEgress(surroundings: Surroundings, parts: Parts): Promise<Egress[]> {
  const { config } = surroundings;
  const off = (what: string) => (config.sealed === "on" ? offWhileSealed(what) : undefined);
  const sites = await parts.people.sites.list();
  const ofSites = await Promise.all(sites.map((site) => ofSite(site, parts, off)));
  return [
    ...admitted(config),
    ...deliveries(config, off),
    ...providers(surroundings, off),
    ...ofSites.flat(),
  ];
}

type Off = (what: string) => string | undefined;

function admitted(config: Config): Egress[] {
  return admittedBy(config).flatMap(({ purpose, setting, host, port }): Egress[] => {
    const place: Omit<Egress, "what"> = { where: `${host}:${port}`, named: setting, refused: undefined };
    if (purpose === "database") return [{ ...place, what: "database" }];
    const embeds = config.embedding_model !== "builtin";
    return [
      { ...place, what: "Ollama" },
      ...(embeds ? [{ ...place, what: "vectors" as const, named: `embedding_model, ${setting}` }] : []),
    ];
  });
}

function deliveries({ hand_over_hosts, mail_server }: Config, off: Off): Egress[] {
  const mail = URL.parse(mail_server);
  return [
    ...hand_over_hosts.map((where) => ({
      what: "webhook" as const,
      where,
      named: "hand_over_hosts",
      refused: off("webhooks are"),
    })),
    ...(mail === null
      ? []
      : [{ what: "mail" as const, where: mail.host, named: "mail_server", refused: off("mail is") }]),
  ];
}

function providers({ config, environment }: Surroundings, off: Off): Egress[] {
  const readFile = (path: string) => readFileSync(path, "utf8");
  return readSignInFile(config.sign_in_file, { environment, readFile }).providers.flatMap((provider) =>
    [new URL(provider.issuer).host, ...provider.hosts].map((where) => ({
      what: "identity provider" as const,
      where,
      named: `sign_in_file, provider ${provider.name}`,
      refused: off("providers of sign_in_file are"),
    })),
  );
}

/** The site that a source is published as, where its owner has named it. */
function publishedAs({ id, options: { published } }: ListedSource, domain: string, off: Off): Egress[] {
  if (published === undefined) return [];
  return [
    {
      what: "published pages",
      where: new URL(published).host,
      named: `published address of source ${id} of ${domain}`,
      refused: off("asking for published pages is"),
    },
  ];
}

/** What a site may have dialled: its sources, its own pages where somebody asks whether they are there, its keys. */
async function ofSite({ id, domain, url, settings }: Site, { sources }: Parts, off: Off): Promise<Egress[]> {
  const { ofSites } = sources;
  const all = await ofSites.list(id);
  const fetched = all.filter(
    // An llms.txt of this machine names addresses of other ones.
    (source) => ofSites.needsNetwork(source) || source.kind === "llms-txt",
  );
  return [
    ...fetched.map((source) => ({
      what: "source" as const,
      where: source.location,
      named: `source ${source.id} of ${domain}`,
      refused: ofSites.whyNotRead(source) ?? off("fetching what an llms.txt names is"),
    })),
    ...all.flatMap((source) => publishedAs(source, domain, off)),
    ...(url === undefined
      ? []
      : [
          {
            what: "published pages" as const,
            where: new URL(url).host,
            named: `url of ${domain}, where a run is asked to check addresses`,
            refused: off("asking for published pages is"),
          },
        ]),
    ...(settings.jwksUrl === ""
      ? []
      : [
          {
            what: "readers' keys" as const,
            where: new URL(settings.jwksUrl).host,
            named: `jwksUrl of ${domain}`,
            refused: off("fetching readers' keys is"),
          },
        ]),
  ];
}
