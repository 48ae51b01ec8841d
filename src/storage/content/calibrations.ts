import type {
  Calibration,
  CalibrationKey,
  CalibrationStore,
} from "@docent/finding/search/relevance/relevance";
import { audienceKey } from "@docent/sites/pages/audience";
import { readAudience } from "../rows/audience.ts";
import type { Sql } from "../sql/sql.ts";
import { select, statement } from "../sql/statement.ts";
import { calibrations } from "../tables/content.ts";
import { inSite } from "./pages.ts";

/** How many of the latest turns are read to tell who asks a site. */
const TURNS_READ = 2000;

const NEAREST = select(
  calibrations,
  [
    "generation",
    "coveredMean",
    "coveredDeviation",
    "nearMean",
    "nearDeviation",
    "familiarMean",
    "familiarDeviation",
    "pagesChanged",
  ],
  `FROM calibrations
  WHERE site_id = $siteId AND audience = $audience AND embedder_id = $embedderId AND revision = $revision
  ORDER BY abs(generation - $generation), generation LIMIT 1`,
);
const number = (name: string) => `CAST($${name} AS double precision)`;
const PUT = statement(`
  INSERT INTO calibrations (site_id, generation, audience, embedder_id, revision, covered_mean, covered_deviation, near_mean,
    near_deviation, familiar_mean, familiar_deviation, pages_changed)
  SELECT sites.id, number, CAST($audience AS text), CAST($embedderId AS integer), CAST($revision AS integer),
    ${number("coveredMean")}, ${number("coveredDeviation")}, ${number("nearMean")}, ${number("nearDeviation")},
    ${number("familiarMean")}, ${number("familiarDeviation")},
    CAST($pagesChanged AS integer)
  FROM generations JOIN sites ON sites.id = generations.site_id
  WHERE sites.id = $siteId AND number = $generation AND undone_at IS NULL AND number >= sites.oldest_generation
  ON CONFLICT (site_id, generation, audience, revision) DO UPDATE SET embedder_id = excluded.embedder_id,
    covered_mean = excluded.covered_mean, covered_deviation = excluded.covered_deviation,
    near_mean = excluded.near_mean, near_deviation = excluded.near_deviation,
    familiar_mean = excluded.familiar_mean, familiar_deviation = excluded.familiar_deviation,
    pages_changed = excluded.pages_changed`);
/** Pages that came, and pages that went, with the runs behind one generation up to another. */
const changedBy = (column: "born" | "died") => `
  (SELECT count(*) FROM generations AS run JOIN pages ON pages.${column} = run.id
    WHERE run.site_id = $siteId AND run.number > $earlier AND run.number <= $later)`;
const CHANGES = statement<{ kept: number; came: number; gone: number; pages: number }>(
  (d) => `
  SELECT ${changedBy("born")} AS came, ${changedBy("died")} AS gone, count(*) AS pages,
    (SELECT count(*) FROM generations AS kept
      WHERE kept.site_id = $siteId AND kept.number = $earlier AND kept.undone_at IS NULL) AS kept
  ${inSite(d)}`,
);
const ASKED_BY = statement<{ json: string }>(`
  SELECT audience_json AS json FROM (
    SELECT audience_json FROM turns WHERE site_id = $siteId ORDER BY created_at DESC LIMIT ${TURNS_READ}) AS latest
  WHERE audience_json IS NOT NULL GROUP BY audience_json ORDER BY count(*) DESC, audience_json LIMIT $limit`);

export function createCalibrationStore(sql: Sql): CalibrationStore {
  return {
    async askedBy(siteId, limit) {
      return (await sql.all(ASKED_BY, { siteId, limit })).map(({ json }) => readAudience(json));
    },
    async nearest(key) {
      const row = await sql.get(NEAREST, keyParameters(key));
      if (row === undefined) return undefined;
      const { generation, pagesChanged } = row;
      return { generation, calibration: toCalibration(row), pagesChanged };
    },
    async changes(siteId, earlier, later) {
      const row = await sql.get(CHANGES, { siteId, earlier, later, generation: later });
      if (row === undefined || row.kept === 0) return undefined;
      return { changed: Math.max(row.came, row.gone), pages: row.pages };
    },

    async put(key, { covered, near, familiar }, pagesChanged = 0) {
      await sql.run(PUT, {
        ...keyParameters(key),
        coveredMean: covered.mean,
        coveredDeviation: covered.deviation,
        nearMean: near?.mean,
        nearDeviation: near?.deviation,
        familiarMean: familiar.mean,
        familiarDeviation: familiar.deviation,
        pagesChanged,
      });
    },
  };
}

interface CalibrationRow {
  generation: number;
  coveredMean: number;
  coveredDeviation: number;
  nearMean: number | null;
  nearDeviation: number | null;
  familiarMean: number;
  familiarDeviation: number;
  pagesChanged: number;
}

const NO_EMBEDDER = 0;

const keyParameters = ({
  siteId,
  generation,
  audience,
  embedderId = NO_EMBEDDER,
  revision,
}: CalibrationKey) => ({
  siteId,
  generation,
  audience: audienceKey(audience),
  embedderId,
  revision,
});

function toCalibration(row: CalibrationRow): Calibration {
  const { nearMean, nearDeviation } = row;
  return {
    covered: { mean: row.coveredMean, deviation: row.coveredDeviation },
    near:
      nearMean === null || nearDeviation === null ? undefined : { mean: nearMean, deviation: nearDeviation },
    familiar: { mean: row.familiarMean, deviation: row.familiarDeviation },
  };
}
