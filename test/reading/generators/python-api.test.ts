import { describe, expect, test } from "bun:test";
import {
  createPythonSources,
  plainDocstring,
  readSignature,
} from "../../../src/reading/generators/python-api/python-api.ts";
import { readPythonFile } from "../../../src/reading/generators/python-api/python-file.ts";
import { treeOf } from "./open-files.ts";

const membersOf = (source: string) =>
  readPythonFile(source).members.map(
    ({ kind, name, signature, doc }) => `${kind} ${name}${signature}: ${doc}`,
  );

describe("a Python module", () => {
  test("has classes, functions and values with what they say of themselves", () => {
    const file = readPythonFile(`"""The module.

    With more.
    """
import os  # not "documented
class Tide(Sea, base.Moon):
    '''A tide.'''
    #: How high it is.
    height: float = 1.0
    depth = {"a": [1, 2]}
    """How deep it is."""
    def __init__(self, sea, *, moon="full"):
        self.own = sea
        '''Its own sea.'''
        other = 1
    @property
    def name(self) -> str:
        "Its name."
        return "x: y"
    @classmethod
    async def at(cls, when: "Time") -> "Tide": ...
    @staticmethod
    def rise(by=1): pass
RATE = 5
"""Per day."""
`);
    expect(file.doc).toBe("The module.\n\nWith more.");
    const [tide, rate] = file.members;
    expect([tide?.doc, tide?.bases, rate?.doc]).toEqual(["A tide.", ["Sea", "base.Moon"], "Per day."]);
    expect(tide?.members.map(({ kind, name, signature, doc }) => [kind, name, signature, doc])).toEqual(
      [
        ["data", "height", "", "How high it is."],
        ["data", "depth", "", "How deep it is."],
        ["data", "own", "", "Its own sea."],
        ["function", "__init__", '(sea, *, moon="full")', ""],
        ["property", "name", "() -> str", "Its name."],
        ["function", "at", '(when: "Time") -> "Tide"', ""],
        ["function", "rise", "(by=1)", ""],
      ].toSorted((a, b) => order(a) - order(b)),
    );
  });

  test("has what stands below a condition, and nothing of what stands inside of a function", () => {
    expect(
      membersOf(
        "if sys.platform == 'win32':\n    def a(): '''W'''\nelse:\n    def a():\n        'L'\n        def inner(): pass\n        class C: pass\n",
      ),
    ).toEqual(["function a(): W"]);
  });

  test("is not misled by strings, comments, brackets and lines that go on", () => {
    expect(
      membersOf(`def a(x=")", # (
      y='''def no(): pass
''', z=(1,
  2)) -> int:
    r"""Raw \\d."""
b = \\
  1
c = f"{x!r:>{width}} class D: pass"
class E:
\tpass
`),
    ).toEqual([
      `function a(x=")", \n      y='''def no(): pass\n''', z=(1,\n  2)) -> int: Raw \\d.`,
      "data b: ",
      "data c: ",
      "class E: ",
    ]);
  });

  test("with very many values has each of them once", () => {
    const many = Array.from({ length: 100_000 }, (_, at) => `N${at} = ${at}`);
    const { members } = readPythonFile([...many, "N7 = 1", "'Seven.'"].join("\n"));
    expect(members).toHaveLength(100_000);
    expect(members[7]?.doc).toBe("Seven.");
  });

  test("that is no Python, or is endless, ends", () => {
    for (const text of [
      '"""'.repeat(50_001),
      "(".repeat(200_000),
      "x:".padEnd(400_000),
      "def a(self:".padEnd(400_000),
      "class ".repeat(50_000),
    ])
      expect(readPythonFile(text).members.length).toBeLessThan(3);
  });
});

const order = ([, name = ""]: readonly string[]) =>
  ["height", "depth", "__init__", "own", "name", "at", "rise"].indexOf(name);

describe("programs beside docs", () => {
  const sources = createPythonSources(
    treeOf({
      "src/acme/__init__.py":
        "from .core import Client as Client, run\nfrom .more import *\n__all__ = ['Client', 'run']",
      "src/acme/core.py":
        "from .base import Base\nclass Client(Base):\n    def get(self): pass\n    def put(self): 'Puts.'\ndef run(): 'Runs.'",
      "src/acme/base.py": "class Base(Base):\n    def get(self): 'Gets.'\n    def close(self): 'Closes.'",
      "src/acme/more.py": "from . import core\nfrom .loop import gone\nEXTRA = 1",
      "src/acme/loop.py": "from .more import gone",
      "tests/acme/__init__.py": "class Client: 'Not this one.'",
    }),
  );

  test("are found by the names by which they are imported", async () => {
    expect((await sources.find("acme.Client"))?.module).toBe("acme.core");
    expect((await sources.find("acme.run"))?.object.doc).toBe("Runs.");
    expect((await sources.find("acme.EXTRA"))?.module).toBe("acme.more");
    expect((await sources.find("acme.Client.put"))?.object.doc).toBe("Puts.");
    expect((await sources.module("acme"))?.exported).toEqual(["Client", "run"]);
  });

  test("in another language are found by what describes them", async () => {
    const native = createPythonSources(
      treeOf({
        "py/acme/__init__.py": "from ._core import Fast",
        "py/acme/_core.pyi": "class Fast:\n    'Is fast.'\n",
      }),
    );
    expect((await native.find("acme.Fast"))?.object.doc).toBe("Is fast.");
  });

  test("that import each other in a circle, or are not there, are not found", async () => {
    for (const name of ["acme.gone", "acme.loop.gone", "other.Thing", "acme", "", "..", "acme..Client"])
      expect(await sources.find(name)).toBeUndefined();
  });

  test("that take all of each other are read once for what none of them has", async () => {
    const names = Array.from({ length: 18 }, (_, at) => `m${at}`);
    const all = names.map((name) => `from .${name} import *`).join("\n");
    const files = Object.fromEntries(names.map((name) => [`web/${name}.py`, all]));
    const web = createPythonSources(
      treeOf({ ...files, "web/__init__.py": "from .m0 import *", "web/m17.py": "END = 1" }),
    );
    expect(await web.find("web.gone")).toBeUndefined();
    expect((await web.find("web.END"))?.module).toBe("web.m17");
  });

  test("are found where a package takes all of each of its many modules", async () => {
    const names = Array.from({ length: 60 }, (_, at) => `m${at}`);
    const files = Object.fromEntries(names.map((name) => [`web/${name}.py`, `IN_${name.toUpperCase()} = 1`]));
    const all = names.map((name) => `from .${name} import *`).join("\n");
    const web = createPythonSources(treeOf({ ...files, "web/__init__.py": all }));
    expect((await web.find("web.IN_M59"))?.module).toBe("web.m59");
  });

  test("have the members of the classes that they are made from, with their words", async () => {
    const client = await sources.find("acme.Client");
    const members = client === undefined ? [] : await sources.membersOf(client);
    expect(members.map(({ name, doc }) => `${name}: ${doc}`)).toEqual([
      "get: Gets.",
      "put: Puts.",
      "close: Closes.",
    ]);
  });
});

test("what is said of a parameter where it is declared is taken apart from the signature", () => {
  const { shown, parameters } = readSignature(
    `(path: Annotated[str, Doc("""The path, (or) "prefix".""")] = "/", *, n: Annotated[Literal["a", "b"] | None, Doc('How, many.')] = None, other: int = 1) -> None`,
  );
  expect(shown).toBe('(path: str = "/", *, n: Literal["a", "b"] | None = None, other: int = 1) -> None');
  expect(parameters.map(({ name, doc }) => [name, doc])).toEqual([
    ["path", 'The path, (or) "prefix".'],
    ["", ""],
    ["n", "How, many."],
    ["other", ""],
  ]);
});

describe("a docstring", () => {
  test("with Google's sections is headed lists", () => {
    const doc =
      "Opens.\n\nArgs:\n    path (str): Where it\n        lies.\n    **more: Others.\n\nReturns:\n    bool: Whether it is open.\n\nExample:\n    >>> open()";
    expect(plainDocstring(doc, "`")).toBe(
      "Opens.\n\n**Args**\n\n- `path` (`str`) – Where it\n  lies.\n- `**more` – Others.\n\n**Returns**\n\n- (`bool`) – Whether it is open.\n\n**Example**\n\n>>> open()",
    );
  });

  test("with NumPy's sections is headed lists", () => {
    const doc =
      "Opens.\n\nParameters\n----------\npath : str, optional\n    Where it lies.\n\nReturns\n-------\nbool\n    Whether it is open.\n\nNotes\n-----\nIt is slow.";
    expect(plainDocstring(doc, "``")).toBe(
      "Opens.\n\n**Parameters**\n\n- ``path`` (``str, optional``) – Where it lies.\n\n**Returns**\n\n- ``bool`` – Whether it is open.\n\n**Notes**\n\nIt is slow.",
    );
  });

  test("with NumPy's sections may write types with roles, which hold colons and are no code as a whole", () => {
    const doc =
      "Parameters\n----------\nguild: Union[:class:`str`, :class:`~acme.Name`]\n    Which.\n\nReturns\n-------\n:class:`int`\n    How many.";
    expect(plainDocstring(doc, "``")).toBe(
      "**Parameters**\n\n- ``guild`` (Union[:class:`str`, :class:`~acme.Name`]) – Which.\n\n**Returns**\n\n- :class:`int` – How many.",
    );
    expect(plainDocstring(doc, "`")).toBe(
      "**Parameters**\n\n- `guild` (Union[`str`, `acme.Name`]) – Which.\n\n**Returns**\n\n- `int` – How many.",
    );
  });

  test("without sections stays as it is", () => {
    expect(plainDocstring("One.\n\nNote that: this\n  stays.", "`")).toBe(
      "One.\n\nNote that: this\n  stays.",
    );
  });
});
