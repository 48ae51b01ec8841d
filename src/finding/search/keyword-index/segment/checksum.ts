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

/** Where a row stands: one that was written elsewhere is not read here. */
interface RowPlace {
  segmentId: number;
  row: number;
}

/** Bytes with their checksum behind them. */
export function seal(bytes: Uint8Array, place: RowPlace): Uint8Array {
  const sealed = new Uint8Array(bytes.length + CHECKSUM_BYTES);
  sealed.set(bytes);
  new DataView(sealed.buffer).setUint32(bytes.length, checksumOf(bytes, place), true);
  return sealed;
}

/** The bytes that were sealed at this place. Undefined where they are not those any more. */
export function unseal(sealed: Uint8Array, place: RowPlace): Uint8Array | undefined {
  const length = sealed.length - CHECKSUM_BYTES;
  if (length < 0) return undefined;
  const bytes = sealed.subarray(0, length);
  const view = new DataView(sealed.buffer, sealed.byteOffset, sealed.byteLength);
  return view.getUint32(length, true) === checksumOf(bytes, place) ? bytes : undefined;
}

const checksumOf = (bytes: Uint8Array, { segmentId, row }: RowPlace) =>
  (Bun.hash.crc32(bytes) ^ Bun.hash.crc32(`${segmentId} ${row}`)) >>> 0;
