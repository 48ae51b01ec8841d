const NEWLINE = 10;

/** Reads a stream in pieces of the sizes that are asked for. */
export interface ByteSource {
  /** Exactly so many bytes; fewer only where the stream ends. */
  take(count: number): Promise<Uint8Array>;
  /** Passes over so many bytes, and says how many there were. */
  skip(count: number): Promise<number>;
  /** The next line without its end; undefined where the stream ends first. */
  line(bytesMax: number): Promise<string | undefined>;
}

export function createByteSource(stream: AsyncIterable<Uint8Array>): ByteSource {
  const parts = stream[Symbol.asyncIterator]();
  let rest: Uint8Array = new Uint8Array(0);

  /** What is there next, at most so many bytes; nothing at the end. */
  const next = async (count: number): Promise<Uint8Array> => {
    while (rest.length === 0) {
      const { value, done } = await parts.next();
      if (done === true) return rest;
      rest = value;
    }
    const piece = rest.subarray(0, count);
    rest = rest.subarray(piece.length);
    return piece;
  };
  /** Hands on what is there until so many bytes have passed, or the stream ends. */
  const pass = async (count: number, each: (piece: Uint8Array, at: number) => void): Promise<number> => {
    let passed = 0;
    while (passed < count) {
      const piece = await next(count - passed);
      if (piece.length === 0) break;
      each(piece, passed);
      passed += piece.length;
    }
    return passed;
  };

  return {
    async take(count) {
      const whole = new Uint8Array(count);
      const length = await pass(count, (piece, at) => whole.set(piece, at));
      return length === count ? whole : whole.subarray(0, length);
    },
    skip: (count) => pass(count, () => {}),
    async line(bytesMax) {
      const bytes: number[] = [];
      while (bytes.length <= bytesMax) {
        const [byte] = await next(1);
        if (byte === undefined) return undefined;
        if (byte === NEWLINE) return new TextDecoder().decode(Uint8Array.from(bytes));
        bytes.push(byte);
      }
      return undefined;
    },
  };
}
