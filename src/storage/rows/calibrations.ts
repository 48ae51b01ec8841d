import type { Calibration, CalibrationKey } from "@docent/finding/search/relevance/relevance";
import { audienceKey } from "@docent/sites/pages/audience";

export interface CalibrationRow {
  generation: number;
  coveredMean: number;
  coveredDeviation: number;
  nearMean: number | null;
  nearDeviation: number | null;
  familiarMean: number;
  familiarDeviation: number;
}

const NO_EMBEDDER = 0;
/** How many of the latest turns are read to tell who asks a site. */
export const TURNS_READ = 2000;

export const keyParameters = ({
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

export function toCalibration(row: CalibrationRow): Calibration {
  const { nearMean, nearDeviation } = row;
  return {
    covered: { mean: row.coveredMean, deviation: row.coveredDeviation },
    near:
      nearMean === null || nearDeviation === null ? undefined : { mean: nearMean, deviation: nearDeviation },
    familiar: { mean: row.familiarMean, deviation: row.familiarDeviation },
  };
}
