import { AppError } from "@docent/kernel/errors";
import type { z } from "zod";
import {
  type AsciidocLinks,
  type AsciidocPlace,
  type AsciidocReader,
  asciidocWords,
  ownAsciidoc,
} from "../markdown/asciidoc/asciidoc.ts";
import type { Call, Ending, ReadingProcess, TimeBounds } from "../reading-process/reading-process.ts";
import { type Asked, asciidocShape, askedShape, CALLS, listsShape } from "./asciidoc-shape.ts";
import { decoded, encoded } from "./json-bytes.ts";

/** Reads AsciiDoc in another process, which asks for what a page includes, and where its references lead. */
export function createAsciidocReading(
  reading: ReadingProcess,
  bounds: TimeBounds,
  whyOf: (ending: Ending) => string,
): AsciidocReader {
  async function ask<T>(
    what: Asked["what"],
    source: string,
    place: AsciidocPlace,
    shape: z.ZodType<T>,
  ): Promise<T | Ending> {
    const said = await reading.ask({
      head: { asciidoc: true },
      body: encoded(askedOf(what, source, place)),
      bounds,
      answer: async (name, given) => encoded(await answerOf(place, name, decoded(given))),
    });
    if (typeof said === "string") return said;
    const read = shape.safeParse(decoded(said));
    return read.success ? read.data : "itself";
  }
  return {
    async page(source, place) {
      const read = await ask("page", source, place, asciidocShape);
      if (typeof read !== "string") return read;
      const why = `${whyOf(read)} to read as AsciiDoc`;
      const plain = await ask("words", source, place, asciidocShape);
      // Without what stands in front of it, nobody knows whom it is for.
      if (typeof plain === "string") throw new AppError("too_large", why);
      return { ...plain, faults: [`${why}: its words are kept as plain text`] };
    },
    async lists(source, place) {
      const read = await ask("lists", source, place, listsShape);
      return typeof read === "string" ? { lists: [], faults: [`${whyOf(read)} to read as AsciiDoc`] } : read;
    },
  };
}

const askedOf = (
  what: Asked["what"],
  source: string,
  { location, attributes = {}, links }: AsciidocPlace,
): Asked => ({
  what,
  source,
  location,
  attributes,
  links: links === undefined ? [] : (["page", "missing", "image"] as const).filter((name) => name in links),
});

async function answerOf({ include, links }: AsciidocPlace, name: string, given: unknown): Promise<unknown> {
  switch (name) {
    case "include": {
      const { target, from, isWhole } = CALLS.include.given.parse(given);
      return include(target, from, isWhole);
    }
    case "page":
      return links?.page(CALLS.page.given.parse(given));
    case "missing": {
      const { anchor, text } = CALLS.missing.given.parse(given);
      return links?.missing?.(anchor, text);
    }
    case "image":
      return links?.image?.(CALLS.image.given.parse(given).target);
    default:
      return undefined;
  }
}

/** Reads AsciiDoc for the process that asks for it. */
export async function answerAsciidoc(body: Uint8Array, call: Call): Promise<Uint8Array> {
  const asked = askedShape.parse(decoded(body));
  const { what, source } = asked;
  if (what === "lists") return encoded(await ownAsciidoc.lists(source, placeOf(asked, call)));
  const page =
    what === "words" ? asciidocWords(source) : await ownAsciidoc.page(source, placeOf(asked, call));
  return encoded({ ...page, attributes: [...page.attributes] });
}

function placeOf({ location, attributes, links: known }: Asked, call: Call): AsciidocPlace {
  const ask = async <T>(name: keyof typeof CALLS, given: unknown, shape: z.ZodType<T>): Promise<T> =>
    shape.parse(decoded(await call(name, encoded(given))));
  const links: AsciidocLinks = {
    page: async (reference) => (await ask("page", withNone(reference), CALLS.page.said)) ?? undefined,
    ...(known.includes("missing") && {
      missing: async (anchor: string, text: string | undefined) =>
        (await ask("missing", withNone({ anchor, text }), CALLS.missing.said)) ?? undefined,
    }),
    ...(known.includes("image") && {
      image: async (target: string) => (await ask("image", { target }, CALLS.image.said)) ?? target,
    }),
  };
  return {
    location,
    attributes,
    include: (target, from, isWhole) => ask("include", { target, from, isWhole }, CALLS.include.said),
    ...(known.includes("page") && { links }),
  };
}

/** JSON leaves out what is undefined. */
const withNone = (given: object) =>
  Object.fromEntries(Object.entries(given).map(([name, value]) => [name, value ?? null]));
