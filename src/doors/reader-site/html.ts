/** HTML that was written here. Whatever else is put into some is escaped. */
export interface Html {
  readonly html: string;
}

type Piece = Html | string | number | undefined | false | readonly Piece[];

/** Writes HTML: values in it are text, and cannot end what they stand in, quoted attributes included. */
export function html(strings: TemplateStringsArray, ...values: Piece[]): Html {
  const written = strings.map((text, index) => (index === 0 ? text : piece(values[index - 1]) + text));
  return { html: written.join("") };
}

/** HTML from elsewhere that is known to be safe. */
export const trusted = (text: string): Html => ({ html: text });

function piece(value: Piece): string {
  if (value === undefined || value === false) return "";
  if (typeof value === "string" || typeof value === "number") return Bun.escapeHTML(value);
  return "html" in value ? value.html : value.map(piece).join("");
}
