import { contentKey } from "@docent/finding/enrich/enrichment";
import type { PageMarks } from "@docent/reading/page/page-marks";
import type { Source } from "@docent/reading/source";
import type { StagedPage } from "@docent/sites/ingest/stores";
import { LINK, wantedJson } from "../../content/content.ts";
import { all, get, run, runEach, type Steps } from "../../sql/sql.ts";
import { insertInto, statement } from "../../sql/statement.ts";
import { pages, passages } from "../../tables/content.ts";
import { wholeText } from "../../whole-text.ts";

const INSERT_PAGE = statement<{ id: number }>(`
  ${insertInto(pages, ["siteId", "sourceId", "path", "location", "version", "language", "title", "description", "frontMatterJson", "tagsJson", "groupsJson", "hidden", "markdown", "contentHash", "born", "kind", "changedIn", "translationsJson", "answered"])}
  RETURNING id`);
const INSERT_PASSAGE = statement(
  insertInto(passages, [
    "pageId",
    "siteId",
    "position",
    "headingsJson",
    "anchor",
    "markdown",
    "text",
    "languagesJson",
    "tokens",
    "identifiersJson",
    "innerHeadingsJson",
    "lacksWords",
    "born",
  ]),
);
/** How long a hash of what a file says is. */
const DIGEST_CHARACTERS = 64;
/**
 * The page that this one takes the place of, if its file is the same: a hash begins with how the file was read, and ends
 * with how the page is marked.
 */
const SAME_FILE = statement<{ changedIn: number }>(`
  SELECT coalesce(changed_in, born) AS "changedIn" FROM pages
  WHERE source_id = $sourceId AND path = $path AND +died = $runId
    AND substr(content_hash, instr(content_hash, ':') + 1, ${DIGEST_CHARACTERS}) = $file`);
/** Whether anything was written for a site. */
const ANY_ENRICHMENT = statement("SELECT id FROM enrichments WHERE site_id = $siteId LIMIT 1");
const PASSAGES = statement<{ id: number; position: number }>(
  "SELECT id, position FROM passages WHERE page_id = $pageId",
);

/** Writes pages with their passages, one by one: SQLite takes each faster than it reads a list of them. */
export function* stagePages(
  source: Source,
  runId: number,
  staged: readonly StagedPage[],
): Steps<ReadonlyMap<string, number>> {
  const isEnriched = (yield* get(ANY_ENRICHMENT, { siteId: source.siteId })) !== undefined;
  const idOf = new Map<string, number>();
  for (const page of staged) {
    const pageId = yield* stagePage(source, runId, page);
    yield* stagePassages(page, { pageId, siteId: source.siteId, born: runId });
    if (isEnriched) yield* linkWritten(source.siteId, pageId, page);
    idOf.set(wholeText(page.path), pageId);
  }
  return idOf;
}

function* stagePage(
  { id: sourceId, siteId, ...source }: Source,
  runId: number,
  page: StagedPage,
): Steps<number> {
  const { path, location, title, description, hidden, markdown, contentHash, kind, answered } = page;
  const { version, language, translations }: PageMarks = page.marks ?? source;
  const digestAt = contentHash.indexOf(":") + 1;
  const file = contentHash.slice(digestAt, digestAt + DIGEST_CHARACTERS);
  const before = yield* get(SAME_FILE, { sourceId, path, runId, file });
  const added = yield* get(INSERT_PAGE, {
    siteId,
    sourceId,
    path,
    location,
    version,
    language,
    title,
    description,
    frontMatterJson: JSON.stringify(page.frontMatter),
    tagsJson: JSON.stringify(page.tags),
    groupsJson: JSON.stringify(page.groups),
    hidden,
    markdown,
    contentHash,
    born: runId,
    kind,
    changedIn: before?.changedIn,
    translationsJson: translations && JSON.stringify(translations),
    answered,
  });
  if (added === undefined) throw new Error("the page that was just written is not there");
  return added.id;
}

const stagePassages = (page: StagedPage, of: { pageId: number; siteId: number; born: number }): Steps<void> =>
  runEach(
    INSERT_PASSAGE,
    page.passages.map((passage) => ({
      ...of,
      position: passage.position,
      headingsJson: JSON.stringify(passage.headingPath),
      anchor: passage.anchor,
      markdown: passage.markdown,
      text: passage.text,
      languagesJson: JSON.stringify(passage.codeLanguages),
      tokens: passage.tokensEstimated,
      identifiersJson: JSON.stringify(passage.identifiers),
      innerHeadingsJson: JSON.stringify(passage.innerHeadings),
      lacksWords: passage.lacksWords === true,
    })),
  );

/** Gives passages that are being stored what was written for the same content, so that a new generation has it at once. */
function* linkWritten(siteId: number, pageId: number, { title, passages: of }: StagedPage): Steps<void> {
  const keyOf = new Map(
    of.map(({ position, headingPath: headings, text }) => [position, contentKey({ title, headings, text })]),
  );
  const wanted = (yield* all(PASSAGES, { pageId })).map(({ id, position }) => ({
    passageId: id,
    key: keyOf.get(position) ?? "",
  }));
  yield* run(LINK, { siteId, wantedJson: wantedJson(wanted) });
}
