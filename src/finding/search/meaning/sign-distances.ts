/** The distance up to which at least `limit` vectors lie, by the number of vectors at each distance. */
export function cutoffOf(counts: Uint32Array, limit: number, dimensions: number): number {
  let found = 0;
  for (let distance = 0; distance <= dimensions; distance++) {
    found += counts[distance] ?? 0;
    if (found >= limit) return distance;
  }
  return dimensions;
}

/** How near vectors are to a question in general: what tells a near one apart. */
export interface SimilarityLevel {
  /** The average cosine, from -1 to 1: the level that means nothing. */
  typical: number;
  /** The standard deviation of the cosine. */
  spread: number;
}

/** The level of a site without vectors. */
export const NO_LEVEL: SimilarityLevel = { typical: 0, spread: 1 };

/** The least spread: the few vectors of a small site may all be equally far. */
const SPREAD_MIN = 0.05;

/**
 * Estimates the level from the number of vectors at each distance: the share of signs in which two vectors differ is their
 * angle's share of a half turn. What signs differ by chance is taken from the spread.
 */
export function similarityLevel(counts: Uint32Array, dimensions: number): SimilarityLevel {
  let vectors = 0;
  let sum = 0;
  let squares = 0;
  for (let distance = 0; distance <= dimensions; distance++) {
    const own = counts[distance] ?? 0;
    vectors += own;
    sum += own * distance;
    squares += own * distance * distance;
  }
  if (vectors === 0) return { typical: 0, spread: SPREAD_MIN };
  const share = sum / vectors / dimensions;
  const variance = squares / vectors / dimensions ** 2 - share ** 2 - (share * (1 - share)) / dimensions;
  const spread = Math.PI * Math.sin(Math.PI * share) * Math.sqrt(Math.max(0, variance));
  return { typical: Math.cos(Math.PI * share), spread: Math.max(SPREAD_MIN, spread) };
}
