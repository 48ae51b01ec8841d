import { describe, expect, test } from "bun:test";
import { groupsSaidBy, pageGroups } from "../../../src/reading/markdown/front-matter.ts";
import { parsePage } from "../../../src/reading/markdown/page.ts";
import { NOBODY } from "../../../src/sites/pages/audience.ts";

const groups = (written: string) => pageGroups(parsePage(written, { fallbackTitle: "" }).frontMatter).groups;
const yaml = (said: string) => groups(`---\n${said}\n---\n# Page`);

describe("groups in front matter", () => {
  test.each([
    ["groups:\n  - staff\n  - partners", ["staff", "partners"]],
    ["groups: staff", ["staff"]],
    ["groups: ' hr , the  legal team'", ["hr", "the legal team"]],
    ["groups: [a, b, a]", ["a", "b"]],
    ["groups: []", []],
    ["groups:", []],
    ["groups: null", []],
    ["title: x", []],
    ["Groups: hr", []],
    ["groups: everyone", ["everyone"]],
    ["group: {title: Forms, order: 1}", []],
    ["group: navigation", []],
  ])("%j are for those whom they name", (said, expected) => {
    expect(yaml(said)).toEqual(expected);
  });

  test.each([
    "groups: 5",
    "groups: true",
    "groups: {hr: true}",
    "groups: [hr, 5]",
    "groups: [hr, null]",
    "groups: [[hr]]",
    "groups: [{label: hr}]",
    "groups: ''",
    "groups: ['']",
    "groups: [hr, ' ']",
    "groups: 'hr,'",
    "groups: ','",
    `groups: [${"x".repeat(201)}]`,
    `groups: [${Array.from({ length: 51 }, (_, index) => `g${index}`).join()}]`,
    "groups: (nobody)",
    "groups: [hr, (nobody)]",
  ])("%j are for nobody", (said) => {
    expect(yaml(said)).toEqual([NOBODY]);
  });

  test("are for nobody where front matter names them that cannot be read", () => {
    expect(yaml("title: [\ngroups: hr")).toEqual([NOBODY]);
    expect(yaml("groups: [hr\ntitle: x")).toEqual([NOBODY]);
    expect(groups("---\ntitle: x\ngroups: hr\n\n# Not closed")).toEqual([NOBODY]);
    expect(groups("+++\ngroups = [hr]\n+++\n# TOML")).toEqual([NOBODY]);
    expect(yaml(`a: ${"[".repeat(30)}${"]".repeat(30)}\ngroups: hr`)).toEqual([NOBODY]);
  });

  test("are nobody's affair where front matter that cannot be read does not name them", () => {
    expect(yaml("title: [")).toEqual([]);
    expect(groups("---\nSome groups: of words\n---\n# Rules around prose")).toEqual([]);
  });

  test("are read from a page's own file, for generators that know no front matter", () => {
    expect(groupsSaidBy("---\ntitle: x\ngroups: hr\n---\n# Page")).toEqual({ groups: "hr" });
    expect(groupsSaidBy("+++\ngroups = 'hr'\n+++\n# Page")).toEqual({ groups: "hr" });
    expect(groupsSaidBy("---\ngroups: [hr\n---\n# Page")).toEqual({ groups: [NOBODY] });
    // Hugo's front matter in JSON, with a comma too many.
    expect(groupsSaidBy('{\n"groups": ["hr"],\n}\n# Page')).toEqual({ groups: [NOBODY] });
    expect(groupsSaidBy("# Page\n\ngroups: hr")).toEqual({});
    expect(groupsSaidBy("{{ page.title }}\n\ngroups: hr")).toEqual({});
  });

  test("say why they cannot be read", () => {
    expect(pageGroups({ groups: [5] }).fault).toBe(
      "groups in its front matter names something that is not text: put it in quotes",
    );
    expect(pageGroups({ groups: 5 }).fault).toBe("groups in its front matter is not a list of texts");
  });
});
