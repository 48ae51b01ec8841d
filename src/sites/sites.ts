import { z } from "zod";
import { AppError } from "../errors.ts";
import type { Clock } from "../lib/clock.ts";
import type { Ids } from "../lib/ids.ts";
import { faultsIn } from "../lib/schema-faults.ts";
import { PHRASE_NAMES } from "./phrases.ts";
import { widgetChangeSchema, widgetSettingsSchema } from "./widget-settings.ts";

/** The programs whose anchors a site's headings may have. What these are is in markdown/md/anchors.ts. */
export const ANCHOR_STYLE_NAMES = [
  "github",
  "docusaurus",
  "mintlify",
  "vitepress",
  "mkdocs",
  "sphinx",
] as const;

/** Owns sites; the hourly limit counts here. */
export interface Organization {
  id: string;
  name: string;
  createdAt: number;
}

const isContact = (text: string) =>
  text === "" || /^[^\s@<>()]+@[^\s@<>()]+$/.test(text) || /^(https?:\/\/|mailto:)[^\s<>()]+$/.test(text);

const NO_HOST_NAME = "must be a host name in lower case without a port, such as docs.example.com";
const hostNameSchema = z
  .string()
  .max(253)
  .regex(/^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/, {
    error: NO_HOST_NAME,
    abort: true,
  })
  // An address of numbers is none.
  .regex(/[a-z]/, NO_HOST_NAME);

/** What an owner may set of a site. */
export const siteSettingsSchema = z.object({
  /** Origins whose pages may call with a key. Empty: any. */
  origins: z
    .array(z.string().regex(/^https?:\/\/[^/\s]+$/, "must be like https://docs.example.com"))
    .default([]),
  /** Language of Docent's own sentences: a BCP 47 tag. */
  language: z.string().min(2).max(35).default("en"),
  /** Docent's own sentences in the owner's words, by name (see the documentation of phrases). */
  phrases: z.partialRecord(z.enum(PHRASE_NAMES), z.string().max(2000)).meta({ id: "Phrases" }).default({}),
  /** The owner's own text for the model: tone, names of products, what to refuse. */
  instructions: z.string().max(4000).default(""),
  /** Questions that a chat may offer before the first one is asked. */
  starterQuestions: z.array(z.string().trim().min(1).max(200)).max(8).default([]),
  /** Where a reader turns when the docs do not say: an address to write to, or of a page. Empty: nowhere. */
  contact: z
    .string()
    .trim()
    .max(500)
    .refine(isContact, "must be an e-mail address, or begin with https://, http:// or mailto:")
    .default(""),
  /** Whether answers end with links to pages worth reading next. */
  suggestions: z.boolean().default(true),
  /** Whether pages are shown to anyone: by the built-in reader without a signed link, as text, and to agents. */
  public: z.boolean().default(false),
  /** Host names under which its public texts are at the root. For the operator to give: see `hostNames`. */
  hosts: z.array(hostNameSchema).max(20).default([]),
  /** Whether its apps may hold thread ids of a service that it moved here from: those begin a new thread. */
  movedFromHosted: z.boolean().default(false),
  /** After how many days what readers said is deleted. 0: never. */
  retentionDays: z.int().min(0).max(36_500).default(0),
  defaultVersion: z.string().max(100).default(""),
  defaultLanguage: z.string().max(100).default(""),
  /** Whose anchors the headings of the published pages have. */
  anchors: z
    .enum(ANCHOR_STYLE_NAMES, { error: `must be one of ${ANCHOR_STYLE_NAMES.join(", ")}` })
    .meta({ id: "AnchorStyle" })
    .default("github"),
  /** How the widget looks on its pages. */
  widget: widgetSettingsSchema.prefault({}),
  /** The chat model that answers, where it is one that the operator lets sites choose. Empty: the server's. */
  model: z
    .string()
    .trim()
    .max(200)
    .regex(/^[\w./:-]*$/, "must be the name of a model, such as llama3.2")
    .default(""),
  /** How relevant the best passage must be for an answer. null: as the server's setting says. */
  relevanceMin: z.number().min(0).max(1).nullable().default(null),
  /** How near a question must be to a curated answer's. null: as the server's setting says. */
  curatedMin: z.number().min(0).max(1).nullable().default(null),
  /** Passages that an answer is written from, where its asker does not say. */
  pageSize: z.int().min(1).max(20).default(5),
  /** Messages that its readers may send in any hour, within those of its organization. 0: no limit of its own. */
  hourlyMessages: z.int().min(0).max(1_000_000_000).default(0),
});

export type SiteSettings = z.infer<typeof siteSettingsSchema>;

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
export type SiteChange = Partial<Pick<Site, "name" | "url" | "host" | "settings">>;

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
  revision(): string;
}

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
        Omit<SiteSettings, "anchors" | "hosts" | "widget"> & {
          anchors: string;
          /** Of these, too, what is not named stays as it is. */
          widget: Record<string, unknown>;
        }
      >
    | undefined;
  /** The host names that the operator gives it: no door that an organization's key opens may pass them on. */
  hostNames?: string[] | undefined;
}

/** What can be done with organizations and sites. */
export function createSites(deps: { store: SiteStore; clock: Clock; ids: Ids }) {
  const { store, clock, ids } = deps;

  async function organization(name: string | undefined): Promise<Organization> {
    const all = await store.listOrganizations();
    const found = name === undefined ? all[0] : all.find((each) => each.name === name || each.id === name);
    if (!found)
      throw new AppError("not_found", `There is no organization ${name ?? ""}.`, {
        hint: "docent orgs list",
      });
    return found;
  }

  async function get(domain: string): Promise<Site> {
    const site = await store.findSite(domain);
    if (!site) throw new AppError("not_found", `There is no site ${domain}.`, { hint: "docent sites list" });
    return site;
  }

  /** What answers at the root of a host is one site. */
  async function checkHostNames(hostNames: string[], domain: string): Promise<void> {
    for (const other of await store.listSites()) {
      const shared = other.settings.hosts.find((host) => hostNames.includes(host));
      if (shared !== undefined && other.domain !== domain)
        throw new AppError(
          "conflict",
          `The host name ${shared} is given to the site ${other.domain} already.`,
        );
    }
  }

  return {
    organization,
    get,
    list: () => store.listSites(),
    listOrganizations: () => store.listOrganizations(),

    async addOrganization(name: string): Promise<Organization> {
      const trimmed = name.trim();
      if (trimmed === "" || trimmed.length > 100) {
        const message = "must have 1 to 100 characters";
        throw new AppError("invalid_request", `name: ${message}`, { details: [{ path: "name", message }] });
      }
      const added = { id: ids.ulid(), name: trimmed, createdAt: clock() };
      await store.addOrganization(added);
      return added;
    },

    async add(input: SiteInput): Promise<Site> {
      const { domain } = check(z.object({ domain: domainSchema }), { domain: input.domain });
      const owner = await organization(input.organization);
      const place = placeOf(input.url);
      const widget = checkWidget(input.settings?.widget);
      const given = { ...input.settings, widget, hosts: readHostNames(input.hostNames ?? []) };
      const settings = check(siteSettingsSchema, given);
      await checkHostNames(settings.hosts, domain);
      const name = input.name?.trim() || domain;
      return store.addSite({
        organizationId: owner.id,
        domain,
        name,
        ...place,
        settings,
        createdAt: clock(),
      });
    },

    /** Changes what is named and leaves the rest. An empty url takes the url away. */
    async set(domain: string, change: Omit<SiteInput, "domain" | "organization">): Promise<Site> {
      const site = await get(domain);
      const hosts = change.hostNames ? readHostNames(change.hostNames) : site.settings.hosts;
      const named = checkWidget(change.settings?.widget);
      const widget = { ...site.settings.widget, ...named };
      const settings = check(siteSettingsSchema, { ...site.settings, ...change.settings, widget, hosts });
      if (change.hostNames) await checkHostNames(settings.hosts, domain);
      const place = change.url === undefined ? {} : placeOf(change.url);
      const name = change.name?.trim();
      await store.updateSite(site.id, { ...(name ? { name } : {}), ...place, settings });
      return get(domain);
    },

    async remove(domain: string): Promise<void> {
      const site = await get(domain);
      await store.removeSite(site.id);
    },
  };
}

export type Sites = ReturnType<typeof createSites>;

function placeOf(url: string | undefined): Pick<Site, "url" | "host"> {
  if (url === undefined || url.trim() === "") return { url: undefined, host: undefined };
  const parsed = URL.parse(url.trim());
  const plain = parsed && /^https?:$/.test(parsed.protocol) && parsed.search === "" && parsed.hash === "";
  if (!plain) {
    const message = "must be the address of a site, such as https://docs.example.com/guide";
    throw new AppError("invalid_request", `url: ${message}`, { details: [{ path: "url", message }] });
  }
  return { url: (parsed.origin + parsed.pathname).replace(/\/+$/, ""), host: parsed.host };
}

/** A name in it that means nothing is said, and not passed over. */
const checkWidget = (widget: Record<string, unknown> = {}) =>
  check(z.object({ widget: widgetChangeSchema }), { widget }).widget;

/** Faults are told by the name under which host names are given. */
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
