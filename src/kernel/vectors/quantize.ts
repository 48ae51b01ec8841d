/** One bit for each dimension: whether it is positive. Vectors near each other differ in few bits. */
export function signBits(vector: Float32Array): Uint8Array {
  const bits = new Uint8Array(Math.ceil(vector.length / 8));
  for (let index = 0; index < vector.length; index++) {
    if ((vector[index] ?? 0) > 0) bits[index >> 3] = (bits[index >> 3] ?? 0) | (1 << (index & 7));
  }
  return bits;
}

/** One signed byte for each dimension, the largest being 127. Keeps the angle, not the length. */
export function signedBytes(vector: Float32Array): Int8Array {
  let largest = 0;
  for (let index = 0; index < vector.length; index++)
    largest = Math.max(largest, Math.abs(vector[index] ?? 0));
  const bytes = new Int8Array(vector.length);
  if (largest === 0) return bytes;
  for (let index = 0; index < vector.length; index++)
    bytes[index] = Math.round(((vector[index] ?? 0) / largest) * 127);
  return bytes;
}

/** The cosine of the angle between two vectors, from -1 to 1. */
export function cosine(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let product = 0;
  let lengthA = 0;
  let lengthB = 0;
  for (let index = 0; index < a.length; index++) {
    const x = a[index] ?? 0;
    const y = b[index] ?? 0;
    product += x * y;
    lengthA += x * x;
    lengthB += y * y;
  }
  return lengthA === 0 || lengthB === 0 ? 0 : product / Math.sqrt(lengthA * lengthB);
}

/**
 * Measures the cosine of a vector with those that begin at a place among others. Single precision, as sqlite-vec has it: a
 * similarity, and with it an order of results, must not depend on where a vector lies. Who asks for the same ones again and
 * again may keep the sums of their squares.
 */
export function createSimilarity(
  vector: Int8Array,
): (others: Int8Array, from: number, squares?: number) => number {
  const dimensions = vector.length;
  const length = Math.sqrt(squaresOf(vector, 0, dimensions));
  return (others, from, squares = squaresOf(others, from, dimensions)) => {
    // Whole numbers, which never grow beyond 32 bits here.
    let product = 0;
    for (let index = 0; index < dimensions; index++)
      product = (product + Math.imul(vector[index] ?? 0, others[from + index] ?? 0)) | 0;
    const both = length * Math.sqrt(squares);
    return both === 0 ? 0 : 1 - Math.fround(1 - product / both);
  };
}

/** The sum of the squares of a vector that begins at a place among others. */
export function squaresOf(vectors: Int8Array, from: number, dimensions: number): number {
  let squares = 0;
  for (let at = from; at < from + dimensions; at++) {
    const value = vectors[at] ?? 0;
    squares = (squares + Math.imul(value, value)) | 0;
  }
  return squares;
}
