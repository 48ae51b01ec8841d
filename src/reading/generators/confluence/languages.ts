import { type HtmlElement, walkNodes } from "../../markdown/html/html.ts";

const NAMES: Readonly<Record<string, string>> = {
  py: "python",
  js: "javascript",
  "c#": "csharp",
  yml: "yaml",
  ps: "powershell",
  plain: "",
  text: "",
  none: "",
};

/** The name of a language as others have it, "" for none. */
export function languageName(written: string): string {
  const lower = written.trim().toLowerCase();
  return NAMES[lower] ?? (/^[\w+#.-]{1,30}$/.test(lower) ? lower : "");
}

/** Confluence writes Java where no language was chosen, and for those that its export does not know. */
const JAVA =
  /^\s*(?:package|import)\s+[\w.*]+;|\b(?:public|private|protected)\s+(?:static|final|abstract|class|interface|enum|record|void|[A-Z]\w*[ <])|\bSystem\.out\.|^\s*@Override\b/m;

const LOOKED_AT_CHARACTERS = 5_000;

/** The language of code, from the parameters of the macro. */
export function codeLanguage(params: string, pre: HtmlElement): string {
  const brush = /brush:\s{0,5}([\w+#.-]{1,30})/.exec(params)?.[1]?.toLowerCase() ?? "";
  const language = languageName(brush);
  return language === "java" && !JAVA.test(beginOf(pre)) ? "" : language;
}

function beginOf(pre: HtmlElement): string {
  let text = "";
  walkNodes(pre.childNodes, {
    text(value) {
      if (text.length < LOOKED_AT_CHARACTERS) text += value;
    },
    enter: () => true,
  });
  return text.slice(0, LOOKED_AT_CHARACTERS);
}
