import type { ListedTurn, ListPlace, StoredConversation } from "@docent/measuring/analytics/stores";
import { z } from "zod";
import { fieldsOf, type RowOf } from "./fields.ts";
import { readLooks, readStrings } from "./json.ts";

export interface ConversationRow extends RowOf<Omit<StoredConversation, "cited" | "rewritten" | "looks">> {
  rewrittenJson: string;
  looksJson: string;
  citedJson: string;
}

const citedSchema = z.lazy(() => z.array(z.object({ passageId: z.number(), url: z.string() })));

/** The title of a page that a passage is of. */
export interface TitleRow {
  id: number;
  title: string;
}

const readCited = ({ citedJson }: ConversationRow) => citedSchema.parse(JSON.parse(citedJson));

/** The ids of all passages that are cited in conversations. */
export const citedIn = (rows: readonly ConversationRow[]): number[] => [
  ...new Set(rows.flatMap(readCited).map(({ passageId }) => passageId)),
];

/** Conversations, with the titles of the pages that they cite. */
export function toConversations(
  rows: readonly ConversationRow[],
  titles: readonly TitleRow[],
): StoredConversation[] {
  const titleOf = new Map(titles.map(({ id, title }) => [id, title]));
  return rows.map((row) => ({
    ...toConversation(row),
    cited: onePerUrl(readCited(row).map(({ passageId, url }) => ({ url, title: titleOf.get(passageId) }))),
  }));
}

function toConversation({
  citedJson: _,
  rewrittenJson,
  looksJson,
  ...row
}: ConversationRow): Omit<StoredConversation, "cited"> {
  const helpful = row.helpful === null ? undefined : row.helpful === 1;
  return { ...fieldsOf(row), rewritten: readStrings(rewrittenJson), looks: readLooks(looksJson), helpful };
}

const onePerUrl = (cited: StoredConversation["cited"]) => [
  ...new Map(cited.map((each) => [each.url, each])).values(),
];

/** Sorts after every id. */
const LAST_ID = "\u{10FFFF}";

/** The place just before whatever happened at that moment or later. */
export const placeBefore = (at: number): ListPlace => ({ at: at - 1, id: LAST_ID });

/** A conversation as it is listed. */
export const toListedTurn = (row: RowOf<ListedTurn>): ListedTurn => ({
  ...fieldsOf(row),
  answer: row.answer.toWellFormed(),
  cached: row.cached === 1,
  helpful: row.helpful === null ? undefined : row.helpful === 1,
});

/** Whether a thread is not for who reads it; owners, who ask for nobody, read all of them. */
export const isAnothers = (
  { reader }: { reader: string | null },
  readBy: { readerId: string | undefined } | undefined,
): boolean => readBy !== undefined && reader !== null && reader !== readBy.readerId;
