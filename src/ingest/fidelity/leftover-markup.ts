import { htmlToText } from "../../markdown/html-text.ts";
import { replaceEnclosed } from "../../text/code-spans.ts";

/** Marks of formats and generators, which readers should never see. */
const MARKUP = new RegExp(
  [
    String.raw`\{\{[<%]|\{%[-\s]`,
    String.raw`^(?:<<<|\.\. [\w-]+::|!!! \w|\?\?\?\+? ?["\w]|={3}[+!]? ?["“]|:::)`,
    String.raw`--8<--|\[\[(?:_TOC_|toc)\]\]|\[![A-Z]{3,12}\]`,
    String.raw`(?:^|\s):(?:ref|doc|class|func|meth|mod|term|attr|option|envvar|py:\w{1,20}):`,
    String.raw`</?(?:Tabs?|TabItem|Steps?|Cards?|CardGroup|Accordion|Callout|Note|Tip|Warning|Info|CodeGroup)[\s/>]`,
    String.raw`^import \S.{0,200} from ['"]`,
    String.raw`\]\((?:https?:|\.{0,2}/|#)|\*\*\w[^*\n]{0,200}\*\*`,
  ].join("|"),
  "m",
);
const CODE = /<(pre|code)\b[^<>]*>/;
const LINE_CHARACTERS_MAX = 120;
const LINES_MAX = 20;

/** The lines of a page, as readers see it, that show markup. Code is what it is. */
export function leftoverMarkup(html: string): string[] {
  const text = htmlToText(
    replaceEnclosed(
      html,
      CODE,
      ([, name = ""]) => `</${name}>`,
      () => " ",
    ),
  );
  if (!MARKUP.test(text)) return [];
  const lines = text.split("\n").map((line) => line.replace(/\s+/g, " ").trim());
  return lines
    .filter((line) => MARKUP.test(line))
    .slice(0, LINES_MAX)
    .map((line) => (line.length > LINE_CHARACTERS_MAX ? `${line.slice(0, LINE_CHARACTERS_MAX)}…` : line));
}
