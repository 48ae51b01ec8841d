import { BACKTICKS, DOUBLE, END, HASH, type Language, SINGLE, SLASHES } from "./language.ts";

const cLike = (keywords: string, more: Language = {}): Language => ({
  comment: SLASHES,
  string: `${DOUBLE}|${SINGLE}`,
  keywords: `break case continue default do else false for if return switch true while ${keywords}`,
  hasCalls: true,
  ...more,
});

const OBJECTS =
  "abstract catch class enum extends final finally import interface new null super this throw try";
const ACCESS = "private protected public static void";

export const SCRIPT = cLike(
  `${OBJECTS} ${ACCESS} any as async await boolean const constructor debugger declare delete export from function get ` +
    "implements in infer instanceof is keyof let namespace never number of readonly satisfies set string symbol " +
    "type typeof undefined unknown using var with yield",
  { string: `${DOUBLE}|${SINGLE}|${BACKTICKS}`, name: "@[A-Za-z_][\\w.]*" },
);

export const JAVA = cLike(
  `${OBJECTS} ${ACCESS} assert boolean byte char companion data double float fun implements in instanceof int internal is ` +
    "lateinit long native object open operator override package record sealed short suspend synchronized throws " +
    "transient val var volatile when yield",
  { string: `"""[\\s\\S]*?(?:"""|${END})|${DOUBLE}|${SINGLE}`, name: "@[A-Za-z_][\\w.]*" },
);

export const SHARP = cLike(
  `${OBJECTS} ${ACCESS} as async await base bool byte char const decimal delegate double event explicit float foreach get ` +
    "implicit in init int internal is lock long namespace nameof object operator out override params readonly record " +
    "ref sealed set short string struct typeof uint ulong using var virtual when where yield",
  { string: `@?\\$?"(?:[^"\\\\\\n]|\\\\.|"")*"?|${SINGLE}`, mark: "^[ \\t]{0,40}#[a-z]+" },
);

export const C = cLike(
  `${OBJECTS} ${ACCESS} alignas auto bool char concept const constexpr consteval co_await co_return co_yield decltype ` +
    "delete double explicit extern float friend goto inline int long mutable namespace noexcept nullptr operator " +
    "override register requires restrict short signed sizeof struct template typedef typename union unsigned using " +
    "virtual volatile",
  { mark: "^[ \\t]{0,40}#[ \\t]{0,40}[a-z]+" },
);

export const GO = cLike(
  "any bool byte chan const defer error fallthrough float32 float64 func go goto import int int32 int64 interface " +
    "iota map nil package range rune select string struct type uint uint32 uint64 var",
  { string: `${DOUBLE}|${SINGLE}|\`[^\`]*\`?` },
);

export const RUST = cLike(
  "as async await bool const crate dyn enum extern f32 f64 fn i32 i64 impl in isize let loop match mod move mut None " +
    "Ok Err pub ref self Self Some static str struct super trait type u8 u32 u64 union unsafe use usize where",
  // A single quote begins a character, or the name of a lifetime.
  {
    string: `${DOUBLE}|'(?:[^'\\\\\\n]|\\\\[^\\n]{1,10}?)'`,
    name: "'[a-z_]\\w*\\b(?!')|#!?\\[[^\\]\\n]{0,200}\\]|\\w+!(?=[(\\[{])",
  },
);

export const PHP = cLike(
  `${OBJECTS} ${ACCESS} and array as callable clone const declare echo elseif empty endforeach endif fn foreach function ` +
    "global implements include instanceof insteadof isset list match mixed namespace or print readonly require " +
    "require_once string trait unset use var yield",
  { comment: `${SLASHES}|#(?!\\[).*`, name: "\\$\\w+", mark: "<\\?(?:php|=)?|\\?>" },
);

export const SWIFT = cLike(
  "actor as associatedtype async await class defer deinit enum extension fileprivate func guard import in init inout " +
    "internal is let nil open private protocol public repeat self Self some static struct super throw throws try " +
    "typealias var where",
  { name: "@\\w+" },
);

export const RUBY: Language = {
  comment: `^=begin[\\s\\S]*?(?:^=end|${END})|${HASH}`,
  string: `${DOUBLE}|${SINGLE}`,
  name: "(?<![\\w:]):[A-Za-z_]\\w*[?!]?|@{1,2}\\w+|\\$\\w+",
  keywords:
    "alias and attr_accessor attr_reader begin break case class def defined do else elsif end ensure extend false for " +
    "if in include lambda module next nil not or private proc protected public raise require require_relative " +
    "rescue retry return self super then true undef unless until when while yield",
  hasCalls: true,
};

export const DART = cLike(
  `${OBJECTS} as assert async await const covariant deferred dynamic export extension external factory get implements in ` +
    "is late library mixin null on operator part required rethrow sealed set show static sync typedef var void with yield",
  { name: "@[A-Za-z_][\\w.]*" },
);

/** Descriptions of interfaces: Protocol Buffers, Thrift. */
export const INTERFACES = cLike(
  "bool bytes const double enum exception extend extends float i32 i64 import include int32 int64 map message namespace " +
    "oneof option optional package public repeated required reserved returns rpc service stream string struct syntax " +
    "typedef uint32 uint64 union void",
);
