const HEADER_BYTES = 16;
const COMPRESSED = 0x75465a4c;
const UNCOMPRESSED = 0x414c454d;
const WINDOW_BYTES = 4_096;
/** What the window holds at the beginning, as the format says: the words of every RTF. */
const PREFIX =
  "{\\rtf1\\ansi\\mac\\deff0\\deftab720{\\fonttbl;}{\\f0\\fnil \\froman \\fswiss \\fmodern \\fscript \\fdecor MS Sans SerifSymbolArialTimes New RomanCourier{\\colortbl\\red0\\green0\\blue0\r\n\\par \\pard\\plain\\f0\\fs20\\b\\i\\u\\tab\\tx";

/** Unpacks the RTF of a mail of Outlook, as far as it goes, and not beyond a bound; undefined where it is none. */
export function unpackRtf(packed: Uint8Array, bytesMax: number): Uint8Array | undefined {
  if (packed.length < HEADER_BYTES) return undefined;
  const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength);
  const kind = view.getUint32(8, true);
  if (kind === UNCOMPRESSED) return packed.subarray(HEADER_BYTES, HEADER_BYTES + view.getUint32(4, true));
  if (kind !== COMPRESSED) return undefined;
  return unpack(
    packed.subarray(HEADER_BYTES),
    Math.min(bytesMax, packed.length * 20, view.getUint32(4, true)),
  );
}

/** Each bit of a flag byte says whether a byte follows, or a place in the window of what came before. */
function unpack(packed: Uint8Array, length: number): Uint8Array {
  const out = new Uint8Array(length);
  const window = new Uint8Array(WINDOW_BYTES);
  window.set(Buffer.from(PREFIX, "latin1"));
  let write = PREFIX.length;
  let at = 0;
  let done = 0;
  const put = (byte: number) => {
    out[done++] = byte;
    window[write] = byte;
    write = (write + 1) % WINDOW_BYTES;
  };
  while (at < packed.length && done < length) {
    const flags = packed[at++] ?? 0;
    for (let bit = 0; bit < 8 && at < packed.length && done < length; bit++) {
      if ((flags & (1 << bit)) === 0) {
        put(packed[at++] ?? 0);
        continue;
      }
      const place = ((packed[at] ?? 0) << 8) | (packed[at + 1] ?? 0);
      at += 2;
      const from = place >> 4;
      if (from === write) return out.subarray(0, done);
      for (let copied = 0; copied < (place & 15) + 2 && done < length; copied++)
        put(window[(from + copied) % WINDOW_BYTES] ?? 0);
    }
  }
  return out.subarray(0, done);
}
