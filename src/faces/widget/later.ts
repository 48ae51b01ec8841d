/** The files of these parts; the bundler puts their names here. */
declare const DOCENT_PALETTE_FILE: string;
declare const DOCENT_TURNS_FILE: string;
declare const DOCENT_TOKEN_FILE: string;
/** The hash in the names of all languages' labels. */
declare const DOCENT_LABELS_HASH: string;

/** What draws questions with their answers. */
export type TurnDrawing = Pick<typeof import("./panel/turn/turn.ts"), "createTurnView">;
/** What searches over the page. */
export type PaletteModule = typeof import("../palette/palette.ts");

/** What sends with each request who reads. */
type ReaderTokenModule = Pick<typeof import("./reader-token.ts"), "fetchAs">;

/** The parts of the widget that a page pays for only when they are needed. */
export interface LaterParts {
  turns(): Promise<TurnDrawing>;
  palette(): Promise<PaletteModule>;
  /** For pages whose own server vouches for their reader. */
  token(): Promise<ReaderTokenModule>;
  /** Of another language than English, which is there from the beginning. */
  labels(language: string): Promise<{ labels: Partial<Record<string, string>> }>;
}

/** The parts as the server has them. */
export function partsOf(server: string): LaterParts {
  const load = (file: string) => import(`${server}assets/${file}`);
  return {
    turns: () => load(DOCENT_TURNS_FILE),
    palette: () => load(DOCENT_PALETTE_FILE),
    token: () => load(DOCENT_TOKEN_FILE),
    labels: (language) => load(`labels-${language}-${DOCENT_LABELS_HASH}.js`),
  };
}

/** A part of the widget that is fetched when it is needed first. */
export interface Later<Part> {
  /** The part, where it is here. */
  now(): Part | undefined;
  /** Fetches it; undefined where it cannot be had. It is tried again the next time. */
  load(): Promise<Part | undefined>;
}

export function createLater<Part>(fetchPart: () => Promise<Part>): Later<Part> {
  let part: Part | undefined;
  let coming: Promise<Part | undefined> | undefined;
  return {
    now: () => part,
    load() {
      coming ??= Promise.resolve()
        .then(fetchPart)
        .then((fetched) => {
          part = fetched;
          return fetched;
        })
        .catch(() => {
          coming = undefined;
          return undefined;
        });
      return coming;
    },
  };
}
