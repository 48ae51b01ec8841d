import { type SiteSecrets, siteSecretJson, whoReads } from "@docent/people/readers/readers";
import type { Site } from "@docent/sites/site/sites";
import { z } from "zod";
import { done, gives, type Operation, reply } from "../../operation.ts";
import { type AdminGuards, adminOperation } from "../guard.ts";
import { newReaderSecretShape, siteReadersShape } from "../shapes.ts";

export interface ReadersOptions {
  siteSecrets: Pick<SiteSecrets, "create" | "list" | "end">;
  /** What the providers are called with which readers sign in. */
  readerProviders: () => readonly string[];
}

const TAG = "Admin: readers";

/** Who reads a site, and what its own server vouches for them with. */
export function readersOperations(options: ReadersOptions, guards: AdminGuards): Operation[] {
  return [showReaders(options, guards), createSecret(options, guards), endSecret(options, guards)];
}

const showReaders = (options: ReadersOptions, guards: AdminGuards): Operation =>
  adminOperation({
    id: "getReaders",
    method: "GET",
    path: "/v1/admin/sites/:domain/readers",
    tag: TAG,
    guard: guards.reads,
    summary: "Say who can read a site",
    description: "With the secrets that its own server signs readers' tokens with, without what they are.",
    replies: gives(200, "Who can read it now.", siteReadersShape),
    run: async ({ site }) => reply(await readersJson(options, site())),
  });

const createSecret = ({ siteSecrets }: ReadersOptions, guards: AdminGuards): Operation =>
  adminOperation({
    id: "createReaderSecret",
    method: "POST",
    path: "/v1/admin/sites/:domain/reader-secrets",
    tag: TAG,
    guard: guards.writes,
    records: ["reader-secret.created"],
    summary: "Make a secret to sign readers' tokens with",
    description: "A site has two at most: the one in use, and the one that takes its place.",
    replies: gives(201, "The secret, with its text: nobody is told it again.", newReaderSecretShape),
    errors: ["conflict"],
    async run({ site, record }) {
      const made = await siteSecrets.create(site().id);
      await record({ kind: "reader-secret.created", subject: { id: made.id } });
      return reply({ ...siteSecretJson(made), secret: made.secret }, { status: 201 });
    },
  });

const endSecret = ({ siteSecrets }: ReadersOptions, guards: AdminGuards): Operation =>
  adminOperation({
    id: "endReaderSecret",
    method: "DELETE",
    path: "/v1/admin/sites/:domain/reader-secrets/:id",
    tag: TAG,
    guard: guards.writes,
    records: ["reader-secret.ended"],
    summary: "End a secret that readers' tokens are signed with",
    replies: gives(204, "Tokens that were signed with it are worth nothing now."),
    async run({ site, record, param }) {
      await siteSecrets.end(site().id, param("id"));
      await record({ kind: "reader-secret.ended", subject: { id: param("id") } });
      return done();
    },
  });

async function readersJson({ siteSecrets, readerProviders }: ReadersOptions, site: Site) {
  const secrets = await siteSecrets.list(site.id);
  const signs = secrets.length > 0 || site.settings.jwksUrl !== "";
  return {
    sentence: whoReads(site, { providers: readerProviders(), signs }),
    secrets: secrets.map(siteSecretJson),
  };
}

/** The groups of a reader as whom an owner looks at a site. */
export const readerGroups = z.array(z.string().max(200)).max(200).nullish();
