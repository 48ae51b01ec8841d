/** Text at a place of a page, in points from its lower left corner. */
export interface PdfText {
  text: string;
  x: number;
  y: number;
  size?: number;
  font?: keyof typeof FONTS;
  /** Where it leads. */
  link?: string;
  /** A field of a form in place of the text, as its entries in PDF. */
  field?: string;
  /** What is drawn of the field, where it is drawn. */
  drawn?: string;
  /** How far its line is turned, against the clock. */
  degrees?: number;
}

const FONTS = {
  plain: "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
  bold: "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold /Encoding /WinAnsiEncoding >>",
  mono: "<< /Type /Font /Subtype /Type1 /BaseFont /Courier /Encoding /WinAnsiEncoding >>",
  /** Its bytes 1 to 7 are pictures without names that mean anything. */
  nameless:
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding << /Differences [1 /xa /xb /xc /xd /xe /xf /xg] >> >>",
  /** Its bytes 1 to 4 are forms of letters, which their names tell. */
  forms:
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /FirstChar 1 /Widths [500 500 500 900] /Encoding << /Differences [1 /one.oldstyle /nine.oldstyle /a.sc /f_f_i] >> >>",
  // Japanese without the font and without a table of its letters: text is in the coding of old Windows.
  japanese: japanese("90ms-RKSJ-H"),
  vertical: japanese("90ms-RKSJ-V"),
};

function japanese(encoding: string): string {
  const system = "/CIDSystemInfo << /Registry (Adobe) /Ordering (Japan1) /Supplement 2 >>";
  const descriptor =
    "<< /Type /FontDescriptor /FontName /Ryumin-Light /Flags 4 /FontBBox [0 -200 1000 900] /ItalicAngle 0 /Ascent 900 /Descent -200 /StemV 80 >>";
  const descendant = `<< /Type /Font /Subtype /CIDFontType0 /BaseFont /Ryumin-Light ${system} /DW 1000 /FontDescriptor ${descriptor} >>`;
  return `<< /Type /Font /Subtype /Type0 /BaseFont /Ryumin-Light /Encoding /${encoding} /DescendantFonts [${descendant}] >>`;
}

/** A PDF with these pages, as small as one can be. Text is of bytes: one for each sign. A drawing is on each page, or on some. */
export function pdfBytes(
  pages: readonly (readonly PdfText[])[],
  {
    info = {},
    catalog = "",
    drawing = "",
  }: {
    info?: Record<string, string>;
    catalog?: string;
    drawing?: string | ((page: number) => string);
  } = {},
): Uint8Array {
  const names = Object.keys(FONTS);
  const fonts = names.map((name, index) => `/${name} ${index + 4} 0 R`).join(" ");
  const first = names.length + 4;
  const drawn: string[] = [];
  const appear = (text: string) => first + pages.length * 2 + drawn.push(text) - 1;
  const kids = pages.map((_, index) => `${first + index * 2} 0 R`).join(" ");
  const objects = [
    `<< /Type /Catalog /Pages 2 0 R ${catalog} >>`,
    `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`,
    `<< ${Object.entries(info)
      .map(([name, value]) => `/${name} ${literal(value)}`)
      .join(" ")} >>`,
    ...Object.values(FONTS),
    ...pages.flatMap((texts, index) => {
      const lines = typeof drawing === "string" ? drawing : drawing(index + 1);
      const content = [lines, ...texts.map(draw)].join("\n");
      const page = `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << ${fonts} >> >> /Contents ${first + index * 2 + 1} 0 R /Annots [${texts.map((text) => annotation(text, appear)).join(" ")}] >>`;
      return [page, stream(content)];
    }),
  ];
  return withTable([...objects, ...drawn.map((text) => appearance(text))]);
}

const stream = (content: string, entries = "") =>
  `<< ${entries} /Length ${content.length} >>\nstream\n${content}\nendstream`;

const appearance = (text: string) =>
  stream(
    `BT /F 10 Tf 2 2 Td ${literal(text)} Tj ET`,
    `/Type /XObject /Subtype /Form /BBox [0 0 300 20] /Resources << /Font << /F ${FONTS.plain} >> >>`,
  );

const literal = (text: string) => `(${text.replace(/[\\()]/g, "\\$&")})`;

function draw({ text, x, y, size = 10, font = "plain", field, degrees = 0 }: PdfText): string {
  if (field !== undefined) return "";
  const [cos, sin] = [Math.cos, Math.sin].map((of) => of((degrees * Math.PI) / 180).toFixed(6));
  return `BT /${font} ${size} Tf ${cos} ${sin} -${sin} ${cos} ${x} ${y} Tm ${literal(text)} Tj ET`.replace(
    "--",
    "",
  );
}

function annotation(
  { link, field, drawn, x, y, text, size = 10 }: PdfText,
  appear: (text: string) => number,
): string {
  const rect = `[${x} ${y - 2} ${x + text.length * size * 0.5} ${y + size}]`;
  const look = drawn === undefined ? "" : `/AP << /N ${appear(drawn)} 0 R >>`;
  if (field !== undefined)
    return `<< /Type /Annot /Subtype /Widget /Rect ${rect} /T (field) ${look} ${field} >>`;
  if (link === undefined) return "";
  return `<< /Type /Annot /Subtype /Link /Rect ${rect} /A << /S /URI /URI ${literal(link)} >> >>`;
}

function withTable(objects: readonly string[]): Uint8Array {
  let file = "%PDF-1.7\n";
  const offsets = objects.map((object, index) => {
    const offset = file.length;
    file += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const table = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("");
  const trailer = `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R /Info 3 0 R >>\nstartxref\n${file.length}\n%%EOF\n`;
  return Uint8Array.from(
    `${file}xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}${trailer}`,
    (sign) => sign.charCodeAt(0),
  );
}
