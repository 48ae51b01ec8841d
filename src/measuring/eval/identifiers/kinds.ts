/** One kind of thing that readers search by its exact name. */
export interface IdentifierKind {
  name: string;
  /** Finds such things in a page's text. */
  pattern: RegExp;
  /** The ways in which a reader asks for one. */
  sentences: readonly ((thing: string) => string)[];
}

const FILE_TYPES =
  "jsonc?|ya?ml|toml|ini|config|props|xml|exe|dll|lib|hp?p?|c(?:pp|s)?|[jt]sx?|py|ps[dm]?1|md|txt";

const meaning = (thing: string) => `what does ${thing} mean`;
const use = (thing: string) => `how do I use ${thing}`;
const where = (thing: string) => `where is ${thing} documented?`;

/** The kinds that software documentation contains. */
export const IDENTIFIER_KINDS: readonly IdentifierKind[] = [
  {
    name: "error code",
    pattern: /(?<![\w-])(?:[A-Z]{1,5}\d{4,5}|0x[\dA-F]{8})(?![\w-])/g,
    sentences: [meaning, (thing) => `I get error ${thing}, how do I fix it?`],
  },
  {
    name: "flag",
    pattern: /(?<![^\s(["'“])(?:--?[A-Za-z][\w-]{1,30}|\/[A-Za-z][\w:+-]{0,30}\w\b)(?!\.?[\w/\\-])/g,
    sentences: [use, (thing) => `what is the option ${thing} for`],
  },
  {
    name: "snake_case name",
    pattern: /(?<![\w.:$-])_{0,2}[a-z]+\d*(?:_[a-z\d]+)+(?![\w:.-])/g,
    sentences: [use, meaning],
  },
  {
    name: "camelCase name",
    pattern: /(?<![\w.:$/-])(?:[a-z]+|[A-Z][a-z\d]+)(?:[A-Z][a-z\d]+)+(?![\w:.-])/g,
    sentences: [use, (thing) => `which arguments does ${thing} take`],
  },
  {
    name: "qualified name",
    pattern: /(?<![\w:])[A-Za-z_]\w*(?:::~?[A-Za-z_]\w*)+(?![\w:])/g,
    sentences: [use, where],
  },
  {
    name: "command",
    pattern: /(?<![\w-])[A-Z][a-z]+-[A-Z][a-z]+[A-Z][A-Za-z]+(?![\w-])/g,
    sentences: [use, (thing) => `give me an example of ${thing}`],
  },
  {
    name: "file name",
    pattern: new RegExp(String.raw`(?<![\w./\\-])[\w-]+\.(?:${FILE_TYPES})(?![\w.-])`, "g"),
    sentences: [(thing) => `what belongs in ${thing}?`, where],
  },
  {
    name: "key",
    pattern: new RegExp(
      String.raw`(?<![\w./\\@$-])[A-Za-z]\w+(?:\.(?!(?:${FILE_TYPES})\b)[A-Za-z_]\w*)+(?![\w./\\(-])`,
      "g",
    ),
    sentences: [(thing) => `what is the default of ${thing}?`, where],
  },
  {
    name: "variable or constant",
    pattern: /(?<![\w.:$-])(?:\$env:\w+|\$[A-Za-z]\w+|[A-Z][A-Z\d]+(?:_[A-Z\d]+)+)(?![\w:.-])/g,
    sentences: [meaning, (thing) => `how do I set ${thing}`],
  },
  {
    name: "version",
    pattern: /(?<![\w.-])v?\d+\.\d+(?:\.\d+)+(?![\w.-])/g,
    sentences: [(thing) => `what changed in ${thing}?`, (thing) => `does it need ${thing}`],
  },
  {
    name: "symbol",
    pattern:
      /(?<![\w#.])(?:operator ?[-+*/%<>=!&|~^]{1,3}|#[a-z]+(?:_[a-z]+)*|[A-Z]\+\+\d\d|\.[A-Z][A-Z]+)(?![\w+=<>&|])/g,
    sentences: [use, meaning],
  },
];
