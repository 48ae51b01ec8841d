import type { Driver, InputSource } from "./driver.ts";

/** What keys are called in WebDriver that have no letter. */
const KEYS = {
  Tab: "\uE004",
  Enter: "\uE007",
  Control: "\uE009",
  Escape: "\uE00C",
  ArrowUp: "\uE013",
  ArrowDown: "\uE015",
} as const;

/** For what hangs: no test may depend on how fast the machine is. */
const STATE_MAX_MS = 120_000;
const LOOK_EVERY_MS = 50;

/** A place on the screen. */
interface Place {
  x: number;
  y: number;
}

/** Somebody who reads, points and types. Elements are looked for in the widget, whose root is open here, then in the page. */
export interface Person {
  goTo(url: string): Promise<void>;
  /** Waits until an element is to be seen, with these words in it; gives its whole text. */
  sees(selector: string, words?: string): Promise<string>;
  /** Waits until no such element is to be seen. */
  seesNo(selector: string): Promise<void>;
  /** Runs a function in the page, given a value that is JSON, as soon as the page is one that it can look into. */
  read(inPage: (value: string) => unknown, value?: string): Promise<string>;
  /** Waits until the function gives what is expected. */
  finds(expected: string, inPage: (value: string) => unknown, value?: string): Promise<void>;
  attribute(selector: string, name: string): Promise<string>;
  pointAt(selector: string): Promise<void>;
  click(selector: string): Promise<void>;
  /** Keys that are held down together. */
  press(...keys: string[]): Promise<void>;
  type(words: string): Promise<void>;
}

export function personAt(driver: Driver): Person {
  const read = async (inPage: (value: string) => unknown, value = "") =>
    String(await driver.evaluate(`String((${inPage})(${JSON.stringify(value)}))`));
  /** Looks again and again. A page that is just being left, or not there yet, cannot be looked into. */
  const until = async (what: string, look: () => Promise<string | undefined>): Promise<string> => {
    const latestAt = Date.now() + STATE_MAX_MS;
    for (;;) {
      let fault: unknown;
      const found = await look().catch((error: unknown) => {
        fault = error;
      });
      if (typeof found === "string") return found;
      if (Date.now() > latestAt) throw new Error(`not seen: ${what}`, { cause: fault });
      await Bun.sleep(LOOK_EVERY_MS);
    }
  };
  const sees = (selector: string, words = "") =>
    until(`${selector} ${words}`, async () => {
      const texts: string[] = JSON.parse(await read(visibleTexts, selector));
      return texts.find((text) => text.includes(words));
    });
  const perform = async (source: Omit<InputSource, "id">) => driver.perform([{ id: source.type, ...source }]);
  const button = 0;
  const moveTo = async (selector: string) => {
    await sees(selector);
    let last = "";
    // What still moves is not where it was.
    const place = await until(`${selector} at rest`, async () => {
      const before = last;
      last = await read(middleOf, selector);
      return last === before ? last : undefined;
    });
    const { x, y }: Place = JSON.parse(place);
    return { type: "pointerMove", x, y, origin: "viewport", duration: 0 };
  };

  return {
    goTo: (url) => driver.navigate(url),
    sees,
    async seesNo(selector) {
      await until(`no ${selector}`, async () =>
        (await read(visibleTexts, selector)) === "[]" ? "" : undefined,
      );
    },
    read: (inPage, value) => until(`${inPage} to say something`, () => read(inPage, value)),
    async finds(expected, inPage, value) {
      let found = "";
      await until(`${expected} of ${inPage}`, async () => {
        found = await read(inPage, value);
        return found === expected ? found : undefined;
      }).catch((error) => {
        throw new Error(`${error instanceof Error ? error.message : error}, but ${found}`);
      });
    },
    attribute: (selector, name) =>
      until(`${name} of ${selector}`, () => read(attributeOf, JSON.stringify([selector, name]))),
    async pointAt(selector) {
      await perform({ type: "pointer", actions: [await moveTo(selector)] });
    },
    async click(selector) {
      const actions = [
        await moveTo(selector),
        { type: "pointerDown", button },
        { type: "pointerUp", button },
      ];
      await perform({ type: "pointer", actions });
    },
    async press(...names) {
      const values = names.map((name) => Object.entries(KEYS).find(([key]) => key === name)?.[1] ?? name);
      const down = values.map((value) => ({ type: "keyDown", value }));
      const up = values.toReversed().map((value) => ({ type: "keyUp", value }));
      await perform({ type: "key", actions: [...down, ...up] });
    },
    async type(words) {
      const actions = [...words].flatMap((value) => [
        { type: "keyDown", value },
        { type: "keyUp", value },
      ]);
      await perform({ type: "key", actions });
    },
  };
}

/** Runs in the page. */
function visibleTexts(selector: string): string {
  const root = document.querySelector("docent-widget")?.shadowRoot;
  const all = [...(root?.querySelectorAll(selector) ?? []), ...document.querySelectorAll(selector)];
  const seen = all.filter((each) => each.checkVisibility({ visibilityProperty: true }));
  return JSON.stringify(seen.map((each) => each.textContent ?? ""));
}

/** Runs in the page. */
function middleOf(selector: string): string {
  const root = document.querySelector("docent-widget")?.shadowRoot;
  const all = [...(root?.querySelectorAll(selector) ?? []), ...document.querySelectorAll(selector)];
  const first = all.find((each) => each.checkVisibility({ visibilityProperty: true }));
  first?.scrollIntoView({ block: "nearest", behavior: "instant" });
  const { x = 0, y = 0, width = 0, height = 0 } = first?.getBoundingClientRect() ?? {};
  return JSON.stringify({ x: Math.round(x + width / 2), y: Math.round(y + height / 2) });
}

/** Runs in the page. */
function attributeOf(json: string): string {
  const [selector, name] = JSON.parse(json);
  const root = document.querySelector("docent-widget")?.shadowRoot;
  const element = root?.querySelector(selector) ?? document.querySelector(selector);
  return element?.getAttribute(name) ?? "";
}
