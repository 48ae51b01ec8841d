import { inlineHtmlText } from "../../../markdown/html/html.ts";

/** Greek letters of ISO 8879 that HTML calls otherwise: `agr`, `Ggr`. */
const GREEK =
  "aα bβ gγ dδ eε zζ eeη thθ iι kκ lλ mμ nν xξ oο pπ rρ sσ sfς tτ uυ phφ khχ psψ ohω " +
  "AΑ BΒ GΓ DΔ EΕ ZΖ EEΗ THΘ IΙ KΚ LΛ MΜ NΝ XΞ OΟ PΠ RΡ SΣ TΤ UΥ PHΦ KHΧ PSΨ OHΩ " +
  "aacά eacέ eeacή iacί oacό uacύ ohacώ idiϊ udiϋ idiaΐ udiaΰ AacΆ EacΈ EEacΉ IacΊ OacΌ UacΎ OHacΏ IdiΪ UdiΫ";
const GREEKS = new Map(GREEK.split(" ").map((pair) => [`${pair.slice(0, -1)}gr`, pair.slice(-1)]));
/** Signs that HTML calls otherwise. */
const SIGNS =
  "cupre≼ epsis∊ phis\u03c6 thetas\u03b8 ldot⋅ sbsol﹨ samalg∐ rarr2⇉ larr2⇇ uarr2⇈ darr2⇊ lrarr2⇆ rlarr2⇄ lrhar2⇋ rlhar2⇌ " +
  "gsdot⋗ vprime′ ang90∟ dlarr↙ drarr↘";
const OTHERS = new Map(SIGNS.split(" ").map((pair) => [pair.slice(0, -1), pair.slice(-1)]));

/** The characters that an entity of ISO 8879 stands for, as DocBook 4 knows them all. */
export function knownCharacters(name: string): string | undefined {
  const own = GREEKS.get(name) ?? OTHERS.get(name);
  if (own !== undefined) return own;
  // `b.alpha` is a bold one.
  if (name.startsWith("b.")) return knownCharacters(name.slice(2));
  if (!/^[A-Za-z][A-Za-z\d]{1,31}$/.test(name)) return undefined;
  const text = inlineHtmlText(`&${name};`);
  // `&copyright;` would be read as `&copy;` with letters behind it.
  return text.length > 4 || text.includes("&") || (text.includes(";") && name !== "semi") ? undefined : text;
}
