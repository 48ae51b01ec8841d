import type { Database } from "bun:sqlite";
import type { CalibrationStore } from "../../../search/relevance/relevance.ts";
import { readAudience } from "../../rows/audience.ts";
import { type CalibrationRow, keyParameters, TURNS_READ, toCalibration } from "../../rows/calibrations.ts";

export function createCalibrationStore(database: Database): CalibrationStore {
  const nearest = database.query<CalibrationRow, Record<string, number | string>>(`
    SELECT generation, covered_mean AS coveredMean, covered_deviation AS coveredDeviation, near_mean AS nearMean,
           near_deviation AS nearDeviation, familiar_mean AS familiarMean, familiar_deviation AS familiarDeviation
    FROM calibrations WHERE site_id = $siteId AND audience = $audience AND embedder_id = $embedderId AND revision = $revision
    ORDER BY abs(generation - $generation), generation LIMIT 1`);
  const put = database.query<undefined, Record<string, number | string | null>>(`
    INSERT OR REPLACE INTO calibrations (site_id, generation, audience, embedder_id, revision, covered_mean, covered_deviation,
      near_mean, near_deviation, familiar_mean, familiar_deviation)
    SELECT sites.id, number, $audience, $embedderId, $revision, $coveredMean, $coveredDeviation, $nearMean, $nearDeviation,
      $familiarMean, $familiarDeviation
    FROM generations JOIN sites ON sites.id = generations.site_id
    WHERE sites.id = $siteId AND number = $generation AND undone_at IS NULL AND number >= sites.oldest_generation`);
  const askedBy = database.query<{ json: string }, Record<string, number>>(`
    SELECT audience_json AS json FROM (
      SELECT audience_json FROM turns WHERE site_id = $siteId ORDER BY created_at DESC LIMIT ${TURNS_READ})
    WHERE audience_json IS NOT NULL GROUP BY audience_json ORDER BY count(*) DESC, audience_json LIMIT $limit`);
  return {
    async askedBy(siteId, limit) {
      return askedBy.all({ siteId, limit }).map(({ json }) => readAudience(json));
    },
    async nearest(key) {
      const row = nearest.get(keyParameters(key));
      return row === null ? undefined : { generation: row.generation, calibration: toCalibration(row) };
    },

    async put(key, { covered, near, familiar }) {
      put.run({
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
