import { describe, expect, test } from "bun:test";
import { pagePath, roleOf } from "../../../src/reading/sources/files/page-file.ts";

const kindOf = (location: string) => roleOf(location).kind;

describe("what a file's name says", () => {
  test.each([
    ["a.md", "md"],
    ["a.MARKDOWN", "md"],
    ["a.mdx", "mdx"],
    ["a.rst", "rst"],
    ["a.ipynb", "ipynb"],
    ["a.html", "html"],
    ["a.HTM", "html"],
    ["a.txt", "txt"],
  ])("%s is a page as %s", (location, format) => {
    expect(roleOf(location)).toMatchObject({ kind: "page", name: "a", format });
  });

  test("other files are nothing", () => {
    for (const location of [
      "a",
      "md",
      "a.md.bak",
      "a.json",
      "x.md/a",
      "a.",
      "package.json",
      "my-openapi.json",
    ])
      expect([location, kindOf(location)]).toEqual([location, "other"]);
  });

  test("a document in a format that is not read is no stranger: its owner is told what to do", () => {
    expect(roleOf("plans/Budget.XLS")).toEqual({
      kind: "unread",
      detail: "is in a format of Office 2003 and older: save it as .docx, .pptx or .xlsx",
    });
    expect(kindOf("drawing.odg")).toBe("unread");
    expect(kindOf("docs/.pages")).toBe("other");
  });

  test("what begins with an underscore is a part of other pages, a folder of them is said once", () => {
    expect(roleOf("guide/_note.mdx")).toMatchObject({ kind: "hidden", location: "guide/_note.mdx" });
    expect(roleOf("_sidebar.md")).toMatchObject({ kind: "hidden", location: "_sidebar.md" });
    expect(roleOf("x/_parts/deep/_a.md")).toMatchObject({ kind: "hidden", location: "x/_parts" });
    expect(kindOf("_category_.json")).toBe("other");
    expect(kindOf("a_b.md")).toBe("page");
  });

  test("Python's names and files of reStructuredText are pages although they begin with an underscore", () => {
    for (const location of ["library/__future__.md", "library/_thread.rst", "__main__.rst"])
      expect([location, kindOf(location)]).toEqual([location, "page"]);
    for (const location of ["__tests__/a.md", "_static/a.rst", "__note.md"])
      expect([location, kindOf(location)]).toEqual([location, "hidden"]);
  });

  test("a section's own page in Hugo is a page, and stands for its folder", () => {
    expect(roleOf("guide/_index.md")).toMatchObject({ kind: "page", name: "guide/_index" });
    expect(pagePath("guide/_index", new Set())).toBe("guide");
    expect(kindOf("guide/_indexes.md")).toBe("hidden");
  });

  test("files for programs and for missing pages are no pages", () => {
    for (const location of [
      "robots.txt",
      "llms.txt",
      "x/requirements-dev.txt",
      "CMakeLists.txt",
      "404.html",
      "pt-BR/404.md",
    ])
      expect([location, kindOf(location)]).toEqual([location, "hidden"]);
    for (const location of ["my-robots.txt", "requirements.md", "errors/404.md", "errors/4040.html"])
      expect([location, kindOf(location)]).toEqual([location, "page"]);
  });

  test("a description of an API has its pages beside it, under its own name where it has one", () => {
    expect(roleOf("openapi.json")).toEqual({ kind: "api", base: "api" });
    expect(roleOf("ref/Swagger.yml")).toEqual({ kind: "api", base: "ref/api" });
    expect(roleOf("ref/openapi-v2.yaml")).toEqual({ kind: "api", base: "ref/openapi-v2" });
  });
});
