import { fenceMarks } from "@docent/kernel/text/markdown-lines";
import { plainText } from "@docent/reading/markdown/plain-text";
import type { Piece } from "../pieces.ts";

/** Marks of generators and formats whose text a page holds as it is, because nothing read it as markup. */
const MARKUP =
  /^\s*(?:\.\. |:::|\{[{%<]|<\/?[A-Z][\w.]*[\s/>]|!!! |\?\?\? |\/\/\/ |<<<|import .* from |\* - |export (?:const|default) )|\{\{[<%]|^\s*:[\w-]+:(?:\s|$)|<https?:[^>]*>`_|:(?:ref|doc|class|func|meth|term):`|(?:^|\s)>>> \w/m;
/** Code that stands for something left out. */
const EMPTY_CODE = /^(?:[\s.…{}()[\];,]|\/\/|#|<!--|-->|pass\b)*$/;
/** A fence that a docs generator runs: what is in it is not what the page shows. */
const DIRECTIVE =
  /^\s*(?:`{3,}|~{3,})\s*(?:\{(?!code|sourcecode)[\w:-]+\}|literalinclude|mermaid|eval-rst|toctree)/;
/** A sentence that only says where to read on. */
const POINTER =
  /^(?:\(?(?:please )?(?:see|refer|read|learn|check|visit|consult|find|explore)\b(?! (?:that|whether|if)\b)|for (?:more|further|additional|detailed|an example|examples|details|information|instructions|a (?:list|complete|full|detailed))\b|more (?:information|details|on)\b|(?:also|next),? (?:see|read)\b|to learn (?:more|how|about)\b|(?:for|to) [^.:]{1,160}, (?:see|read|refer to)\b|siehe\b|weitere (?:informationen|details)\b|voir\b|pour (?:plus|en savoir)\b|(?:consulte|vea|véase|para (?:más|obtener más))\b|(?:请|請)?(?:参阅|参见|參見|查看|参考)|詳細(?:については|は))/iu;
/** Says what a page is about, not what it says. */
const ABOUT_PAGE =
  /^(?:in )?(?:this|the following|the next|these|our) (?:section|page|guide|document|documentation|tutorial|chapter|topic|article|example|video)s?\b.{0,60}\b(?:describes?|explains?|shows?|covers?|helps?|walks?|discuss(?:es)?|introduces?|provides?|gives?|contains?|demonstrates?|you(?:['’]ll| will| can)? (?:learn|find|see)|we(?:['’]ll| will)?)\b|\b(?:read|see|review) the following (?:sections|topics|pages|articles)\b|^(?:diese|die folgende) (?:seite|anleitung)\b|^(?:cette|ce) (?:page|guide|section)\b|^(?:esta|este) (?:página|guía|sección)\b|^(?:本(?:节|页|文|章)|このページ|このセクション)/iu;
/** An item of what a page promises to say: "How to add an item to a list". */
const PROMISE =
  /^\s*[-*+]\s+(?:how (?:to|you|we|it|and)|what|why|when (?:to|and)|where to|wie (?:man|sie|du|wir)|warum|comment|pourquoi|cómo|por qué)(?![\p{L}\p{N}])[^.:：。;?？–—]*$/iu;
const POINTER_CHARACTERS_MAX = 160;
/** The link at the beginning of a card or of an item of "See also", and what parts it from its description. */
const LINK_OF_CARD = /^(?:\*\*|__)?\[[^\]]*\]\((?!#)[^)]*\)(?:\*\*|__)?\s*(?:[-–—:]\s|\\?\n)\s*/;
/** What such a description says of the other page. */
const SAYS_OF_PAGE =
  /^(?:(?:an? |the )?(?:guide|introduction|overview|tutorial|reference|background|details|information)\b|(?:includes|describes|documents|explains|covers|discusses|introduces|shows|discover|explore)\b)/i;
/** A sentence this short that no mark ends is a title. */
const TITLE_CHARACTERS_MAX = 30;
const MARKER = /^[-*+>\s]*(?:\d{1,3}[.)]\s)?/;
const LINK_ITEM = /^\s*(?:[-*+]|\d{1,3}[.)])\s+!?\[[^\]]*\]\([^)]*\)\s*$/;
const POINTS_ON =
  /\b(?:see|refer to|described in|explained in|covered in|documented in|discussed in) (?:the |our |also )?[[`*“"]|\bcan be found (?:here|[`[]|(?:in|at|on|under) (?:the |our )?[[`*“"])/i;
/** Begins with a word that stands for something in the sentence before. */
const LEANING =
  /^(?:it|its|this|that|these|those|they|their|such|however|otherwise|instead|therefore|then|also|in (?:this|that) case|for (?:this|that) reason|as a result|es|dies\w*|diese\w*|sie|dadurch|ansonsten|il|elle|ils|elles|cela|ceci|sinon|esto?|ello|estos?|de lo contrario)\b|^(?:它|这|此|これ|それ|この|その|また)/iu;
/** Two words may hold a value, and scripts without spaces a sentence. */
const VALUE_OR_UNSPACED = /\d|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;
const WORDS = /[\p{L}\p{N}][\p{L}\p{N}\p{M}'’_.:-]*/gu;

/** Whether a piece says anything by itself: it is no leftover markup, no bare name, no empty code. */
export function saysSomething({ kind, markdown }: Piece): boolean {
  if (kind === "code")
    return (
      !DIRECTIVE.test(markdown) && !EMPTY_CODE.test(codeInside(markdown)) && wordsIn(codeInside(markdown)) > 1
    );
  if (MARKUP.test(markdown)) return false;
  if (kind === "html") return false;
  if (kind === "table") return true;
  // Items may be the names that a question asks for, under the sentence that says what they are.
  return kind === "list" ? !isContents(markdown) && !PROMISE.test(markdown) : !isNameAlone(markdown);
}

/** Whether an item only links to other pages. */
const isContents = (markdown: string): boolean =>
  markdown.split("\n").every((line) => line.trim() === "" || LINK_ITEM.test(line));

/** The lines between a block's fences. */
export function codeInside(fenced: string): string {
  const lines = fenced.split("\n");
  return fenceMarks(lines[0] ?? "") !== "" ? lines.slice(1, -1).join("\n") : fenced;
}

/** Whether a sentence only leads elsewhere: the fact itself is on another page. */
export function isPointer(markdown: string): boolean {
  const whole = markdown.replace(MARKER, "");
  const said = whole.replace(LINK_OF_CARD, "");
  return (
    POINTER.test(said) ||
    (said !== whole && SAYS_OF_PAGE.test(said)) ||
    ABOUT_PAGE.test(said) ||
    (POINTS_ON.test(said) && said.length < POINTER_CHARACTERS_MAX)
  );
}

/** Whether every line is a name, a signature, a link or a bold word, and nothing is said of it. */
export function isNameAlone(markdown: string): boolean {
  const lines = markdown.split("\n").filter((line) => /[\p{L}\p{N}]/u.test(line));
  return lines.every((line) => isName(line.replace(MARKER, "").trim()));
}

function isName(said: string): boolean {
  if (/^(?:\*\*|__)[^*_]+(?:\*\*|__):?$/.test(said)) return true;
  if (/^!?\[(?:[^\]]|\](?!\())*\]\([^)]*\)[.:]?$/.test(said)) return true;
  if (/^`[^`]+`[.:]?$/.test(said)) return wordsIn(said) < 6 || /^`[\w.]+\([^`]*`$/.test(said);
  const plain = plainText(said);
  if (VALUE_OR_UNSPACED.test(plain)) return false;
  const isTitle = plain.length < TITLE_CHARACTERS_MAX && !/[.!?:;…]["')\]]*$/.test(plain);
  return isTitle || (plain.match(WORDS) ?? []).length < 3;
}

/** Whether a text begins with a word that stands for something said before. */
export const leansBack = (markdown: string): boolean => LEANING.test(markdown);

const wordsIn = (text: string): number => text.match(WORDS)?.length ?? 0;
