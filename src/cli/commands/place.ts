import { AppError } from "@docent/kernel/errors";
import { aboutSite, aboutSource } from "@docent/people/audit/audit";
import { CONNECTOR_KINDS } from "@docent/reading/connectors/connectors";
import type { SourceSpec } from "@docent/reading/source";
import { resolvePlace, type SiteSources } from "@docent/sites/ingest/ingest";
import type { ListedSource } from "@docent/sites/ingest/stores";
import type { Site } from "@docent/sites/site/sites";
import { type Context, textOption } from "../command.ts";
import { isStandard } from "../files.ts";
import { printNote } from "../output.ts";

/** The options that say what a source is and where. */
export const PLACE_OPTIONS = {
  kind: { type: "string" },
  branch: { type: "string" },
  subfolder: { type: "string" },
  version: { type: "string" },
  language: { type: "string" },
  published: { type: "string" },
} as const;

export const PLACE_OPTION_HELP = {
  kind: `folder, website, llms-txt, git, archive or openapi, guessed from the place otherwise; or what is not guessed, a wiki or tracker: ${CONNECTOR_KINDS.join(", ")}`,
  branch: "for git: the branch or tag; the repository's default otherwise",
  subfolder: "for git: the folder that holds the docs",
  version: "marks the pages as this version of the docs; a site can have several",
  language: "marks the pages as this language, such as de; a site can have several",
  published:
    "for a folder, git, an archive: the address at which its pages are published, or 'none'; each run takes their addresses and the ids of their headings from there",
};

/** The source that a person named. */
export function sourceSpecOf(context: Context, siteId: number, text: string): SourceSpec {
  if (isStandard(text))
    throw new AppError(
      "invalid_request",
      "A source is read again and again, which the standard input cannot be.",
      { hint: "Keep it in a file or folder, and name that." },
    );
  const place = resolvePlace(text, {
    kind: textOption(context, "kind"),
    branch: textOption(context, "branch"),
    subfolder: textOption(context, "subfolder"),
  });
  return {
    siteId,
    ...place,
    version: textOption(context, "version") ?? "",
    language: textOption(context, "language") ?? "",
  };
}

/** What is said of where its pages are published; undefined where nothing is. */
export function publishedOption(context: Context): string | null | undefined {
  const given = textOption(context, "published");
  return given === "none" ? null : given;
}

type SourceChange = NonNullable<Parameters<SiteSources["add"]>[1]>;

/** A source that a person named, and whether it is new. */
interface NamedSource {
  source: ListedSource;
  isNew: boolean;
}

/** Notes a source, and in the audit log that it is new, or what is said anew of one that was there. */
export async function addSource(
  context: Context,
  site: Site,
  spec: SourceSpec,
  change: SourceChange = {},
): Promise<NamedSource> {
  const { ofSites } = (await context.openParts()).sources;
  const before = (await ofSites.list(site.id)).map(({ id }) => id);
  const source = await ofSites.add(spec, change);
  const about = { ...aboutSite(site), ...aboutSource(source) };
  const { options, ...others } = change;
  const said = Object.entries({ ...others, authorization: options?.authorizationVariable });
  const changed = said.filter(([, value]) => value !== undefined).map(([name]) => name);
  const isNew = !before.includes(source.id);
  if (isNew) await context.record({ kind: "source.added", ...about });
  else if (changed.length > 0)
    await context.record({ kind: "source.changed", ...about, details: { changed } });
  return { source, isNew };
}

/**
 * Reads a source that was just named. Where that fails with nothing read of one that is new, it is not kept: its place may
 * be mistyped, and runs of all sources would fail over it for ever.
 */
export async function readNamed<T>(
  context: Context,
  site: Site,
  { source, isNew }: NamedSource,
  read: () => Promise<T>,
): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (isNew) await dropUnread(context, site, source);
    throw error;
  }
}

/** Takes a source off the list of which nothing was read, and says so. */
export async function dropUnread(context: Context, site: Site, source: ListedSource): Promise<void> {
  const { ofSites } = (await context.openParts()).sources;
  if (!(await ofSites.removeUnread(site, source))) return;
  printNote(
    context,
    `Nothing of ${source.location} was read, so it is not kept as a source of ${site.domain}. To keep it unread: docent sources add ${site.domain} <place> --later`,
  );
}
