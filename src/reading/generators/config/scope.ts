/** The names that are known at a place of a script: its own, and those of what is around it. */
export interface Scope {
  has(name: string): boolean;
  get(name: string): unknown;
  set(name: string, value: unknown): void;
  /** A name that is not known here hides the one of what is around. */
  hide(name: string): void;
}

export function createScope(around?: Scope): Scope {
  const own = new Map<string, { value: unknown } | "hidden">();
  const find = (name: string) => {
    const known = own.get(name);
    return known === "hidden" ? undefined : known;
  };
  return {
    has: (name) => (own.has(name) ? find(name) !== undefined : (around?.has(name) ?? false)),
    get: (name) => (own.has(name) ? find(name)?.value : around?.get(name)),
    set: (name, value) => void own.set(name, { value }),
    hide: (name) => void own.set(name, "hidden"),
  };
}
