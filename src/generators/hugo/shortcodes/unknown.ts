import { argumentOf, labelled, NOTHING, type WriteShortcode } from "./writing.ts";

/** The names under which words for readers are given. */
const WORDY = [
  "title",
  "header",
  "label",
  "name",
  "text",
  "caption",
  "summary",
  "subtitle",
  "description",
  "content",
  "alt",
];

/** A shortcode whose template is not known: what it is given to say is kept. */
export const writeUnknown: WriteShortcode = async (shortcode, context) => {
  const { name, positional, inner } = shortcode;
  context.faults.add(
    `the shortcode "${name.slice(0, 60)}" is not known: ${inner === undefined ? "the words that it is given are" : "what is inside of it is"} kept`,
  );
  const named = WORDY.flatMap((each) => argumentOf(shortcode, [each]) ?? []);
  const words = [...named, ...positional.filter((each) => /\S\s+\S/.test(each))];
  if (inner === undefined) return words.length === 0 ? NOTHING : { inline: words.join(" ") };
  const text = await context.inner(shortcode);
  if (!text.includes("\n")) return { inline: [...words, text].join(" ") };
  const [label = "", ...others] = words;
  return { block: labelled(label, [...others, text].join("\n\n")) };
};
