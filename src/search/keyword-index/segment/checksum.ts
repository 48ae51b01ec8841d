const CHECKSUM_BYTES = 4;

/** A row of a segment is not what was written: the disk or someone has changed it. */
export class SegmentDamaged extends Error {
  constructor(
    readonly segmentId: number,
    row: number,
  ) {
    super(`row ${row} of segment ${segmentId} of the keyword index is damaged`);
    this.name = "SegmentDamaged";
  }
}

/** Bytes with their checksum behind them. */
export function seal(bytes: Uint8Array): Uint8Array {
  const sealed = new Uint8Array(bytes.length + CHECKSUM_BYTES);
  sealed.set(bytes);
  new DataView(sealed.buffer).setUint32(bytes.length, Bun.hash.crc32(bytes), true);
  return sealed;
}

/** The bytes that were sealed. Undefined where they are not those any more. */
export function unseal(sealed: Uint8Array): Uint8Array | undefined {
  const length = sealed.length - CHECKSUM_BYTES;
  if (length < 0) return undefined;
  const bytes = sealed.subarray(0, length);
  const view = new DataView(sealed.buffer, sealed.byteOffset, sealed.byteLength);
  return view.getUint32(length, true) === Bun.hash.crc32(bytes) ? bytes : undefined;
}
