import { describe, expect, test } from "bun:test";
import { partsZip, relationshipsPart, type Target } from "../../helpers/office-bytes.ts";
import { documentFixture, documentOf } from "../../helpers/read-document.ts";

const NAMES =
  'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" ' +
  'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart"';

const shape = (text: string, { place = "", top = 0, left = 0 } = {}) =>
  `<p:sp><p:nvSpPr><p:cNvPr id="1" name="x"/><p:nvPr>${place}</p:nvPr></p:nvSpPr><p:spPr><a:xfrm><a:off x="${left}" y="${top}"/><a:ext cx="10" cy="10"/></a:xfrm></p:spPr>` +
  `<p:txBody><a:p><a:r><a:t>${text}</a:t></a:r></a:p></p:txBody></p:sp>`;

function presentation(
  slides: readonly string[],
  others: Record<string, string> = {},
  targets: readonly Target[] = [],
) {
  const listed = slides.map((_, index) => `<p:sldId r:id="r${slides.length - index}"/>`).join("");
  return partsZip({
    "_rels/.rels": relationshipsPart([["officeDocument", "ppt/presentation.xml"]]),
    "ppt/presentation.xml": `<p:presentation ${NAMES}><p:sldIdLst>${listed}</p:sldIdLst></p:presentation>`,
    // The order of the parts is not that of the presentation.
    "ppt/_rels/presentation.xml.rels": relationshipsPart(
      slides.map((_, index): Target => ["slide", `slides/slide${slides.length - index}.xml`]),
    ),
    ...Object.fromEntries(
      slides.map((xml, index) => [
        `ppt/slides/slide${index + 1}.xml`,
        `<p:sld ${NAMES}><p:cSld><p:spTree>${xml}</p:spTree></p:cSld></p:sld>`,
      ]),
    ),
    "ppt/slides/_rels/slide1.xml.rels": relationshipsPart(targets),
    ...others,
  });
}

const EXPECTED =
  "## Docent at work {#slide-1}\n\nA subtitle\n\n## Why {#slide-2}\n\n- One file\n  - No cloud\n- Citations\n\nNotes: Say this slowly.\n\n" +
  "## Sizes {#slide-3}\n\nAbove the table\n\n| Kind | MB |\n| --- | --- |\n| Binary | 120 |";

describe("a presentation", () => {
  // Written by python-pptx 1.0, and of it by LibreOffice 7.4.
  test.each(["deck.pptx", "deck.odp"])(
    "%s is read slide by slide, with notes and without hidden ones",
    async (name) => {
      const kind = name.endsWith(".odp") ? "odp" : "pptx";
      const { markdown, data, faults } = await documentOf(await documentFixture(name), kind);
      expect(markdown).toBe(EXPECTED);
      expect(data["title"]).toBe("Docent at work");
      expect(faults).toEqual(["has a hidden slide, left out"]);
    },
  );

  test("has its slides in their order, and words from the top and the left, without dates and numbers", async () => {
    const first =
      shape("below", { top: 100 }) +
      shape("right", { left: 50 }) +
      shape("left") +
      shape("12/24", { place: '<p:ph type="dt"/>' }) +
      shape("Title", { place: '<p:ph type="title"/>', top: 900 });
    const { markdown } = await documentOf(presentation([first, shape("second")]), "pptx");
    expect(markdown).toBe("## Title {#slide-1}\n\nleft\n\nright\n\nbelow\n\n## Slide 2 {#slide-2}\n\nsecond");
  });

  test("says what its charts show", async () => {
    const chart =
      `<c:chartSpace ${NAMES}><c:chart><c:title><c:tx><c:rich><a:p><a:r><a:t>Sales</a:t></a:r></a:p></c:rich></c:tx></c:title><c:plotArea><c:barChart>` +
      '<c:ser><c:tx><c:strRef><c:strCache><c:pt idx="0"><c:v>2024</c:v></c:pt></c:strCache></c:strRef></c:tx>' +
      '<c:cat><c:strRef><c:strCache><c:pt idx="0"><c:v>North</c:v></c:pt></c:strCache></c:strRef></c:cat>' +
      '<c:val><c:numRef><c:numCache><c:pt idx="0"><c:v>7.5</c:v></c:pt></c:numCache></c:numRef></c:val></c:ser></c:barChart></c:plotArea></c:chart></c:chartSpace>';
    const frame =
      '<p:graphicFrame><a:graphic><a:graphicData><c:chart r:id="r1"/></a:graphicData></a:graphic></p:graphicFrame>';
    const zip = presentation([frame], { "ppt/charts/chart1.xml": chart }, [
      ["chart", "../charts/chart1.xml"],
    ]);
    expect((await documentOf(zip, "pptx")).markdown).toBe(
      "## Slide 1 {#slide-1}\n\nChart: Sales\n\n|  | 2024 |\n| --- | --- |\n| North | 7.5 |",
    );
  });
});
