import { createModels, type Models, type ModelsOptions } from "./models.ts";

/** The models of one server that are asked for by their names. */
export interface NamedModels {
  of(name: string): Models;
  /** The next look at any of them is a new one. */
  forget(): void;
}

/** Of so many names the last look is remembered. */
const NAMES_MAX = 64;

/** Follows each model that was asked for lately, as the server's own is followed. */
export function createNamedModels(options: Omit<ModelsOptions, "model" | "prefer">): NamedModels {
  const named = new Map<string, Models>();
  return {
    of(name) {
      const models = named.get(name) ?? createModels({ ...options, model: name });
      named.delete(name);
      named.set(name, models);
      const [oldest] = named.keys();
      if (named.size > NAMES_MAX && oldest !== undefined) named.delete(oldest);
      return models;
    },
    forget() {
      for (const models of named.values()) models.forget();
    },
  };
}
