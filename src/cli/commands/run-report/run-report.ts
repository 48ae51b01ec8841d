import { printableLine } from "@docent/kernel/lib/printable";
import { isAsPublished, looksUnlike } from "@docent/kernel/text/lost-links/lost-links";
import { anchorWords } from "@docent/kernel/text/lost-links/missing-anchors";
import { unlikeWords } from "@docent/kernel/text/lost-links/run-signs";
import { isLeftOut } from "@docent/reading/source-reader";
import type { IngestProgress, IngestReport, RunOptions } from "@docent/sites/ingest/ingest";
import { z } from "zod";
import type { Context } from "../../command.ts";
import { counted, createProgress, printNote } from "../../output.ts";
import { OutputUnread, type Terminal } from "../../terminal/terminal.ts";
import { yellow } from "../../terminal/text.ts";
import { describeGolden, GOLDEN_SHAPE, goldenReportJson } from "./golden-questions.ts";
import { describeDocs } from "./recognized-docs.ts";

const ADDRESSES_SHAPE = z.object({
  asked: z.int(),
  answering: z.int(),
  missing: z.array(z.object({ address: z.string(), why: z.string() })),
  anchors: z
    .object({ asked: z.int(), there: z.int(), missing: z.array(z.string()) })
    .nullable()
    .meta({ description: "Places on those pages that citations lead to; null where none was looked for." }),
  note: z.string().nullable().meta({ description: "Why no address was asked for." }),
});

/** What a run of a source came to, as JSON. */
export const REPORT_SHAPE = z.object({
  added: z.int(),
  changed: z.int(),
  unchanged: z.int(),
  removed: z.int(),
  passages: z.int(),
  generation: z.int(),
  resumed: z.boolean(),
  previewed: z.boolean().meta({ description: "It was only looked at: nothing was read." }),
  skipped: z.array(
    z.object({ location: z.string(), found: z.string(), reason: z.string(), detail: z.string() }),
  ),
  faults: z
    .array(z.object({ location: z.string(), detail: z.string() }))
    .meta({ description: "What was wrong with pages that were read all the same." }),
  generator: z
    .string()
    .nullable()
    .meta({ description: "The docs generator that the source was recognized by." }),
  incomplete: z.string().nullable(),
  golden: GOLDEN_SHAPE.nullable().meta({
    description: "What golden questions say of the run; null where none was asked.",
  }),
  refused: z
    .string()
    .nullable()
    .meta({ description: "Why it was not published, where golden questions are against it." }),
  links: z
    .object({
      links: z.int(),
      lost: z.int(),
      examples: z.array(z.object({ path: z.string(), href: z.string() })),
    })
    .nullable()
    .meta({
      description:
        "Links between the pages, and how many of them lead nowhere; null for a run that read few.",
    }),
  published: z
    .object({
      address: z.string(),
      pages: z.int(),
      found: z.int(),
      kept: z.int().meta({ description: "Pages that keep the address of an earlier run." }),
      why: z.string().nullable().meta({ description: "Why the site was not read to its end." }),
    })
    .nullable()
    .meta({
      description:
        "How many pages were found on the site that the source is published as, where it is named.",
    }),
  signs: z
    .array(z.string())
    .meta({ description: "What does not look like a site that was read whole, with what to do." }),
  addresses: ADDRESSES_SHAPE.nullable().meta({
    description: "Whether the pages are at their published addresses, where that was asked.",
  }),
});

export function reportJson(report: IngestReport): z.infer<typeof REPORT_SHAPE> {
  const { added, changed, unchanged, removed, passages, generation, resumed, skipped, docs } = report;
  const { faults, incomplete, links, published, addresses, golden, refused } = report;
  return {
    added,
    changed,
    unchanged,
    removed,
    passages,
    generation,
    resumed,
    previewed: report.previewed,
    skipped: skipped.map(({ location, found, reason, detail }) => ({ location, found, reason, detail })),
    faults,
    generator: docs?.generator ?? null,
    incomplete: incomplete ?? null,
    golden: golden === undefined ? null : goldenReportJson(golden),
    refused: refused ?? null,
    links: links ?? null,
    published: published ? { ...published, why: published.why ?? null } : null,
    signs: report.signs === undefined ? [] : unlikeWords(report.signs),
    addresses: addresses
      ? { ...addresses, anchors: addresses.anchors ?? null, note: addresses.note ?? null }
      : null,
  };
}

/** What a run exits with that golden questions keep from readers. */
const REFUSED = 3;

export const codeOf = ({ incomplete, refused }: IngestReport): number =>
  refused !== undefined ? REFUSED : incomplete === undefined ? 0 : 1;

/** What a run is of: a site, and the number of its source. */
interface RunOf {
  domain: string;
  source: number;
}

/**
 * Runs a source with progress on the terminal and prints what came of it. With `--json` the command prints
 * the report itself.
 */
export async function runSource(
  context: Context,
  of: RunOf,
  run: (options: RunOptions) => Promise<IngestReport>,
  { isKept = true }: { isKept?: boolean } = {},
): Promise<IngestReport> {
  const progress = createProgress(context.terminal, context.surroundings.clock);
  let hasRead = false;
  const report = await run({
    force: context.options["force"] === true,
    preview: context.options["preview"] === true,
    checksAddresses: context.options["check-addresses"] === true,
    requiresGolden: context.options["require"] === true,
    acceptsWorse: context.options["accept-worse"] === true,
    onGolden(outcome) {
      progress.clear();
      if (context.options["json"] !== true) describeGolden(context, outcome);
    },
    signal: context.signal,
    onRecognized(docs) {
      progress.clear();
      // A program that asked for JSON reads the generator in the report.
      if (context.options["json"] !== true) context.terminal.out(describeDocs(docs));
    },
    onProgress(reached) {
      hasRead = true;
      progress.show(`${pagesReached(reached)}  ${reached.location}`);
    },
    onEmbedding: (passages) => progress.show(`passages with their vectors: ${passages}`),
    onIndexing: (passages, all) => progress.show(`${passages} of ${counted(all, "passage")} indexed`),
  })
    .finally(progress.clear)
    .catch((error: unknown) => {
      if (isKept && hasRead) sayStopped(context);
      throw error;
    });
  if (context.options["json"] !== true) describe(context, report, of);
  return report;
}

/** How far a run is: of how many pages, where that is known and so many were meant. */
export function pagesReached({ pages, all }: Pick<IngestProgress, "pages" | "all">): string {
  return all === undefined || pages > all ? counted(pages, "page") : `${pages} of ${counted(all, "page")}`;
}

/** Tells somebody who stopped a run that it was not for nothing. */
function sayStopped(context: Context): void {
  const { signal } = context;
  if (!signal.aborted || signal.reason instanceof OutputUnread) return;
  printNote(context, "Stopped. What was read stays staged: run this again to go on.");
}

function describe({ terminal }: Context, report: IngestReport, of: RunOf): void {
  const { domain } = of;
  if (report.refused !== undefined) {
    terminal.err([yellow("Not published:"), ` ${report.refused}\n`]);
    terminal.err(`What was read stays staged. To publish it all the same, add --accept-worse.\n`);
  } else terminal.out(report.previewed ? PREVIEWED : summary(report, domain));
  if (report.published !== undefined) describePublished(terminal, report.published);
  if (report.addresses !== undefined) terminal.out(describeAddresses(report.addresses, domain));
  if (report.links !== undefined)
    describeLinks(terminal, report.links, { ...of, published: report.published });
  for (const words of report.signs === undefined ? [] : unlikeWords(report.signs))
    terminal.err([yellow("This does not look like your site:"), ` ${printableLine(words)}\n`]);
  const readWithFaults = report.faults.map(({ location, detail }) => ({ location: `${location}:`, detail }));
  const [leftOut, assumed] = [
    report.skipped.filter(isLeftOut),
    report.skipped.filter((each) => !isLeftOut(each)),
  ];
  for (const line of remarkLines(assumed)) terminal.err(`note: ${line}\n`);
  for (const line of remarkLines(leftOut)) terminal.err(`left out: ${line}\n`);
  for (const line of remarkLines(readWithFaults)) terminal.err(`read with faults: ${line}\n`);
  if (report.incomplete !== undefined) {
    terminal.err([yellow("The source was not read to its end:"), ` ${report.incomplete}\n`]);
    terminal.err("What was not reached is as it was. Run this again to go on.\n");
  }
}

/** Says how many pages have the addresses that they are published at. */
function describePublished({ out, err }: Terminal, report: NonNullable<IngestReport["published"]>): void {
  const { address, pages, found, kept, why } = report;
  const others = pages - found - kept;
  const parts = [
    `${found} of ${pages} pages were found on ${address}`,
    ...(kept > 0 ? [`${kept} keep the address that they had there`] : []),
    ...(others > 0 ? [`${others} are cited by the address that their source tells`] : []),
  ];
  out(`${printableLine(parts.join("; "))}.\n`);
  if (why !== undefined) err(`note: ${printableLine(`${address} was not read to its end: ${why}`)}\n`);
  else if (found === 0)
    err(`note: none of them is there. Is that the address below which they are published?\n`);
}

/** Says how many links between the pages lead nowhere; nothing where all lead somewhere. */
function describeLinks(
  { err }: Terminal,
  check: NonNullable<IngestReport["links"]>,
  { domain, source, published }: RunOf & Pick<IngestReport, "published">,
): void {
  const { links, lost, examples } = check;
  if (lost === 0) return;
  const isOnSite = published !== undefined && isAsPublished(published);
  const count = `${lost} of ${links} links between these pages lead nowhere`;
  const more = `docent sites fidelity ${domain} lists them`;
  if (isOnSite || !looksUnlike(check)) {
    err(`note: ${count}${isOnSite ? ", as they do on the published site" : ""} (${more}).\n`);
    return;
  }
  err([yellow("This does not look like your site:"), ` ${count}.\n`]);
  for (const { path, href } of examples) err(`  ${printableLine(`/${path}: ${href}`)}\n`);
  err(`  ${more}. You can also read what your generator has built, in place of its files.\n`);
  if (published === undefined)
    err(
      `  If the site is published, name its address: docent sources set ${domain} ${source} --published https://…\n`,
    );
}

const PREVIEWED = "Nothing was read: run this again without --preview to read it.\n";

function summary(report: IngestReport, domain: string): string {
  const { added, changed, removed, unchanged, passages, generation } = report;
  if (added + changed + removed === 0) {
    return `Nothing has changed: ${counted(unchanged, "page")}, still generation ${generation} of ${domain}.\n`;
  }
  const resumed = report.resumed ? " An interrupted run was taken up again." : "";
  return `${added} added, ${changed} changed, ${removed} removed, ${unchanged} unchanged; ${counted(passages, "passage")} read.${resumed}\n${domain} is at generation ${generation}.\n`;
}

const LINES_MAX = 10;
const DETAIL_CHARACTERS_MAX = 300;

/** The file that a page takes something from: the same is said of all that are not there. */
const TAKEN = /^.{1,300}?(?=, (?:which|whose) )/;

/**
 * What is said of files, a line each: those of which the same is said share one, so that a folder of many such files
 * does not hide the others.
 */
export function remarkLines(remarks: readonly { location: string; detail: string }[]): string[] {
  const alike = [...Map.groupBy(remarks, ({ detail }) => kindOf(detail))];
  const lines = alike.slice(0, LINES_MAX).map(([, [first, ...others]]) => {
    const more = others.length > 0 ? ` (and ${others.length} more)` : "";
    return `${first?.location} ${shortened(first?.detail ?? "")}${more}`;
  });
  const unnamed = alike.slice(LINES_MAX).reduce((count, [, files]) => count + files.length, 0);
  return unnamed > 0 ? [...lines, `${unnamed} more (docent sources ledger lists them)`] : lines;
}

/** What is said, once, without the names of what is not there: of a page all of it stands in one detail. */
const kindOf = (detail: string) =>
  [...new Set(detail.split("; ").map((part) => part.replace(TAKEN, "")))].join("; ");

const shortened = (detail: string) =>
  detail.length > DETAIL_CHARACTERS_MAX ? `${detail.slice(0, DETAIL_CHARACTERS_MAX)}…` : detail;

/** The options that look before readers do. Nothing is asked for over the network unless someone says so. */
export const CHECK_OPTION = {
  "check-addresses": { type: "boolean" },
  preview: { type: "boolean" },
  require: { type: "boolean" },
  "accept-worse": { type: "boolean" },
} as const;
export const CHECK_OPTION_HELP = {
  "check-addresses":
    "ask the site's own host, at its URL, for up to 40 of the pages, and say how many answer and have the places that are cited; for a folder, git, an archive",
  preview:
    "stop before the first page if the docs of a generator are recognized, to look at their addresses; anything else is read",
  require: "leave readers with what they see if a golden question would get worse, and exit with 3",
  "accept-worse": "publish although golden questions get worse, whatever the site says",
};

const MISSING_SHOWN = 5;

/** Says how many pages are where the site publishes them. */
export function describeAddresses(
  { asked, answering, missing, anchors, note }: NonNullable<IngestReport["addresses"]>,
  domain: string,
): string {
  if (note !== undefined) return `${printableLine(`The published addresses were not checked: ${note}.`)}\n`;
  const count = `${answering} of ${asked} addresses answer`;
  const lines = [
    answering === 0 ? `${count}: is the site's URL right? (docent sites set ${domain} --url …)` : `${count}.`,
    ...missing.slice(0, MISSING_SHOWN).map(({ address, why }) => `  ${address}: ${why}`),
    ...(missing.length > MISSING_SHOWN ? [`  ${missing.length - MISSING_SHOWN} more`] : []),
    ...(anchors === undefined ? [] : [anchorWords(anchors)]),
    ...(anchors?.missing ?? []).slice(0, MISSING_SHOWN).map((address) => `  ${address}`),
  ];
  return lines.map((line) => `${printableLine(line)}\n`).join("");
}
