/** A file that browsers are sent. */
export interface WebFile {
  /** Below the folder of assets; the hash of its content is in it, but for `widget.js`. */
  name: string;
  contentType: string;
  bytes: Uint8Array<ArrayBuffer>;
}

/** A file as it is sent. */
export interface Asset extends WebFile {
  etag: string;
  gzipped: Uint8Array<ArrayBuffer>;
}

/** The files that browsers are sent. */
export interface Assets {
  /** Of what the widget loads later, also the file that has come in the place of the one that was called so. */
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
      const all = await files();
      const file = all.find((each) => each.name === name) ?? successorOf(name, all);
      if (!file) return undefined;
      const asset = made.get(file.name) ?? {
        ...file,
        etag: etagOf(file.bytes),
        gzipped: Bun.gzipSync(file.bytes, { level: 9 }),
      };
      made.set(file.name, asset);
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

const LOADED_LATER = /^((?:highlight|palette|token|turns|labels-[\w-]+)-)[0-9a-z]+\.js$/;

/** A page that was open during an upgrade asks for files by the names that they had before. */
function successorOf(name: string, files: readonly WebFile[]): WebFile | undefined {
  const kind = LOADED_LATER.exec(name)?.[1];
  return kind === undefined ? undefined : files.find((file) => LOADED_LATER.exec(file.name)?.[1] === kind);
}

const etagOf = (bytes: Uint8Array) =>
  `"${new Bun.CryptoHasher("sha256").update(bytes).digest("base64url").slice(0, 27)}"`;
