import type { LedgerEntry } from "../../replies.ts";
import { Link } from "../../router.ts";
import { indexedPagePath, type SiteView } from "../../site-view.ts";
import { type Column, Table } from "../table/table.tsx";
import { Badge } from "../text/badge.tsx";
import { counted } from "../text/format-number.ts";
import { DECISIONS, NOTE, reasonInWords } from "./run-words.ts";

const columnsOf = (site: SiteView | undefined): readonly Column<NotedPlace>[] => [
  {
    title: "Place",
    cell: ({ location, found }) => (
      <div className="place">
        <span className="mono wrap-anywhere">{location}</span>
        <span className="quiet small">{found}</span>
      </div>
    ),
  },
  { title: "What it became", cell: (place) => <Became site={site} place={place} /> },
  {
    title: "Decision",
    isNarrow: true,
    cell: ({ decision, reason }) => {
      const { tone, label } = reason === "assumed" ? NOTE : DECISIONS[decision];
      return <Badge tone={tone}>{label}</Badge>;
    },
  },
];

/** The page that readers see of a place, how much of it there is, and what of it is not there. */
function Became({ site, place }: { site: SiteView | undefined; place: NotedPlace }) {
  const { page, path } = place;
  const because = becauseWords(place);
  return (
    <div className="place">
      {page && site && path !== null && (
        <Link to={indexedPagePath(site, path)} className="wrap-anywhere">
          {page.title}
        </Link>
      )}
      {place.reason !== "assumed" && <span className="quiet small">{becameWords(place)}</span>}
      {because && <span className="small wrap-anywhere">{because}</span>}
    </div>
  );
}

interface LedgerTableProps {
  label: string;
  entries: readonly NotedPlace[];
  /** Where the pages lead to; undefined where there are none among them. */
  site?: SiteView | undefined;
}

/** What became of each place of a source, and why of those that are no pages. */
export function LedgerTable({ label, entries, site }: LedgerTableProps) {
  return <Table label={label} rows={entries} columns={columnsOf(site)} keyOf={({ location }) => location} />;
}

/** What a run noted of a place; with the page that readers see of it, where that was asked for. */
export type NotedPlace = Omit<LedgerEntry, "page"> & { page?: LedgerEntry["page"] };

/** What documents are called, by the endings of their files. */
const KINDS: readonly (readonly [string, RegExp])[] = [
  ["PDF", /\.pdf$/i],
  ["Text document", /\.(?:docx|docm|dotx|odt|ott|fodt|rtf)$/i],
  ["Slides", /\.(?:pptx|pptm|ppsx|potx|odp|otp|fodp)$/i],
  ["Spreadsheet", /\.(?:xlsx|xlsm|xltx|ods|ots|fods)$/i],
  ["Table", /\.(?:csv|tsv)$/i],
  ["Book", /\.epub$/i],
  ["Mail", /\.(?:eml|msg)$/i],
  ["Mailbox", /\.mbox$/i],
];

const kindOf = ({ location }: NotedPlace) => KINDS.find(([, ending]) => ending.test(location))?.[0] ?? "Page";

/** What a place of a source became: of which kind, and how much of it there is. */
export function becameWords(place: NotedPlace): string {
  const { decision, page, passages } = place;
  if (decision === "removed") return "No page any more";
  if (decision === "skipped") return "No page";
  const kind = kindOf(place);
  const { documentPages = null } = page ?? {};
  const [one, many] = kind === "Slides" ? ["slide", "slides"] : ["page", "pages"];
  const size = [
    ...(documentPages === null ? [] : [counted(documentPages, one, many)]),
    ...(passages === null ? [] : [counted(passages, "passage")]),
  ];
  return [kind, ...size].join(", ");
}

/** Why it became no page, or not all of one; undefined where nothing is to be said. */
export function becauseWords({ decision, reason, detail }: NotedPlace): string | undefined {
  if (detail === null || detail === "") return reason === null ? undefined : reasonInWords(reason);
  if (reason === "assumed") return `${reasonInWords(reason)}: ${detail}`;
  const isTaken = decision !== "skipped" && decision !== "kept";
  return isTaken && reason === "parse_fault" ? `Not all of it: ${detail}` : `It ${detail}`;
}
