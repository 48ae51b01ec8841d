import { create, insertMultiple, search } from "@orama/orama";
import MiniSearch from "minisearch";
import { openDocent } from "./retrieval-docent.ts";
import type { BenchPassage, EngineName } from "./retrieval-spec.ts";

/** A search engine: returns the paths of the best pages, best first. */
export interface Engine {
  find(question: string, limit: number): Promise<string[]>;
  close(): void;
}

interface Opening {
  data: string;
  passages: () => Promise<BenchPassage[]>;
}

/**
 * Opens each engine; the other libraries get passages. Titles count twice there, as their guides recommend.
 */
export const OPEN: Record<EngineName, (opening: Opening) => Promise<Engine>> = {
  docent: ({ data }) => openDocent(data),

  async minisearch({ passages }) {
    const index = new MiniSearch<BenchPassage & { id: number }>({
      fields: ["title", "headings", "text"],
      storeFields: ["path"],
    });
    index.addAll((await passages()).map((passage, id) => ({ ...passage, id })));
    return {
      async find(question, limit) {
        const found = index.search(question, { boost: { title: 2 } });
        return found.slice(0, limit).map(({ path }) => String(path));
      },
      close: () => {},
    };
  },

  async orama({ data, passages }) {
    const given = await passages();
    const docent = await openDocent(data);
    const dimensions = await docent.dimensions();
    const index = create({
      schema: {
        title: "string",
        headings: "string",
        text: "string",
        vector: `vector[${dimensions}]`,
      } as const,
    });
    const vectors = await docent.embed(given);
    const documents = given.map((passage, at) => {
      const vector = vectors[at];
      return vector === undefined ? passage : { ...passage, vector: [...vector] };
    });
    await insertMultiple(index, documents, 1000);
    return {
      async find(question, limit) {
        const value = await docent.embedQuestion(question);
        const words = { term: question, limit, boost: { title: 2 } };
        const { hits } = value
          ? await search(index, {
              ...words,
              mode: "hybrid",
              vector: { value: [...value], property: "vector" },
            })
          : await search(index, words);
        return hits.map(({ document }) => String(document["path"]));
      },
      close: docent.close,
    };
  },
};
