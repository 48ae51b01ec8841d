/** An element of a page, as a browser would find it. */
export interface Selected {
  tag: string;
  attributes: Record<string, string>;
  /** Its words, those of the elements in it included. */
  text: string;
}

/** The elements that a selector finds, in order. */
export async function select(html: string, selector: string): Promise<Selected[]> {
  const found: Selected[] = [];
  const open: Selected[] = [];
  const rewriter = new HTMLRewriter().on(selector, {
    element(element) {
      const { tagName: tag, attributes } = element;
      const one = { tag, attributes: Object.fromEntries([...attributes].map(unescaped)), text: "" };
      found.push(one);
      if (VOID.has(tag) || element.selfClosing) return;
      open.push(one);
      element.onEndTag(() => {
        open.splice(open.indexOf(one), 1);
      });
    },
    text({ text }) {
      for (const one of open) one.text += text;
    },
  });
  await rewriter.transform(new Response(html)).text();
  return found.map((one) => ({ ...one, text: decode(one.text) }));
}

/** The addresses that links lead to. */
export async function hrefs(html: string, selector: string): Promise<string[]> {
  return (await select(html, selector)).map(({ attributes }) => attributes["href"] ?? "");
}

const VOID = new Set(["input", "link", "meta", "br", "hr", "img"]);

const unescaped = ([name = "", value = ""]: string[]) => [name, decode(value)] as const;

const decode = (text: string) =>
  text
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replace(/&#(?:39|x27);/g, "'")
    .replaceAll("&amp;", "&");
