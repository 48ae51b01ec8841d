import type { z } from "zod";
import {
  type AsciidocLinks,
  type AsciidocPlace,
  asciidocWords,
  ownAsciidoc,
} from "../markdown/asciidoc/asciidoc.ts";
import type { Call } from "../reading-process/reading-process.ts";
import { type Asked, askedShape, CALLS } from "./asciidoc-shape.ts";
import { decoded, encoded } from "./json-bytes.ts";

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
