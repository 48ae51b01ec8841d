import { afterAll, beforeAll, describe, expect, jest, mock, test } from "bun:test";
import type { Turn } from "../../../src/faces/conversation/state.ts";
import { askOptions, readAppContext } from "../../../src/faces/widget/ask-options.ts";
import { createEvents, watchAnswers } from "../../../src/faces/widget/events.ts";
import { createSay } from "../../../src/faces/widget/labels.ts";
import { passageOf } from "../../../src/faces/widget/panel/citation-card.ts";
import { errorText } from "../../../src/faces/widget/panel/error-box.ts";
import { createPacedText } from "../../../src/faces/widget/panel/turn/answer.ts";
import { waitingText } from "../../../src/faces/widget/panel/waiting.ts";
import { registerDom } from "../../helpers/dom.ts";

let leave: () => Promise<void>;
beforeAll(() => {
  leave = registerDom();
});
afterAll(() => leave());

const PAGE = { currentPath: "/guide", version: undefined, language: undefined };

function turn(more: Partial<Turn> = {}): Turn {
  return {
    id: "q1",
    question: "How?",
    asked: {},
    askedAt: 1,
    status: "done",
    queuePosition: undefined,
    query: undefined,
    corrected: undefined,
    looks: undefined,
    results: [],
    answer: "So.",
    reasoning: "",
    sources: [],
    suggestions: [],
    followUps: undefined,
    outcome: "answered",
    isCurated: false,
    model: undefined,
    error: undefined,
    messageId: "m1",
    threadId: "t1",
    feedback: undefined,
    ...more,
  };
}

describe("what goes with a question", () => {
  test("the page's own path and filter, and nothing that is empty", () => {
    expect(askOptions(PAGE, {}, [])).toEqual({ currentPath: "/guide" });
    expect(askOptions({ ...PAGE, version: "2" }, {}, [])).toEqual({
      currentPath: "/guide",
      filter: { version: "2" },
    });
  });

  test("what an app says takes the place of what the page says", () => {
    const app = { currentPath: "/app", version: "3", tag: "cli", groups: [] };
    expect(askOptions({ ...PAGE, version: "2" }, app, [])).toEqual({
      currentPath: "/app",
      filter: { version: "3", tag: "cli" },
    });
  });

  test("of what an app hands over only what has the right shape is taken", () => {
    expect(readAppContext(null)).toEqual({ groups: [], context: [] });
    expect(
      readAppContext({
        currentPath: 7,
        version: "",
        tag: "t".repeat(300),
        groups: ["a", 1],
        context: [
          { type: "code", value: "x", path: 1 },
          { type: "html", value: "x" },
          { type: "code", value: "" },
          null,
        ],
        other: "x",
      }),
    ).toEqual({ tag: "t".repeat(200), groups: ["a"], context: [{ type: "code", value: "x" }] });
  });
});

describe("a text that comes in pieces", () => {
  function drawn(isCalm: boolean) {
    const frames: FrameRequestCallback[] = [];
    const shown: string[] = [];
    const real = window.requestAnimationFrame;
    window.requestAnimationFrame = (run) => frames.push(run);
    globalThis.requestAnimationFrame = window.requestAnimationFrame;
    const reveal = createPacedText(
      (text) => shown.push(text),
      () => isCalm,
    );
    const end = () => {
      window.requestAnimationFrame = real;
      globalThis.requestAnimationFrame = real;
    };
    return { reveal, shown, frame: () => frames.shift()?.(0), left: () => frames.length, end };
  }

  test("is shown a little more with each frame, and whole in the end", () => {
    const { reveal, shown, frame, left, end } = drawn(false);
    const whole = "a".repeat(400);
    reveal.text(whole);
    for (let frames = 0; left() > 0 && frames < 200; frames++) frame();
    const lengths = shown.map(({ length }) => length);
    expect(lengths).toEqual([...lengths].sort((one, other) => one - other));
    expect(lengths.length).toBeGreaterThan(10);
    expect(shown.at(-1)).toBe(whole);
    end();
  });

  test("is shown at once where nothing should move, and when it is complete", () => {
    const calm = drawn(true);
    calm.reveal.text("abc");
    expect(calm.shown).toEqual(["abc"]);
    calm.end();
    const moving = drawn(false);
    moving.reveal.text("abcdefgh");
    moving.frame();
    moving.reveal.finish();
    expect(moving.shown.at(-1)).toBe("abcdefgh");
    moving.end();
  });

  test("never ends within a character", () => {
    const { reveal, shown, frame, left, end } = drawn(false);
    reveal.text("😀".repeat(30));
    while (left() > 0) frame();
    for (const text of shown) expect(text.isWellFormed()).toBe(true);
    end();
  });
});

describe("what the page hears", () => {
  test("an answer is told of once, and one that was there before is not", () => {
    const signals = createEvents();
    const heard = mock((_: unknown) => {});
    signals.on("answer", heard);
    const tell = watchAnswers(signals);
    const state = { threadId: "t1", isBusy: false };
    tell({ ...state, turns: [turn()] });
    expect(heard).not.toHaveBeenCalled();
    tell({ ...state, isBusy: true, turns: [turn({ status: "answering" })] });
    tell({ ...state, turns: [turn()] });
    tell({ ...state, turns: [turn()] });
    expect(heard).toHaveBeenCalledTimes(1);
    expect(heard).toHaveBeenCalledWith({ question: "How?", answer: "So.", outcome: "answered" });
  });

  test("a listener that throws disturbs no other, and one that left hears nothing", () => {
    const report = jest.spyOn(globalThis, "reportError").mockImplementation(() => {});
    const signals = createEvents();
    const heard = mock(() => {});
    signals.on("open", () => {
      throw new Error("theirs");
    });
    const leaveOpen = signals.on("open", heard);
    signals.emit("open", undefined);
    leaveOpen();
    signals.emit("open", undefined);
    expect(heard).toHaveBeenCalledTimes(1);
    expect(report).toHaveBeenCalledTimes(2);
    report.mockRestore();
  });

  test("a name that means nothing is refused with those that do", () => {
    expect(() => createEvents().on("opened" as "open", () => {})).toThrow(/open, close, ask/);
  });
});

describe("words", () => {
  test("a citation shows what its source says, and before it has come what was found", () => {
    const url = "https://acme.example/docs/guide/install#linux";
    const results = [
      { title: "Install", content: "Run it.", path: "guide/install", href: "/guide/install#linux", score: 1 },
    ];
    expect(passageOf(turn({ results }), url)).toEqual({ url, title: "Install", snippet: "Run it." });
    const sources = [{ url, title: "Linux", snippet: "" }];
    expect(passageOf(turn({ results, sources }), url)).toEqual({ url, title: "Linux", snippet: "Run it." });
    expect(passageOf(turn({ results }), "https://acme.example/other")).toBeUndefined();
  });

  test.each([
    ["rate_limited", "Many questions are being asked. Try again in 9 seconds."],
    ["forbidden", "The assistant is not available here."],
    ["unheard_of", "What the server said."],
  ])("%s is said so that a reader knows what to do", (code, words) => {
    const error = {
      code,
      message: "What the server said.",
      retryAfterSeconds: 9,
    };
    expect(errorText(error, { askedAt: 0 }, createSay())).toBe(words);
  });

  test("a limit that lasts is told by the clock, and not by another one each time it is shown", () => {
    const askedAt = new Date(2026, 10, 21, 9, 15).getTime();
    const error = { code: "rate_limited", message: "", retryAfterSeconds: 3 * 3600 + 60 };
    const said = errorText(error, { askedAt }, createSay({ limitedUntil: "{time}" }));
    expect(said).toMatch(/^12.16/);
    expect(errorText({ ...error, retryAfterSeconds: 90 }, { askedAt }, createSay())).toContain("90 seconds");
  });
});

test("only a question that waits behind others is told its place in line", () => {
  const say = createSay();
  expect(waitingText({ queuePosition: 3 }, say)).toBe("Number 3 in line…");
  expect(waitingText({ queuePosition: undefined }, say)).toBe("Thinking…");
});
