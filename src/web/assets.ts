import type { WebFile } from "./bundle.ts";

/** A file as it is sent. */
export interface Asset extends WebFile {
  etag: string;
  gzipped: Uint8Array<ArrayBuffer>;
}

/** The files that browsers are sent. */
export interface Assets {
  find(name: string): Promise<Asset | undefined>;
  /** The file of that kind that a bundle has, by what its name begins with: `dashboard`, `css`. */
  named(bundle: string, ending: "js" | "css"): Promise<string>;
}

/** Reads them when the first one is asked for, and keeps them. */
export function createAssets(read: () => Promise<WebFile[]>): Assets {
  let reading: Promise<WebFile[]> | undefined;
  const made = new Map<string, Asset>();
  const files = () => {
    reading ??= read().catch((error) => {
      reading = undefined;
      throw error;
    });
    return reading;
  };
  return {
    async find(name) {
      const known = made.get(name);
      if (known) return known;
      const file = (await files()).find((each) => each.name === name);
      if (!file) return undefined;
      const asset = { ...file, etag: etagOf(file.bytes), gzipped: Bun.gzipSync(file.bytes, { level: 9 }) };
      made.set(name, asset);
      return asset;
    },
    async named(bundle, ending) {
      const found = (await files()).find(
        ({ name }) => name.startsWith(`${bundle}-`) && name.endsWith(`.${ending}`),
      );
      if (!found) throw new Error(`there is no ${bundle}.${ending}`);
      return found.name;
    },
  };
}

const etagOf = (bytes: Uint8Array) =>
  `"${new Bun.CryptoHasher("sha256").update(bytes).digest("base64url").slice(0, 27)}"`;
