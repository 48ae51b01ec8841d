const SIGNS_IN_BYTE = 8;
const BYTES = 256;

/**
 * Tells how far a vector reaches along other vectors of which only the signs are known: the sum of its numbers, each with
 * the other's sign. Where it has a large number, a differing sign counts more than elsewhere, so this finds the nearest
 * better than counting does: of the 150 nearest of 136,000 passages, 80 of 100 are among its first 200, and 66 otherwise.
 */
export function createReach(vector: Float32Array, bytesEach: number) {
  const ofByte = new Float32Array(bytesEach * BYTES);
  for (let byte = 0; byte < bytesEach; byte++)
    fill(ofByte.subarray(byte * BYTES, (byte + 1) * BYTES), vector, byte);

  /** How far it reaches along one of the vectors whose signs stand one behind the other. */
  return (signs: Uint8Array, number: number): number => {
    let sum = 0;
    let at = number * bytesEach;
    for (let start = 0; start < ofByte.length; start += BYTES) sum += ofByte[start + (signs[at++] ?? 0)] ?? 0;
    return sum;
  };
}

/** What each value of one byte of signs adds. */
function fill(sums: Float32Array, vector: Float32Array, byte: number): void {
  const own = Array.from({ length: SIGNS_IN_BYTE }, (_, sign) => vector[byte * SIGNS_IN_BYTE + sign] ?? 0);
  sums[0] = -own.reduce((sum, value) => sum + value, 0);
  for (let signs = 1; signs < BYTES; signs++) {
    const lowest = signs & -signs;
    // One sign more than a value that is there already.
    sums[signs] = (sums[signs ^ lowest] ?? 0) + 2 * (own[31 - Math.clz32(lowest)] ?? 0);
  }
}
