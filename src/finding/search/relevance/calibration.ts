import type { Audience } from "@docent/sites/pages/audience";

/** The mean of some numbers, and how far they are from it. */
export interface Spread {
  mean: number;
  deviation: number;
}

/** The evidence that a site's passages give for questions that have nothing to do with it: what must be exceeded. */
export interface Calibration {
  covered: Spread;
  /** Undefined where the site has no vectors. */
  near?: Spread | undefined;
  familiar: Spread;
}

/** Raised whenever evidence is taken in another way, or other questions are asked: sites are then calibrated anew. */
export const CALIBRATION_REVISION = 1;

/** Behind those of passages alone: what foreign questions reach with what was written for passages, too. */
const WRITTEN_REVISIONS = 1000;

/** What the evidence is taken of: passages alone, or with what was written for them. */
export const calibrationRevision = (isEnriched: boolean): number =>
  CALIBRATION_REVISION + (isEnriched ? WRITTEN_REVISIONS : 0);

/** Which calibration is meant: similarities of two embedders cannot be compared. */
export interface CalibrationKey {
  siteId: number;
  generation: number;
  /** Whose: of the pages that are for them alone. */
  audience: Audience;
  embedderId: number | undefined;
  revision: number;
}

/** A calibration of a generation that was measured there, or taken over from one before. */
export interface KeptCalibration {
  generation: number;
  calibration: Calibration;
  /** How many pages have changed since it was measured. */
  pagesChanged: number;
}

interface PageChanges {
  changed: number;
  pages: number;
}

/** Keeps the calibrations of sites. */
export interface CalibrationStore {
  /** That of the generation, or else of the nearest one that has been calibrated alike. */
  nearest(key: CalibrationKey): Promise<KeptCalibration | undefined>;
  /**
   * Keeps one as long as its generation is kept, with how many pages have changed since it was measured. A generation that is
   * gone gets none.
   */
  put(key: CalibrationKey, calibration: Calibration, pagesChanged?: number): Promise<void>;
  /**
   * How many pages changed behind one generation up to a later one, and how many the later one has; undefined where the
   * earlier one was taken back.
   */
  changes(siteId: number, earlier: number, later: number): Promise<PageChanges | undefined>;
  /** Who asked the latest questions of a site, besides those who are not known: whoever asked most comes first. */
  askedBy(siteId: number, limit: number): Promise<Audience[]>;
}

/** What foreign questions reach in docs of 1,000 passages, and how this grows with each tenfold number. */
const TYPICAL = {
  covered: { mean: 0.27, deviation: 0.165, meanGrowth: 0.096, deviationGrowth: 0.02 },
  near: { mean: 0.19, deviation: 0.068, meanGrowth: 0.069, deviationGrowth: 0.02 },
  familiar: { mean: 4.1, deviation: 1.15, meanGrowth: -0.6, deviationGrowth: 0.3 },
};
const TYPICAL_PASSAGES = 1000;
/** Where there are fewer passages, what they say of foreign questions is chance: such a site is not calibrated. */
export const CALIBRATED_PASSAGES_MIN = 100;
/** No site's deviations are smaller than those of the smallest that were looked at. */
export const DEVIATION_MIN = { covered: 0.15, near: 0.05, familiar: 1 };

/**
 * A guess for a site that is not calibrated yet. `typicalSimilarity` is that of an average passage,
 * which depends on the embedder.
 */
export function typicalCalibration(passages: number, typicalSimilarity: number): Calibration {
  const tens = Math.log10(Math.max(1, passages) / TYPICAL_PASSAGES);
  const spread = (of: keyof typeof TYPICAL): Spread => {
    const { mean, deviation, meanGrowth, deviationGrowth } = TYPICAL[of];
    return {
      mean: mean + meanGrowth * tens,
      deviation: Math.max(DEVIATION_MIN[of], deviation + deviationGrowth * tens),
    };
  };
  const near = spread("near");
  const rest = 1 - typicalSimilarity;
  return {
    covered: spread("covered"),
    near: { mean: typicalSimilarity + rest * near.mean, deviation: rest * near.deviation },
    familiar: spread("familiar"),
  };
}
