import { seededRandom } from "../../../src/measuring/eval/seeded-random.ts";
import { withTypos } from "../../../src/measuring/eval/typos/seed-typos.ts";
import type { Asked } from "./asked.ts";

const SEED = 4748;
/** So many questions, from all over a set, are asked in other ways as well. */
const VARIED = 200;
/** So many questions are typed letter by letter. */
const TYPED = 20;
const TYPED_LETTERS_MAX = 40;
const PHRASE_WORDS = [2, 5] as const;

/**
 * A set's questions in the ways that people ask: as they are, with a typo, while they are typed, and with a phrase in
 * quotes that a passage has. The same ones each time.
 */
export async function* waysToAsk(
  questions: readonly Asked[],
  firstText: (asked: Asked) => Promise<string>,
): AsyncGenerator<Asked> {
  const random = seededRandom(SEED);
  const variedEvery = Math.max(1, Math.floor(questions.length / VARIED));
  const typedEvery = variedEvery * Math.max(1, Math.floor(questions.length / variedEvery / TYPED));
  for (const [index, asked] of questions.entries()) {
    yield asked;
    if (index % variedEvery !== 0) continue;
    const mistyped = withTypos(asked.text, 1, random);
    if (mistyped !== undefined) yield { ...asked, text: mistyped };
    const phrase = phraseIn(await firstText(asked), random);
    if (phrase !== undefined) {
      yield { ...asked, text: `"${phrase}"` };
      yield { ...asked, text: `${asked.text} "${phrase}"`, asYouType: true };
    }
    const letters = Math.min(asked.text.length, TYPED_LETTERS_MAX);
    const isTyped = index % typedEvery === 0;
    const lengths = isTyped
      ? Array.from({ length: letters }, (_, at) => at + 1)
      : [1 + Math.floor(random() * letters)];
    for (const length of lengths) yield { ...asked, text: asked.text.slice(0, length), asYouType: true };
  }
}

/** Some words that stand side by side. */
function phraseIn(text: string, random: () => number): string | undefined {
  const words = text.replaceAll('"', "").match(/\S+/g) ?? [];
  const [least, most] = PHRASE_WORDS;
  const count = least + Math.floor(random() * (most - least + 1));
  if (words.length < count) return undefined;
  const at = Math.floor(random() * (words.length - count + 1));
  return words.slice(at, at + count).join(" ");
}
