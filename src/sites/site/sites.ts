import { isDeepStrictEqual } from "node:util";
import { AppError } from "@docent/kernel/errors";
import type { Clock } from "@docent/kernel/lib/clock";
import type { Ids } from "@docent/kernel/lib/ids";
import { isoTime } from "@docent/kernel/lib/iso-time";
import { faultsIn } from "@docent/kernel/lib/schema-faults";
import { readSiteUrl } from "@docent/kernel/text/site-url";
import { z } from "zod";
import { type SiteSettings, siteSettingsSchema } from "./settings.ts";
import { widgetChangeSchema } from "./widget-settings.ts";

/** Owns sites; the hourly limit counts here. */
export interface Organization {
  id: string;
  name: string;
  createdAt: number;
}

/** One documentation site. */
export interface Site {
  id: number;
  organizationId: string;
  /** The identifier in the URL, unique on the server. */
  domain: string;
  name: string;
  /** Where its pages are published, without a slash at the end. */
  url: string | undefined;
  host: string | undefined;
  settings: SiteSettings;
  /** The number of the generation that readers see; 0 before the first ingest. */
  generation: number;
  createdAt: number;
}

export type NewSite = Pick<
  Site,
  "organizationId" | "domain" | "name" | "url" | "host" | "settings" | "createdAt"
>;
type SiteChange = Partial<Pick<Site, "name" | "url" | "host" | "settings">>;

/** Keeps organizations and sites. Names and domains that are taken raise `conflict`. */
export interface SiteStore {
  addOrganization(organization: Organization): Promise<void>;
  listOrganizations(): Promise<Organization[]>;
  addSite(site: NewSite): Promise<Site>;
  listSites(): Promise<Site[]>;
  findSite(domain: string): Promise<Site | undefined>;
  updateSite(id: number, change: SiteChange): Promise<void>;
  /** Removes the site with its pages, threads and sources. */
  removeSite(id: number): Promise<void>;
  /** Changes whenever a site may have changed, through this process or another. Cheap. */
  revision(): Promise<string>;
}

/** The names of the settings, and of what else was said of a site, that have another value now. */
export function changedFields(before: Site, after: Site): string[] {
  const [was, is] = [before, after].map(({ name, url, settings }) => ({ name, url, ...settings }));
  const values = new Map(Object.entries(was ?? {}));
  return Object.entries(is ?? {}).flatMap(([name, value]) =>
    isDeepStrictEqual(value, values.get(name)) ? [] : [name],
  );
}

/** Whether its pages are shown to everyone who has an address of one. */
export const isShownToAnyone = ({ settings }: Pick<Site, "settings">) =>
  settings.public && settings.readers === "public";

/** Whether nobody reads anything of it for whom nobody vouches. */
export const wantsSignIn = ({ settings }: Pick<Site, "settings">) => settings.readers === "signed-in";

/** Whether its pages are read without a key: by anyone, or by whoever has signed in. */
export const isReadWithoutKey = (site: Pick<Site, "settings">) => isShownToAnyone(site) || wantsSignIn(site);

/** The identifier of a site in the API's addresses. */
export const domainSchema = z
  .string()
  .regex(/^[a-z0-9.-]{1,63}$/, "must be 1 to 63 of the characters a-z, 0-9, - and .")
  .refine((domain) => !/^\.+$/.test(domain), "needs a letter or a digit");

export interface SiteInput {
  domain: string;
  name?: string | undefined;
  url?: string | undefined;
  organization?: string | undefined;
  /** Checked where it is taken. */
  settings?:
    | Partial<
        Omit<SiteSettings, "anchors" | "hosts" | "jwksUrl" | "widget"> & {
          anchors: string;
          /** Of these, too, what is not named stays as it is. */
          widget: Record<string, unknown>;
        }
      >
    | undefined;
  /** The host names that the operator gives it: no door that an organization's key opens may pass them on. */
  hostNames?: string[] | undefined;
  /** Where its readers' tokens are checked with: for the operator to give, because the server asks there. */
  jwksUrl?: string | undefined;
}

interface SitesDeps {
  store: SiteStore;
  /** Why no conversation may be handed over to there; undefined where one may. */
  handOverFault(destination: string): string | undefined;
  clock: Clock;
  ids: Ids;
}

/** What can be done with organizations and sites. */
export function createSites(deps: SitesDeps) {
  const { store } = deps;
  return {
    organization: (name: string | undefined) => findOrganization(store, name),
    get: (domain: string) => findSite(store, domain),
    list: () => store.listSites(),
    listOrganizations: () => store.listOrganizations(),
    addOrganization: (name: string) => addOrganization(deps, name),
    add: (input: SiteInput) => addSite(deps, input),
    /** Changes what is named and leaves the rest. An empty url takes the url away. */
    set: (domain: string, change: Omit<SiteInput, "domain" | "organization">) =>
      changeSite(deps, domain, change),

    async remove(domain: string): Promise<void> {
      const site = await findSite(store, domain);
      await store.removeSite(site.id);
    },
  };
}

export type Sites = ReturnType<typeof createSites>;

/** The organization of that name or id; the first one where none is named. */
async function findOrganization(store: SiteStore, name: string | undefined): Promise<Organization> {
  const all = await store.listOrganizations();
  const found = name === undefined ? all[0] : all.find((each) => each.name === name || each.id === name);
  if (!found)
    throw new AppError("not_found", `There is no organization ${name ?? ""}.`, { hint: "docent orgs list" });
  return found;
}

async function findSite(store: SiteStore, domain: string): Promise<Site> {
  const site = await store.findSite(domain);
  if (!site) throw new AppError("not_found", `There is no site ${domain}.`, { hint: "docent sites list" });
  return site;
}

async function addOrganization({ store, clock, ids }: SitesDeps, name: string): Promise<Organization> {
  const trimmed = name.trim();
  if (trimmed === "" || trimmed.length > 100) throw refused("name", "must have 1 to 100 characters");
  const added = { id: ids.ulid(), name: trimmed, createdAt: clock() };
  await store.addOrganization(added);
  return added;
}

async function addSite({ store, clock, handOverFault }: SitesDeps, input: SiteInput): Promise<Site> {
  const { domain } = check(z.object({ domain: domainSchema }), { domain: input.domain });
  const owner = await findOrganization(store, input.organization);
  const place = placeOf(input.url);
  const widget = checkWidget(input.settings?.widget);
  const ofOperator = { hosts: readHostNames(input.hostNames ?? []), jwksUrl: input.jwksUrl ?? "" };
  const given = { ...input.settings, widget, ...ofOperator };
  const settings = check(siteSettingsSchema, given);
  checkHandOver(settings.handOver, handOverFault);
  await checkHostNames(store, settings.hosts, domain);
  const name = input.name?.trim() || domain;
  return store.addSite({ organizationId: owner.id, domain, name, ...place, settings, createdAt: clock() });
}

async function changeSite(
  { store, handOverFault }: SitesDeps,
  domain: string,
  change: Omit<SiteInput, "domain" | "organization">,
): Promise<Site> {
  const site = await findSite(store, domain);
  const hosts = change.hostNames ? readHostNames(change.hostNames) : site.settings.hosts;
  const named = checkWidget(change.settings?.widget);
  const widget = { ...site.settings.widget, ...named };
  const ofOperator = { hosts, jwksUrl: change.jwksUrl ?? site.settings.jwksUrl };
  const settings = check(siteSettingsSchema, { ...site.settings, ...change.settings, widget, ...ofOperator });
  if (settings.handOver !== site.settings.handOver) checkHandOver(settings.handOver, handOverFault);
  if (change.hostNames) await checkHostNames(store, settings.hosts, domain);
  const place = change.url === undefined ? {} : placeOf(change.url);
  const name = change.name?.trim();
  await store.updateSite(site.id, { ...(name ? { name } : {}), ...place, settings });
  return findSite(store, domain);
}

/** Raises `invalid_request` for a destination that the operator has not allowed. */
function checkHandOver(destination: string, faultOf: SitesDeps["handOverFault"]): void {
  const fault = faultOf(destination);
  if (fault !== undefined) throw refused("settings.handOver", fault);
}

/** Raises `conflict` for a host name that another site has: what answers at the root of a host is one site. */
async function checkHostNames(store: SiteStore, hostNames: string[], domain: string): Promise<void> {
  for (const other of await store.listSites()) {
    const shared = other.settings.hosts.find((host) => hostNames.includes(host));
    if (shared !== undefined && other.domain !== domain)
      throw new AppError("conflict", `The host name ${shared} is given to the site ${other.domain} already.`);
  }
}

function placeOf(url: string | undefined): Pick<Site, "url" | "host"> {
  if (url === undefined || url.trim() === "") return { url: undefined, host: undefined };
  const read = readSiteUrl(url);
  if (read === undefined)
    throw refused(
      "url",
      "must be the address of a site, such as https://docs.example.com/guide, or empty where there is none",
    );
  return read;
}

/** Checks what is set of the widget: a name in it that means nothing is refused, and not passed over. */
const checkWidget = (widget: Record<string, unknown> = {}) =>
  check(z.object({ widget: widgetChangeSchema }), { widget }).widget;

/** Checks host names. Faults are told by the name under which they are given. */
const readHostNames = (hostNames: string[]) =>
  check(z.object({ hostNames: siteSettingsSchema.shape.hosts.unwrap() }), { hostNames }).hostNames;

function check<T>(schema: z.ZodType<T>, value: unknown): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const { details, count } = faultsIn(result.error);
  const sentences = details.map(({ path, message }) => (path ? `${path}: ${message}` : message));
  if (count > details.length) sentences.push(`and ${count - details.length} more`);
  throw new AppError("invalid_request", sentences.join("; "), { details });
}

const refused = (path: string, message: string) =>
  new AppError("invalid_request", `${path}: ${message}`, { details: [{ path, message }] });

/** A site as the CLI and the admin API show it. */
export function siteJson({ domain, organizationId, name, url, settings, generation, createdAt }: Site) {
  return {
    domain,
    organizationId,
    name,
    url: url ?? null,
    generation,
    createdAt: isoTime(createdAt),
    settings,
  };
}

/** An organization as the admin API shows it. */
export function organizationJson({ id, name, createdAt }: Organization) {
  return { id, name, createdAt: isoTime(createdAt) };
}
