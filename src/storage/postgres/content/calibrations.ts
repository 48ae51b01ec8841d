import type { CalibrationStore } from "../../../search/relevance/relevance.ts";
import { readAudience } from "../../rows/audience.ts";
import { type CalibrationRow, keyParameters, TURNS_READ, toCalibration } from "../../rows/calibrations.ts";
import type { Database } from "../database/database.ts";

const NEAREST = `
  SELECT generation, covered_mean, covered_deviation, near_mean, near_deviation, familiar_mean, familiar_deviation
  FROM calibrations WHERE site_id = $siteId AND audience = $audience AND embedder_id = $embedderId AND revision = $revision
  ORDER BY abs(generation - $generation), generation LIMIT 1`;
const PUT = `
  INSERT INTO calibrations (site_id, generation, audience, embedder_id, revision, covered_mean, covered_deviation, near_mean,
    near_deviation, familiar_mean, familiar_deviation)
  SELECT sites.id, number, $audience, $embedderId::int, $revision::int, $coveredMean::float8, $coveredDeviation::float8,
    $nearMean::float8, $nearDeviation::float8, $familiarMean::float8, $familiarDeviation::float8
  FROM generations JOIN sites ON sites.id = generations.site_id
  WHERE sites.id = $siteId AND number = $generation AND undone_at IS NULL AND number >= sites.oldest_generation
  ON CONFLICT (site_id, generation, audience, revision) DO UPDATE SET embedder_id = excluded.embedder_id,
    covered_mean = excluded.covered_mean, covered_deviation = excluded.covered_deviation,
    near_mean = excluded.near_mean, near_deviation = excluded.near_deviation,
    familiar_mean = excluded.familiar_mean, familiar_deviation = excluded.familiar_deviation`;

const ASKED_BY = `
  SELECT audience_json AS json FROM (
    SELECT audience_json FROM turns WHERE site_id = $siteId ORDER BY created_at DESC LIMIT ${TURNS_READ}) AS latest
  WHERE audience_json IS NOT NULL GROUP BY audience_json ORDER BY count(*) DESC, audience_json LIMIT $limit`;

export function createCalibrationStore(database: Database): CalibrationStore {
  return {
    async askedBy(siteId, limit) {
      const rows = await database.all<{ json: string }>(ASKED_BY, { siteId, limit });
      return rows.map(({ json }) => readAudience(json));
    },
    async nearest(key) {
      const row = await database.get<CalibrationRow>(NEAREST, keyParameters(key));
      return row && { generation: row.generation, calibration: toCalibration(row) };
    },

    async put(key, { covered, near, familiar }) {
      await database.run(PUT, {
        ...keyParameters(key),
        coveredMean: covered.mean,
        coveredDeviation: covered.deviation,
        nearMean: near?.mean ?? null,
        nearDeviation: near?.deviation ?? null,
        familiarMean: familiar.mean,
        familiarDeviation: familiar.deviation,
      });
    },
  };
}
