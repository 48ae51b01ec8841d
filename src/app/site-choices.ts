import type { Config } from "../config/settings.ts";
import type { AdminOptions } from "../http/admin/options.ts";
import { isSameModel } from "../ollama/models/model-info.ts";
import type { Ollama } from "../ollama/ollama.ts";
import { phrasesByLanguage } from "../sites/phrases.ts";

/** The models that an owner may choose for a site. */
export function siteModels(ollama: Pick<Ollama, "listModels">): AdminOptions["models"] {
  return {
    list: (signal) => ollama.listModels(signal),
    async mayChoose(name, signal) {
      const { own = "", models, isWhole } = await ollama.listModels(signal);
      // A server that is away may be the one that has it: until it is there, the server's own answers.
      return !isWhole || [own, ...models.map((model) => model.name)].some((each) => isSameModel(each, name));
    },
  };
}

/** What the server decides where a site does not. */
export function siteDefaults(config: Config): AdminOptions["siteDefaults"] {
  return {
    relevanceMin: config.relevance_min,
    curatedMin: config.curated_min,
    hourlyMessages: config.organization_messages_per_hour,
    phrases: phrasesByLanguage(),
  };
}
