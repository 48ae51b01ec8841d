/** Attributes whose words no reader sees. */
const MACHINERY =
  /^(?:class|className|style|id|key|href|src|srcSet|icon|color|d|viewBox|transform|points|rel|target|allow|sizes|actions|cols|lang|language|theme|variant|size|width|height|slot|for|on[A-Z]\w*|data-.*|client:.*|set:.*|aria-.*)$/;
/** Those whose single words say how a component looks or works. */
const SETTINGS =
  /^(?:align|as|columns|default|defaultValue|direction|display|frame|gap|group|groupId|horizontal|kind|layout|level|lines|loading|mode|open|orientation|position|ratio|queryString|rounded|sync|syncKey|sources|tag|to|toc|tone|type|value|values|wrap|\w+Id|\w*(?:Class|ClassName|Color|Icon|Href|Url|Src|Style|Key|Size|Width|Height|Padding|Margin))$/;
/** Names of code, and of programs whose arguments a component takes. */
const CODE =
  /^(?:code|cmd|commands?|snippet|install|pkg|packages?|npm|npx|pnpm|yarn|bun|deno|pip|uv|cargo|brew|docker|curl)$/;
const FLAG = /(?:^|\s)--?[A-Za-z]/;

export const isMachinery = (name: string) => MACHINERY.test(name);

/** Whether a text is a place of a file or a page, or nothing but numbers. */
const isPlace = (text: string) => /^(?:[./#~]|\w+:\/\/)/.test(text) || !/\p{L}/u.test(text);

/** Whether a text has several words in a row, as people say them. */
export const isProse = (text: string) =>
  /\p{L}\S*\s+\p{L}|[^\p{ASCII}]{3,}/u.test(text) && !/^[\w.-]*[:/]/.test(text);

/** Whether what an attribute holds is code: its name says so, or it has several words that are no prose. */
export function isCode(name: string, text: string): boolean {
  if (isMachinery(name) || !/\p{L}/u.test(text)) return false;
  if (CODE.test(name)) return true;
  if (SETTINGS.test(name) || isPlace(text) || !/\S\s+\S/.test(text)) return false;
  const isSentence = /^\p{Lu}|[.!?…:]$/u.test(text);
  return isProse(text) ? FLAG.test(text) && !isSentence : FLAG.test(text) || !/^\p{Lu}/u.test(text);
}

/** Whether it is missed where an attribute with this text, or with one that is not known, is not shown. */
export const isMissed = (name: string, text: string | undefined) =>
  !isMachinery(name) && !SETTINGS.test(name) && (text === undefined || !(text === "" || isPlace(text)));
