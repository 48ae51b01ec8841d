/** A value of ASN.1 in DER or BER: what it is, and where its content lies. */
interface Value {
  tag: number;
  start: number;
  end: number;
  /** Where the next value begins. */
  next: number;
}

const SIGNED_DATA = [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x07, 0x02];
const DEPTH_MAX = 20;

/** What a message of S/MIME holds that is signed; undefined where it is encrypted, or no such message. */
export function signedContent(bytes: Uint8Array): Uint8Array | undefined {
  const [kind, wrapped] = childrenOf(bytes, readValue(bytes, 0));
  if (kind === undefined || wrapped === undefined) return undefined;
  if (!SIGNED_DATA.every((byte, at) => bytes[kind.start + at] === byte)) return undefined;
  // SignedData: a version, the algorithms, and the content with its type.
  const content = childrenOf(bytes, childrenOf(bytes, wrapped)[0])[2];
  const explicit = childrenOf(bytes, content)[1];
  const octets = explicit === undefined ? undefined : childrenOf(bytes, explicit)[0];
  return octets === undefined ? undefined : Uint8Array.from(Buffer.concat(octetsOf(bytes, octets, 0)));
}

/** The bytes of a string that may be in pieces. */
function octetsOf(bytes: Uint8Array, value: Value, depth: number): Uint8Array[] {
  if ((value.tag & 0x20) === 0) return [bytes.subarray(value.start, value.end)];
  if (depth > DEPTH_MAX) return [];
  return childrenOf(bytes, value).flatMap((piece) => octetsOf(bytes, piece, depth + 1));
}

const VALUES_MAX = 100_000;

function childrenOf(bytes: Uint8Array, value: Value | undefined): Value[] {
  const children: Value[] = [];
  for (let at = value?.start ?? 0; value !== undefined && at < value.end && children.length < VALUES_MAX; ) {
    const child = readValue(bytes, at);
    if (child === undefined || child.tag === 0) break;
    children.push(child);
    at = child.next;
  }
  return children;
}

function readValue(bytes: Uint8Array, at: number, depth = 0): Value | undefined {
  const tag = bytes[at];
  const first = bytes[at + 1];
  if (tag === undefined || first === undefined || depth > DEPTH_MAX) return undefined;
  if (first === 0x80) return readOpenValue(bytes, at, tag, depth);
  let length = first;
  let start = at + 2;
  if (first > 0x80) {
    length = 0;
    for (let left = Math.min(first & 0x7f, 5); left > 0; left--)
      length = length * 256 + (bytes[start++] ?? 0);
  }
  const end = Math.min(bytes.length, start + length);
  return { tag, start, end, next: end };
}

/** A value without a length ends with two zeros. */
function readOpenValue(bytes: Uint8Array, at: number, tag: number, depth: number): Value | undefined {
  let next = at + 2;
  for (let count = 0; next < bytes.length && count < VALUES_MAX; count++) {
    if (bytes[next] === 0 && bytes[next + 1] === 0) return { tag, start: at + 2, end: next, next: next + 2 };
    const child = readValue(bytes, next, depth + 1);
    if (child === undefined) break;
    next = child.next;
  }
  return { tag, start: at + 2, end: Math.min(next, bytes.length), next: Math.min(next, bytes.length) };
}
