/** A text that is kept in the browser under one name. */
export interface StoredText {
  get(): string | null;
  set(value: string): void;
  remove(): void;
}

/** Where browsers keep texts; in a frame or a private window reaching for it may throw. */
type Where = "localStorage" | "sessionStorage";

/** Keeps a text; only until the page goes where the browser does not take it. */
export function storedText(where: Where, name: string): StoredText {
  /** The text, where the browser refused to keep it. */
  let memory: string | undefined;
  const store = <Result>(use: (storage: Storage) => Result): Result | undefined => {
    try {
      return use(window[where]);
    } catch {
      return undefined;
    }
  };
  return {
    get: () => memory ?? store((storage) => storage.getItem(name)) ?? null,
    set(value) {
      memory = value;
      store((storage) => {
        storage.setItem(name, value);
        memory = undefined;
      });
    },
    remove() {
      memory = undefined;
      store((storage) => storage.removeItem(name));
    },
  };
}
