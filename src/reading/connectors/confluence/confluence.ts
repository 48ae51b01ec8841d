import { AppError } from "@docent/kernel/errors";
import { escapeLabel } from "@docent/kernel/text/write-markdown";
import { z } from "zod";
import { authorizationFrom, basic, bearer } from "../authorization.ts";
import type { Connector, ServerAccess, ServerBounds, ServerPages } from "../connector.ts";
import { type ConfluenceApi, createApi, isOf } from "./api.ts";
import { openCloud } from "./cloud.ts";
import { openDataCenter } from "./data-center.ts";
import { createKnownPages, type KnownPages } from "./known-pages.ts";
import { listPages } from "./list.ts";
import { isAtlassianCloud, type Named, placesOf, readNamed } from "./names.ts";
import { type Confluence, readPageId } from "./spaces-and-contents.ts";

const CLOUD_HINT =
  "The variable holds the e-mail address and an API token of an account that may view the spaces, as email:token. A token " +
  "with scopes is taken at https://api.atlassian.com/ex/confluence/<cloud id>/wiki alone (docs/connectors.md).";
const OWN_HINT =
  "The variable holds a personal access token of an account that may view the spaces, or its name and password as " +
  "name:password.";

import { writePage } from "./page.ts";

/** Confluence Cloud, and Confluence Server and Data Center from version 6 on. */
export const confluence: Connector = {
  writePage,
  async signIn(secret) {
    return authorizationFrom(secret, secret.includes(":") ? basic : bearer);
  },
  async open(address, server, bounds) {
    const { api, place, opened } = await openAt(address, server);
    // An address above it is one of its host alone, and names all of it.
    const isAbove = `${place}/`.startsWith(address.pathname.replace(/\/?$/, "/"));
    const named = isAbove ? {} : readNamed(address, place);
    if (named !== undefined) return pagesOf(api, opened, named, bounds);
    throw new AppError("not_found", `${address.href} names no space and no page of a Confluence.`, {
      hint: "Name the address of a space, of a page, or of the whole Confluence.",
    });
  },
};

interface Opened {
  api: ConfluenceApi;
  /** The path below which it is. */
  place: string;
  opened: Confluence;
}

/** Finds the Confluence to which an address belongs. */
async function openAt(address: URL, server: ServerAccess): Promise<Opened> {
  const faults: unknown[] = [];
  for (const place of placesOf(address)) {
    try {
      return await openPlace(address, place, server);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      faults.push(error);
    }
  }
  // One that refuses is there; one that answers in another way may be.
  for (const code of ["forbidden", "unavailable"] as const)
    for (const fault of faults) if (isOf(fault, code)) throw fault;
  throw new AppError("not_found", `No Confluence was found at ${address.href}.`, {
    hint: "Name the address of a space as a browser shows it, such as https://wiki.example.com/display/DOC.",
    cause: faults[0],
  });
}

async function openPlace(address: URL, place: string, server: ServerAccess): Promise<Opened> {
  const root = address.origin + place;
  const cloud = createApi(root, server, CLOUD_HINT);
  if (isAtlassianCloud(address.hostname) || (place.endsWith("/wiki") && (await isCloud(cloud))))
    return { api: cloud, place, opened: await openCloud(cloud) };
  const api = createApi(root, server, OWN_HINT);
  return { api, place, opened: await openDataCenter(api) };
}

/** A Cloud may have a name of its owner's. */
async function isCloud(api: ConfluenceApi): Promise<boolean> {
  const reply = api.find("/api/v2/spaces", { limit: "1" }, z.object({ results: z.array(z.unknown()) }));
  return reply.then(
    (found) => found !== undefined,
    (error) => {
      if (error instanceof AppError) return false;
      throw error;
    },
  );
}

function pagesOf(
  { root }: ConfluenceApi,
  opened: Confluence,
  named: Named,
  bounds: ServerBounds,
): ServerPages {
  const { program, base, hasWordyIds } = opened;
  let known: KnownPages = createKnownPages([base, root], []);
  return {
    program,
    async list() {
      const { spaces, ...listing } = await listPages(opened, named, bounds);
      known = createKnownPages([base, root], spaces);
      return listing;
    },
    async read({ id: called, address, title }) {
      const { kind, id } = readPageId(called);
      const { html, labels } = await opened.body({ kind, id });
      const { find: pageAt, titleAt } = known;
      const rendered = { html, address, hasWordyIds, pageAt, titleAt };
      const { markdown, faults } = await bounds.write("confluence", rendered);
      return {
        data: { title, ...(labels.length > 0 ? { tags: labels } : {}) },
        markdown: markdown === "" ? listBelow(known, id) : markdown,
        faults,
      };
    },
  };
}

/** A page without words of its own shows what is below it. */
const listBelow = (known: KnownPages, id: string) =>
  known
    .below(id)
    .map(({ title, address }) => `- [${escapeLabel(title)}](${address})`)
    .join("\n");
