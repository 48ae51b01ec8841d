import { createHandOver, type HandOver } from "@docent/answering/handover/handover";
import { createReaderPasses, type ReaderPasses } from "@docent/doors/guard/guard";
import { createReaderLinks, type ReaderLinks } from "@docent/doors/reader-site/signed-links";
import type { Config } from "@docent/kernel/config/settings";
import { AppError } from "@docent/kernel/errors";
import { readCertificateAuthorities } from "@docent/kernel/lib/certificate-authorities";
import { SECOND_MS } from "@docent/kernel/lib/clock";
import { createGuardedFetch } from "@docent/kernel/lib/guarded-fetch/guarded-fetch";
import type { Seal } from "@docent/kernel/lib/seal/seal";
import { type Audit, createAudit } from "@docent/people/audit/audit";
import { type AdminKeys, createAdminKeys } from "@docent/people/keys/admin-keys";
import { createKeys, type Keys } from "@docent/people/keys/keys";
import { createLinks, createMembers, type Links, type Members } from "@docent/people/members/members";
import {
  createKeySets,
  createReaderSessions,
  createReaderTokens,
  createSiteSecrets,
  type ReaderSessions,
  type ReaderTokens,
  type ReadKeySet,
  type SiteSecrets,
} from "@docent/people/readers/readers";
import { createSites, type Sites } from "@docent/sites/site/sites";
import { openDeliveries } from "../delivery/delivery.ts";
import type { Ground } from "./parts.ts";

export interface People {
  sites: Sites;
  keys: Keys;
  adminKeys: AdminKeys;
  members: Members;
  /** One-time links of members. */
  memberLinks: Links;
  /** Who did what, and when. */
  audit: Audit;
  /** Seals what a browser keeps while it is at a provider to sign in. */
  signInSecret: string;
  /** Signs the cookie by which a browser that signed in before is known. */
  deviceSecret: string;
  /** Names the threads and the people of chats. */
  chatSecret: string;
  /** Signed links to pages of a reader site that is not public. */
  readerLinks: ReaderLinks;
  /** Hands conversations over to a person. */
  handOver: HandOver;
  /** Lets the built-in reader site ask without a key. */
  readerPasses: ReaderPasses;
  /** What sites vouch for their readers with, and the check of what they signed. */
  siteSecrets: SiteSecrets;
  readerTokens: ReaderTokens;
  /** Readers who have signed in. */
  readerSessions: ReaderSessions;
}

/** Opens what concerns people. A new data directory gets its first organization. */
export async function openPeople(ground: Ground): Promise<People> {
  const { config, clock, ids, storage } = ground;
  const handOver = openHandOver(ground);
  const sites = createSites({
    store: storage.people.sites,
    clock,
    ids,
    handOverFault: handOver.fault,
  });
  if (!storage.isReadOnly && (await sites.listOrganizations()).length === 0)
    await addFirstOrganization(sites);
  const secret = config.reader_secret || (await storage.meta.getOrAdd("reader_secret", () => ids.key("")));
  const memberLinks = createLinks({ settings: config, store: storage.people.members, clock, ids });
  return {
    sites,
    keys: createKeys({ store: storage.people.keys, clock, ids }),
    adminKeys: createAdminKeys({ store: storage.people.adminKeys, clock, ids }),
    members: createMembers({
      settings: config,
      store: storage.people.members,
      links: memberLinks,
      clock,
      ids,
    }),
    memberLinks,
    audit: createAudit({ store: storage.people.audit, isReadOnly: storage.isReadOnly, clock, ids }),
    signInSecret: await storage.meta.getOrAdd("sign_in_secret", () => ids.key("")),
    deviceSecret: await storage.meta.getOrAdd("device_secret", () => ids.key("")),
    chatSecret: await storage.meta.getOrAdd("chat_secret", () => ids.key("")),
    handOver,
    readerLinks: createReaderLinks({ settings: config, secret, clock }),
    readerPasses: createReaderPasses({ secret, clock }),
    ...openReaders(ground),
  };
}

function openReaders({ config: settings, seal, clock, ids, storage }: Ground) {
  const siteSecrets = createSiteSecrets({ store: storage.people.siteSecrets, clock, ids });
  const keySets = createKeySets({ readSet: fetchKeySets(settings, seal), clock });
  return {
    siteSecrets,
    readerTokens: createReaderTokens({ settings, secrets: siteSecrets, keySets, clock }),
    readerSessions: createReaderSessions({ settings, store: storage.people.readerSessions, clock, ids }),
  };
}

function openHandOver({ config, seal, clock, storage }: Ground): HandOver {
  return createHandOver({
    deliveries: openDeliveries(config, seal),
    conversations: storage.reports.conversations,
    async organizationName(id) {
      const all = await storage.people.sites.listOrganizations();
      return all.find((organization) => organization.id === id)?.name ?? id;
    },
    clock,
  });
}

async function addFirstOrganization(sites: Sites): Promise<void> {
  try {
    await sites.addOrganization("default");
  } catch (error) {
    // Another process added it first.
    if (!(error instanceof AppError && error.code === "conflict")) throw error;
  }
}

/** As long as a reader waits for an answer that has not begun. */
const FETCH_MS = 5 * SECOND_MS;

/**
 * Reads the public keys of a site. The operator has named the address, so that it may be a private one; it leads nowhere
 * else.
 */
function fetchKeySets(config: Pick<Config, "certificate_authorities">, seal: Seal): ReadKeySet {
  const certificateAuthorities = readCertificateAuthorities(config);
  return async (address, bytesMax) => {
    const url = new URL(address);
    const get = createGuardedFetch({
      seal,
      hosts: [url.host],
      privateHosts: [url.hostname.replace(/^\[|\]$/g, "")],
      certificateAuthorities,
      totalMs: FETCH_MS,
      bytesMax,
    });
    const { status, body } = await get(address, { signal: AbortSignal.timeout(FETCH_MS) });
    if (status !== 200) throw new AppError("unavailable", `${url.host} answers with the status ${status}.`);
    return body;
  };
}
