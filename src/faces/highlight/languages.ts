import { C, DART, GO, INTERFACES, JAVA, PHP, RUBY, RUST, SCRIPT, SHARP, SWIFT } from "./c-languages.ts";
import {
  BACKTICKS,
  DOUBLE,
  END,
  HASH,
  HASH_APART,
  type Language,
  LONG_DOUBLE,
  LONG_SINGLE,
  SINGLE,
  SLASHES,
} from "./language.ts";

const JSON_TEXT: Language = {
  comment: SLASHES,
  string: `${DOUBLE}|${SINGLE}`,
  name: `"(?:[^"\\\\\\n]|\\\\.)*"(?=\\s{0,9}:)`,
  keywords: "true false null",
};

const PYTHON: Language = {
  comment: HASH,
  string:
    `\\b[rbfuRBFU]{0,2}(?:"""[\\s\\S]*?(?:"""|${END})|'''[\\s\\S]*?(?:'''|${END})|${DOUBLE}|${SINGLE})|` +
    `"""[\\s\\S]*?(?:"""|${END})|'''[\\s\\S]*?(?:'''|${END})|${DOUBLE}|${SINGLE}`,
  name: "^[ \\t]{0,80}@[\\w.]+",
  keywords:
    "and as assert async await break case class continue def del elif else except False finally for from global if " +
    "import in is lambda match None nonlocal not or pass raise return self True try while with yield",
  hasCalls: true,
};

const SHELL: Language = {
  comment: HASH_APART,
  string: `${LONG_DOUBLE}|\\$?${LONG_SINGLE}`,
  name: "\\$(?:\\w+|\\{[^}\\n]{0,80}\\}?|[?@#*!$-])|(?<=\\s)--?[A-Za-z][\\w-]*|^\\w+(?==)",
  // The prompt of a session.
  mark: "^[$%>](?= )",
  keywords:
    "alias break case cd continue declare do done echo elif else esac eval exec exit export fi for function if in local " +
    "readonly return select set shift source sudo then trap unset until while",
};

const YAML: Language = {
  comment: HASH_APART,
  string: `${DOUBLE}|'[^'\\n]*'?`,
  name:
    "(?<=^[ \\t]{0,80}(?:- {1,4}){0,4})(?:[\\w.$/-]+|\"[^\"\\n]{0,200}\"|'[^'\\n]{0,200}')(?=:(?:\\s|$))|" +
    "[&*][A-Za-z][\\w-]*",
  mark: "^(?:---|\\.\\.\\.)$|[|>][+-]?$|!!?\\w+",
  keywords: "true false null yes no on off True False",
};

const TOML: Language = {
  comment: "[#;].*",
  string: `"""[\\s\\S]*?(?:"""|${END})|'''[\\s\\S]*?(?:'''|${END})|${DOUBLE}|'[^'\\n]*'?`,
  name: "^[ \\t]*[\\w.\"'-]+(?=[ \\t]{0,40}=)",
  mark: "^[ \\t]*\\[[^\\]\\n]*\\]{0,2}",
  keywords: "true false",
};

const MARKUP: Language = {
  comment: `<!--[\\s\\S]*?(?:-->|${END})`,
  string: `(?<==)"[^"]*"?|(?<==)'[^']*'?`,
  name: "(?<=\\s)[\\w:@.#*-]+(?==)|&#?\\w{1,31};",
  mark: "<[/!?]?[A-Za-z][\\w:.-]*|/?>",
  isProse: true,
};

const MARKDOWN: Language = {
  comment: `<!--[\\s\\S]*?(?:-->|${END})|^[ \\t]*> .*`,
  string: "^[ \\t]*(?:```|~~~).*|`[^`\\n]{1,300}`",
  name: "!?\\[[^\\]\\n]{0,200}\\](?:\\([^)\\n]{0,300}\\))",
  mark: "^#{1,6} .*|\\*\\*[^*\\n]{1,300}\\*\\*|^[ \\t]*(?:[-*+]|\\d{1,9}[.)])(?= )",
  isProse: true,
};

const CSS: Language = {
  comment: SLASHES.replace("//.*|", ""),
  string: `${DOUBLE}|${SINGLE}`,
  name: "--[\\w-]+|(?<![\\w-])[\\w-]+(?=\\s{0,5}:\\s)|[.#][A-Za-z][\\w-]*(?=[^;{}\\n]{0,200}\\{)",
  mark: "@[\\w-]+|!important\\b|\\$[\\w-]+",
  hasCalls: true,
};

const SQL: Language = {
  comment: `--.*|/\\*[\\s\\S]*?(?:\\*/|${END})`,
  string: "'[^']*'?",
  name: '"[^"\\n]*"?|`[^`\\n]*`?|[@:$]\\w+',
  keywords:
    "add all alter and as asc begin between bigint boolean by case cast check column commit constraint create cross " +
    "database date default delete desc distinct drop else end exists false foreign from full function grant group having " +
    "if in index inner insert int integer into is join key left like limit not null numeric offset on or order outer " +
    "primary references returning revoke right rollback select set table text then timestamp to transaction trigger true " +
    "union unique update using values varchar view when where with",
  ignoresCase: true,
  hasCalls: true,
};

const DIFF: Language = {
  name: "^(?:diff|index|---|\\+\\+\\+|rename|similarity|new file|deleted file) .*",
  mark: "^@@.*",
  string: "^\\+.*",
  comment: "^-(?!--).*",
  isProse: true,
};

const DOCKERFILE: Language = {
  comment: "^[ \\t]*#.*",
  string: `${DOUBLE}|${SINGLE}`,
  name: "\\$(?:\\w+|\\{[^}\\n]{0,80}\\}?)|(?<=\\s)--[a-z][\\w-]*",
  mark: "^[ \\t]*(?:ADD|ARG|CMD|COPY|ENTRYPOINT|ENV|EXPOSE|FROM|HEALTHCHECK|LABEL|ONBUILD|RUN|SHELL|STOPSIGNAL|USER|VOLUME|WORKDIR)\\b|\\bAS\\b",
};

const LUA: Language = {
  comment: `--\\[\\[[\\s\\S]*?(?:\\]\\]|${END})|--.*`,
  string: `${DOUBLE}|${SINGLE}`,
  keywords:
    "and break do else elseif end false for function goto if in local nil not or repeat return then true until while",
  hasCalls: true,
};

const POWERSHELL: Language = {
  comment: `<#[\\s\\S]*?(?:#>|${END})|${HASH_APART}`,
  string: `${LONG_DOUBLE}|${LONG_SINGLE}`,
  name: "\\$(?:\\w[\\w:]*|\\{[^}\\n]{0,80}\\}?|[?_$^])|(?<=\\s)-[A-Za-z]\\w*|\\b[A-Z][a-z]+-[A-Z]\\w+",
  mark: "^(?:PS[^>\\n]{0,80})?>(?= )",
  keywords:
    "begin break catch class continue do else elseif end enum exit filter finally for foreach function if in param process " +
    "return switch throw trap try until using while",
};

const HASKELL: Language = {
  comment: `\\{-[\\s\\S]*?(?:-\\}|${END})|--.*`,
  string: DOUBLE,
  name: "^[a-z_][\\w']*(?=\\s{1,9}::)",
  keywords:
    "case class data default deriving do else forall if import in infix infixl infixr instance let module newtype of " +
    "qualified then type where",
};

const TEMPLATE: Language = { comment: HASH, string: `${DOUBLE}|${SINGLE}|${BACKTICKS}`, hasCalls: true };

/** The languages by the words that people write behind a fence. */
const NAMED: readonly (readonly [string, Language])[] = [
  ["js javascript jsx mjs cjs ts typescript tsx mts cts", SCRIPT],
  ["json jsonc json5 jsonl ndjson", JSON_TEXT],
  ["py python python3 pycon", PYTHON],
  ["sh shell bash zsh fish console terminal shellsession shell-session", SHELL],
  ["yaml yml", YAML],
  ["toml ini conf cfg env dotenv properties systemd", TOML],
  ["html xml svg vue svelte astro xhtml htm", MARKUP],
  ["md markdown mdx", MARKDOWN],
  ["css scss less sass", CSS],
  ["sql postgresql postgres mysql sqlite psql", SQL],
  ["go golang", GO],
  ["rust rs", RUST],
  ["java kotlin kt kts scala groovy gradle", JAVA],
  ["c cpp c++ cc cxx h hpp objc objective-c arduino", C],
  ["csharp cs c#", SHARP],
  ["php", PHP],
  ["ruby rb", RUBY],
  ["swift", SWIFT],
  ["lua", LUA],
  ["powershell ps1 pwsh posh ps azurepowershell", POWERSHELL],
  ["dart flutter", DART],
  ["protobuf proto thrift", INTERFACES],
  ["haskell hs elm purescript", HASKELL],
  ["diff patch", DIFF],
  ["dockerfile docker containerfile", DOCKERFILE],
  ["hcl terraform tf nginx nix r perl pl elixir ex make makefile graphql gql", TEMPLATE],
];

const BY_NAME = new Map(
  NAMED.flatMap(([names, language]) => names.split(" ").map((name) => [name, language])),
);

/** The language of that name; undefined where it is none that is known. */
export const languageOf = (name: string): Language | undefined => BY_NAME.get(name.toLowerCase());
