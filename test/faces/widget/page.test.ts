import { afterAll, afterEach, beforeAll, describe, expect, mock, test } from "bun:test";
import { watchHotkey } from "../../../src/faces/widget/hotkey.ts";
import { shadeOfPage } from "../../../src/faces/widget/look/look.ts";
import { codeContext, selectedContext } from "../../../src/faces/widget/offers/context.ts";
import { readPage, takeQuestionFromAddress } from "../../../src/faces/widget/page.ts";
import { storedText } from "../../../src/faces/widget/stored-text.ts";
import { registerDom } from "../../helpers/dom.ts";

let leave: () => Promise<void>;
beforeAll(() => {
  leave = registerDom();
});
afterAll(() => leave());
afterEach(() => {
  document.head.replaceChildren();
  document.body.replaceChildren();
  for (const element of [document.documentElement, document.body])
    for (const { name } of [...element.attributes]) element.removeAttribute(name);
  history.replaceState(null, "", "/");
});

const UNTOLD = { version: undefined, language: undefined };
const NONE = { versions: [], languages: [] };

function meta(name: string, content: string): void {
  const element = document.createElement("meta");
  element.setAttribute("name", name);
  element.setAttribute("content", content);
  document.head.append(element);
}

describe("what the page says of itself", () => {
  test("the path is where the reader is now, as people write it", () => {
    for (const [address, path] of [
      ["/guide/install?x=1#y", "/guide/install"],
      ["/ja/インストール/", "/ja/インストール/"],
      ["/a%20b%23c", "/a b%23c"],
      ["/100%", "/100%"],
    ] as const) {
      history.replaceState(null, "", address);
      expect(readPage(UNTOLD, NONE).currentPath).toBe(path);
    }
  });

  test("a version narrows the search where the site has pages of it", () => {
    meta("docsearch:version", "2.x,latest");
    expect(readPage(UNTOLD, { versions: ["1.x", "2.x"], languages: [] }).version).toBe("2.x");
    expect(readPage(UNTOLD, { versions: ["1.x"], languages: [] }).version).toBeUndefined();
    expect(readPage(UNTOLD, NONE).version).toBeUndefined();
  });

  test("Docusaurus' own word for it is read too", () => {
    meta("docusaurus_version", "3.0");
    expect(readPage(UNTOLD, { versions: ["3.0"], languages: [] }).version).toBe("3.0");
  });

  test("a page in a country's language is asked in the language, where the site has no other", () => {
    document.documentElement.lang = "de-CH";
    expect(readPage(UNTOLD, { versions: [], languages: ["en", "de"] }).language).toBe("de");
    expect(readPage(UNTOLD, { versions: [], languages: ["de", "de-ch"] }).language).toBe("de-ch");
    expect(readPage(UNTOLD, { versions: [], languages: ["en"] }).language).toBeUndefined();
  });

  test("what the tag says is taken as it is", () => {
    document.documentElement.lang = "de";
    const told = readPage({ version: "9", language: "fr" }, { versions: ["1"], languages: ["de"] });
    expect(told).toMatchObject({ version: "9", language: "fr" });
  });
});

describe("the address", () => {
  test("a question in it is asked once, and everything else of it stays", () => {
    history.replaceState({ own: 1 }, "", "/guide?a=1&assistant=How%20do%20I%3F#top");
    expect(takeQuestionFromAddress()).toEqual({ question: "How do I?" });
    expect(location.href).toBe("http://localhost/guide?a=1#top");
    expect(history.state).toEqual({ own: 1 });
    expect(takeQuestionFromAddress()).toBeUndefined();
  });

  test("without a text it opens and asks nothing", () => {
    history.replaceState(null, "", "/?assistant=");
    expect(takeQuestionFromAddress()).toEqual({ question: "" });
  });
});

describe("the hotkey", () => {
  function press(target: EventTarget, init: KeyboardEventInit): Event {
    const event = new KeyboardEvent("keydown", { bubbles: true, cancelable: true, composed: true, ...init });
    target.dispatchEvent(event);
    return event;
  }

  test("⌘ or Ctrl with the letter opens, and nothing else does", () => {
    const pressed = mock(() => {});
    const end = watchHotkey("i", pressed);
    expect(press(document.body, { key: "i", ctrlKey: true }).defaultPrevented).toBe(true);
    press(document.body, { key: "I", metaKey: true });
    expect(pressed).toHaveBeenCalledTimes(2);
    for (const other of [
      { key: "i" },
      { key: "i", ctrlKey: true, shiftKey: true },
      { key: "i", ctrlKey: true, altKey: true },
      { key: "i", ctrlKey: true, metaKey: true },
      { key: "j", ctrlKey: true },
      { key: "i", ctrlKey: true, repeat: true },
    ])
      expect(press(document.body, other).defaultPrevented).toBe(false);
    expect(pressed).toHaveBeenCalledTimes(2);
    end();
    press(document.body, { key: "i", ctrlKey: true });
    expect(pressed).toHaveBeenCalledTimes(2);
  });

  test("the key of the letter opens where keys write another script", () => {
    const pressed = mock(() => {});
    const end = watchHotkey("i", pressed);
    press(document.body, { key: "ш", code: "KeyI", ctrlKey: true });
    press(document.body, { key: "ㅑ", code: "KeyI", metaKey: true });
    expect(pressed).toHaveBeenCalledTimes(2);
    // On a keyboard that has other letters there, what is written counts.
    press(document.body, { key: "c", code: "KeyI", ctrlKey: true });
    press(document.body, { key: "i", code: "KeyG", ctrlKey: true });
    expect(pressed).toHaveBeenCalledTimes(3);
    end();
  });

  test("a key without a name, as browsers send it where they fill in a form, disturbs nothing", () => {
    const faults = mock((_: unknown) => {});
    const report = (event: Event) => faults(event);
    window.addEventListener("error", report);
    const end = watchHotkey("i", () => {});
    window.dispatchEvent(new Event("keydown", { bubbles: true }));
    expect(faults).not.toHaveBeenCalled();
    window.removeEventListener("error", report);
    end();
  });

  test("what is being written keeps its keys", () => {
    const pressed = mock(() => {});
    const end = watchHotkey("i", pressed);
    for (const tag of ["input", "textarea", "select"]) {
      const field = document.createElement(tag);
      document.body.append(field);
      press(field, { key: "i", ctrlKey: true });
    }
    expect(pressed).not.toHaveBeenCalled();
    end();
  });

  test("turned off, it listens to nothing", () => {
    const pressed = mock(() => {});
    watchHotkey(undefined, pressed);
    press(document.body, { key: "i", ctrlKey: true });
    expect(pressed).not.toHaveBeenCalled();
  });
});

describe("the page's theme", () => {
  test("the names of Material for MkDocs say nothing by themselves", () => {
    document.body.setAttribute("data-md-color-scheme", "slate");
    document.body.style.backgroundColor = "rgb(30, 33, 41)";
    expect(shadeOfPage()).toBe("dark");
  });

  test.each<[name: string, value: string, shade: "light" | "dark" | undefined]>([
    ["data-theme", "dark", "dark"],
    ["data-theme", "light", "light"],
    ["data-bs-theme", "dark", "dark"],
    ["class", "js dark no-touch", "dark"],
    ["class", "darkness", undefined],
  ])("%s=%s is %p", (name, value, shade) => {
    document.documentElement.setAttribute(name, value);
    expect(shadeOfPage()).toBe(shade);
  });

  test("a page that says nothing is told by the colour it stands on", () => {
    document.body.style.backgroundColor = "rgb(18, 18, 20)";
    expect(shadeOfPage()).toBe("dark");
    document.body.style.backgroundColor = "rgb(250, 250, 250)";
    expect(shadeOfPage()).toBe("light");
    document.body.style.backgroundColor = "rgba(0, 0, 0, 0)";
    expect(shadeOfPage()).toBeUndefined();
  });
});

describe("what the reader points at", () => {
  test("a block of code has the id of what it stands in", () => {
    document.body.innerHTML = '<section id="linux"><pre><code> make run </code></pre></section>';
    history.replaceState(null, "", "/guide/install");
    const block = document.querySelector("pre") ?? expect.unreachable();
    expect(codeContext(block)).toEqual({
      type: "code",
      value: "make run",
      path: "/guide/install",
      elementId: "linux",
    });
  });

  test("a block of nothing is nothing to ask about", () => {
    document.body.innerHTML = "<pre> </pre>";
    expect(codeContext(document.querySelector("pre") ?? expect.unreachable())).toBeUndefined();
  });

  test("selected text is a context, and what is selected while writing is not", () => {
    document.body.innerHTML =
      '<p id="intro">Run the installer first.</p><div contenteditable="true">My own text</div>';
    const [text, own] = document.body.children;
    getSelection()?.selectAllChildren(text ?? expect.unreachable());
    expect(selectedContext()).toMatchObject({
      type: "textSelection",
      value: "Run the installer first.",
      elementId: "intro",
    });
    getSelection()?.selectAllChildren(own ?? expect.unreachable());
    expect(selectedContext()).toBeUndefined();
    getSelection()?.removeAllRanges();
    expect(selectedContext()).toBeUndefined();
  });
});

describe("what is kept", () => {
  test("a browser that keeps nothing keeps it until the page goes", () => {
    const real = Object.getOwnPropertyDescriptor(window, "localStorage");
    Object.defineProperty(window, "localStorage", {
      configurable: true,
      get() {
        throw new DOMException("denied", "SecurityError");
      },
    });
    const kept = storedText("localStorage", "x");
    expect(kept.get()).toBeNull();
    kept.set("one");
    expect(kept.get()).toBe("one");
    kept.remove();
    expect(kept.get()).toBeNull();
    if (real) Object.defineProperty(window, "localStorage", real);
    else Reflect.deleteProperty(window, "localStorage");
  });

  test("what the browser has no room for counts more than what it took before", () => {
    const kept = storedText("localStorage", "x");
    kept.set("one");
    const real = Object.getOwnPropertyDescriptor(window, "localStorage");
    const full = {
      getItem: () => "one",
      setItem() {
        throw new DOMException("full", "QuotaExceededError");
      },
    };
    Object.defineProperty(window, "localStorage", { configurable: true, value: full });
    kept.set("two");
    expect(kept.get()).toBe("two");
    if (real) Object.defineProperty(window, "localStorage", real);
    else Reflect.deleteProperty(window, "localStorage");
    kept.set("three");
    expect([localStorage.getItem("x"), kept.get()]).toEqual(["three", "three"]);
    kept.remove();
  });
});
