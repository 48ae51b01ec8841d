import { type Connection, sendEvent, sendHandOver } from "../conversation/connection.ts";
import type { Conversation } from "../conversation/conversation.ts";
import type { ConversationState, QuestionContext } from "../conversation/state.ts";
import { createHighlighter } from "../dom/highlighter.ts";
import type { Palette } from "../palette/palette.ts";
import { type Appearance, createAppearance } from "./appearance.ts";
import { type AppContext, askOptions, readAppContext } from "./ask-options.ts";
import { markBusyPage } from "./busy-page.ts";
import { createEvents, type EventName, type WidgetEvents, watchAnswers } from "./events.ts";
import { createHost, findTarget, type Host, whenSeen } from "./host.ts";
import { connectionOf, type Installation, type Link, openConversation } from "./installation.ts";
import { createLater, type Later, type LaterParts, type PaletteModule, type TurnDrawing } from "./later.ts";
import { type PageFacts, readPage, takeQuestionFromAddress } from "./page.ts";
import { listen } from "./page-events.ts";
import { createWidgetPalette, type WidgetPaletteOptions } from "./palette.ts";
import { type StoredText, storedText } from "./stored-text.ts";
import { createTranslation, type Translation } from "./translation.ts";
import { createView, type View, type ViewOptions } from "./view/view.ts";
import { css } from "./widget-css.ts";

/** What a page can do with its widget. */
export interface Widget {
  open(): void;
  close(): void;
  /** Opens it and asks. */
  ask(text: string): void;
  /** Searches the docs over the whole page. */
  search(text?: string): void;
  /** Says where the reader is, in place of what the page says, and what the next question is about. */
  setContext(context: AppContext): void;
  /** Calls back when something happens. Gives what ends that. */
  on(event: EventName, listener: (detail: unknown) => void): () => void;
  /** Takes it out of the page. */
  destroy(): void;
}

/** A first question waits so long for what the site says of itself, which may narrow the search, and a button for its labels. */
const WAIT_MS = 1000;

/** A widget in its page, and what is going on in it. */
interface Running {
  readonly link: Link;
  readonly conversation: Conversation;
  readonly appearance: Appearance;
  readonly translation: Translation;
  readonly events: WidgetEvents;
  /** Tells the page when an answer is complete. */
  readonly reportAnswer: (state: ConversationState) => void;
  /** Whether the panel is open, for the next page that the reader comes to. */
  readonly keptOpen: StoredText;
  readonly host: Host;
  readonly view: View;
  readonly turns: Later<TurnDrawing>;
  readonly searching: Later<PaletteModule>;
  readonly paletteOptions: () => WidgetPaletteOptions;
  /** What searches over the page, once it was drawn. */
  palette: Palette | undefined;
  /** Where the reader is, as the page says it. */
  readonly page: () => PageFacts;
  /** What the page's own code said of where the reader is. */
  app: AppContext;
  /** The address's query when it was read last. */
  search: string;
  isEnded: boolean;
  /** What is about to be asked. */
  waiting: string | undefined;
  /** Resolves when the site has said what it says of itself; undefined until the widget is opened. */
  begun: Promise<void> | undefined;
}

/** Puts a site's assistant into the page. Nothing is asked of the server before it is opened. */
export function createWidget(installation: Installation, later: LaterParts): Widget {
  const widget = draw(installation, later);
  const { conversation, events, host, keptOpen, view } = widget;
  const endings = [
    markBusyPage(host.root),
    conversation.subscribe(view.update),
    conversation.subscribe(widget.reportAnswer),
    listen({
      root: host.root,
      hotkey: installation.hotkey,
      onHotkey: () => pressHotkey(widget),
      searchHotkey: installation.searchHotkey,
      onSearchHotkey: () => void search(widget),
      onEscape: () => view.parts().panel.dismiss() || close(widget),
      onConnection() {
        widget.link.forget();
        view.update();
      },
      onNavigate: () => followPage(widget),
      onKept: () => widget.begun && conversation.restore(),
    }),
  ];
  followPage(widget);
  if (isInline(widget)) whenSeen(host.root, () => void begin(widget));
  // A reader who followed a link goes on in the panel, and keeps the focus in the page.
  else if (keptOpen.get() !== null && !view.parts().dialog.isModal()) reveal(widget);

  return {
    open: () => open(widget),
    close: () => close(widget),
    ask: (text) => void ask(widget, String(text)),
    search: (text) => void search(widget, text === undefined ? undefined : String(text)),
    setContext(context) {
      widget.app = readAppContext(context);
    },
    on: events.on,
    destroy() {
      widget.isEnded = true;
      for (const end of endings) end();
      conversation.stop();
      widget.palette?.end();
      view.end();
      events.clear();
      keptOpen.remove();
      host.remove();
    },
  };
}

/** Makes what a widget is put together from, and draws it. */
function draw(installation: Installation, later: LaterParts): Running {
  const { server, domain, target = "body" } = installation;
  const connection = connectionOf(installation, later);
  const conversation = openConversation(connection);
  const appearance = createAppearance(installation, connection);
  const translation = createTranslation(installation.language, later);
  const events = createEvents();
  const host = createHost({
    css,
    place: () => (appearance.look().variant === "inline" ? findTarget(target) : document.body),
    onReturn: () => widget.view.revive(),
    onChange: () => followPage(widget),
  });
  const turns = createLater(later.turns);
  const handlers = { ...handlersOf(installation, connection, host, () => widget), turns };
  const view = createView({
    root: host.root,
    domain,
    appearance,
    translation,
    conversation,
    link: connection,
    handlers,
  });
  const widget: Running = {
    link: connection,
    conversation,
    appearance,
    translation,
    events,
    reportAnswer: watchAnswers(events),
    keptOpen: storedText("sessionStorage", `docent:open:${server}${domain}`),
    host,
    view,
    turns,
    searching: createLater(later.palette),
    paletteOptions: () => paletteOptions(installation, connection, widget),
    palette: undefined,
    page: () => readPage(installation, appearance.config()),
    app: {},
    search: "",
    isEnded: false,
    waiting: undefined,
    begun: undefined,
  };
  return widget;
}

/** What the parts that are seen do when the reader uses them. */
function handlersOf(
  { server, hotkey }: Installation,
  connection: Connection,
  host: Host,
  widget: () => Running,
): Omit<ViewOptions["handlers"], "turns"> {
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  return {
    hotkey,
    onOpen: () => open(widget()),
    onClose: () => close(widget()),
    onNew: () => widget().conversation.clear(),
    onSearch: () => void search(widget()),
    onStop: () => widget().conversation.stop(),
    onRetry() {
      const { conversation, reportAnswer } = widget();
      void conversation.retry();
      reportAnswer(conversation.state());
    },
    onSubmit: (text, contexts) => void ask(widget(), text, contexts),
    onAsk: (text) => void ask(widget(), text),
    onAskAbout: (context) => askAbout(widget(), context),
    onRate({ messageId, question }, helpful, comment) {
      const { conversation, events } = widget();
      if (messageId === undefined) return;
      void conversation.rate(messageId, helpful, comment);
      if (comment === undefined) events.emit("feedback", { question, helpful });
    },
    onHandOver: async ({ threadId }, request) =>
      threadId !== undefined && (await sendHandOver(connection, threadId, request)),
    onFollow({ threadId, messageId }, type, url, inPlace) {
      const { events, view } = widget();
      const answer = { ...(threadId && { threadId }), ...(messageId && { messageId }) };
      void sendEvent(connection, { type, path: url, ...answer });
      events.emit("source", { url });
      // What it leads to would be behind it.
      if (inPlace && view.parts().dialog.isModal()) close(widget());
    },
    paint: createHighlighter(server),
    isCalm: () => calm.matches,
    isOurs: host.holds,
  };
}

/** What search over the page is made of, and what it leads to. */
function paletteOptions(
  installation: Installation,
  connection: Connection,
  widget: Running,
): WidgetPaletteOptions {
  const { appearance, events, host, page, translation, view } = widget;
  return {
    installation,
    connection,
    root: host.root,
    say: (name, filled) => translation.say(view.look().labels)(name, filled),
    siteUrl: () => appearance.config().url,
    filter: () => askOptions(page(), widget.app, []).filter,
    starters: () => view.look().starterQuestions,
    onAsk: (question) => void ask(widget, question, [], true),
    onOpen: (url) => events.emit("source", { url }),
    onClose: () => {},
  };
}

const isInline = ({ view }: Running) => view.look().variant === "inline";

/** Takes up the conversation and asks for the site's settings, with the first opening; on another page for what is its own. */
function begin(widget: Running): Promise<void> {
  const { conversation, view, appearance } = widget;
  // What there is to begin with is the page's own.
  if (widget.begun && conversation.state().turns.length === 0) void redrawAfter(widget, appearance.load());
  widget.begun ??= (async () => {
    conversation.restore();
    view.update();
    void widget.turns.load();
    await redrawAfter(widget, appearance.load());
    // What was asked for came, or did not: only then is it known whether the server can be reached.
    view.update();
  })();
  return widget.begun;
}

/** Draws the widget anew where something turns out to be other than it was drawn. */
async function redrawAfter(widget: Running, isOther: Promise<boolean>): Promise<void> {
  if (!(await isOther) || widget.isEnded) return;
  const { view } = widget;
  view.parts().panel.composer.whenComposed(() => widget.isEnded || view.redraw());
}

/** Shows the panel, and leaves the focus where it is. */
function reveal(widget: Running, isRaised = false): void {
  if (!isInline(widget) && !widget.view.isShown()) {
    widget.view.show(isRaised);
    widget.keptOpen.set("yes");
    widget.events.emit("open", undefined);
  }
  void begin(widget);
}

function open(widget: Running): void {
  if (widget.isEnded) return;
  reveal(widget);
  widget.view.takeFocus();
}

function close(widget: Running): void {
  const { view, keptOpen, events } = widget;
  if (widget.isEnded || isInline(widget) || !view.isShown()) return;
  view.hide();
  keptOpen.remove();
  events.emit("close", undefined);
}

async function ask(
  widget: Running,
  text: string,
  contexts: QuestionContext[] = [],
  isRaised = false,
): Promise<void> {
  const { view, conversation, events } = widget;
  const question = text.trim();
  if (question === "" || question === widget.waiting || widget.isEnded) return;
  widget.waiting = question;
  reveal(widget, isRaised);
  // The answer would be behind a keyboard that is on the screen.
  if (matchMedia("(pointer: coarse)").matches) view.parts().panel.composer.field.blur();
  else view.takeFocus();
  await settled(widget);
  widget.waiting = undefined;
  if (widget.isEnded) return;
  const about = [...contexts, ...(widget.app.context ?? [])];
  widget.app = { ...widget.app, context: [] };
  // The page, which is told of the question first, may say where the reader is.
  events.emit("ask", { question });
  void conversation.ask(question, askOptions(widget.page(), widget.app, about));
  // An answer may be complete before anything is drawn: that it is on its way is known from now on.
  widget.reportAnswer(conversation.state());
}

/** Shows the search in the place of the panel; where it cannot be had, the panel stays. */
async function search(widget: Running, text?: string): Promise<void> {
  if (widget.isEnded) return;
  const coming = widget.searching.load();
  // What the site says of itself has its words, and questions to begin with.
  await settled(widget);
  const module = await coming;
  if (widget.isEnded) return;
  if (module === undefined) {
    open(widget);
    return;
  }
  widget.palette ??= createWidgetPalette(module, widget.paletteOptions());
  close(widget);
  widget.palette.show(text);
}

/** Waits for what the site says of itself, though not for long. */
const settled = (widget: Running) => atMost(begin(widget));

/** Waits for something, and not for ever. */
const atMost = (something: Promise<unknown>) =>
  Promise.race([something, new Promise((resolve) => setTimeout(resolve, WAIT_MS))]);

function askAbout(widget: Running, context: QuestionContext): void {
  open(widget);
  widget.view.parts().panel.composer.add(context);
}

/** Looks at the page whenever it changes: it may be in another language, and its address may ask for something. */
function followPage(widget: Running): void {
  followLanguage(widget);
  followAddress(widget);
  if (widget.begun && widget.view.isShown()) void begin(widget);
}

/** What is not in English is seen when its labels have come, so that nothing changes its size before the reader's eyes. */
function followLanguage(widget: Running): void {
  const { style } = widget.host.root;
  const coming = widget.translation.follow();
  if (!coming) return;
  if (widget.begun === undefined) style.opacity = "0";
  void atMost(redrawAfter(widget, coming)).then(() => style.removeProperty("opacity"));
  // The palette is drawn anew with the next search.
  widget.palette?.end();
  widget.palette = undefined;
}

/** Does what the page's address asks for, once for each address. */
function followAddress(widget: Running): void {
  if (location.search === widget.search) return;
  const asked = takeQuestionFromAddress();
  widget.search = location.search;
  if (!asked) return;
  if (asked.question === "") open(widget);
  else void ask(widget, asked.question);
}

function pressHotkey(widget: Running): void {
  const { view } = widget;
  const isHere = view.hasFocus();
  const context = isHere ? undefined : view.parts().pointedAt();
  if (context) askAbout(widget, context);
  else if (isHere && view.isShown()) close(widget);
  else open(widget);
}
