import { sendEvent } from "../conversation/connection.ts";
import type { QuestionContext } from "../conversation/state.ts";
import { createHighlighter } from "../dom/highlighter.ts";
import { createAppearance } from "./appearance.ts";
import { type AppContext, askOptions, readAppContext } from "./ask-options.ts";
import { createEvents, type EventName, watchAnswers } from "./events.ts";
import { createHost, findTarget, whenSeen } from "./host.ts";
import type { Installation } from "./installation.ts";
import { connectionOf, openConversation } from "./installation.ts";
import { readPage, takeQuestionFromAddress } from "./page.ts";
import { listen } from "./page-events.ts";
import { storedText } from "./stored-text.ts";
import { createView } from "./view/view.ts";
import { css } from "./widget-css.ts";

/** What a page can do with its widget. */
export interface Widget {
  open(): void;
  close(): void;
  /** Opens it and asks. */
  ask(text: string): void;
  /** Says where the reader is, in place of what the page says, and what the next question is about. */
  setContext(context: AppContext): void;
  /** Calls back when something happens. Gives what ends that. */
  on(event: EventName, listener: (detail: unknown) => void): () => void;
  /** Takes it out of the page. */
  destroy(): void;
}

/** A first question waits so long for what the site says of itself: it may narrow the search. */
const CONFIG_WAIT_MS = 1000;

/** Puts a site's assistant into the page. Nothing is asked of the server before it is opened. */
export function createWidget(installation: Installation): Widget {
  const { server, domain, target = "body", hotkey } = installation;
  const connection = connectionOf(installation);
  const conversation = openConversation(connection);
  const appearance = createAppearance(installation, connection);
  const signals = createEvents();
  const news = watchAnswers(signals);
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  const touch = matchMedia("(pointer: coarse)");
  const keptOpen = storedText("sessionStorage", `docent:open:${server}${domain}`);
  let app: AppContext = {};
  let search = "";
  let isEnded = false;
  /** What is about to be asked. */
  let waiting: string | undefined;
  /** Resolves when the site has said what it says of itself; undefined until the widget is opened. */
  let begun: Promise<void> | undefined;

  const isInline = () => stage.look().variant === "inline";
  const shell = createHost({
    css,
    place: () => (appearance.look().variant === "inline" ? findTarget(target) : document.body),
    onReturn: () => stage.revive(),
    onChange: followAddress,
  });
  const stage = createView({
    root: shell.root,
    domain,
    appearance,
    conversation,
    hands: {
      hotkey,
      onOpen: open,
      onClose: close,
      onNew: conversation.clear,
      onStop: conversation.stop,
      onRetry() {
        void conversation.retry();
        news(conversation.state());
      },
      onSubmit: (text, contexts) => void ask(text, contexts),
      onAsk: (text) => void ask(text),
      onAskAbout: askAbout,
      onRate({ messageId, question }, helpful, comment) {
        if (messageId === undefined) return;
        void conversation.rate(messageId, helpful, comment);
        if (comment === undefined) signals.emit("feedback", { question, helpful });
      },
      onFollow({ threadId, messageId }, type, url, inPlace) {
        const answer = { ...(threadId && { threadId }), ...(messageId && { messageId }) };
        void sendEvent(connection, { type, path: url, ...answer });
        signals.emit("source", { url });
        // What it leads to would be behind it.
        if (inPlace && stage.parts().dialog.isModal()) close();
      },
      paint: createHighlighter(server),
      isCalm: () => calm.matches,
      isOurs: shell.holds,
    },
  });

  function begin(): Promise<void> {
    begun ??= (async () => {
      conversation.restore();
      stage.update();
      stage.updateConnection();
      const isOther = await appearance.load();
      if (isOther) stage.parts().panel.composer.whenComposed(() => isEnded || stage.redraw());
    })();
    return begun;
  }

  function reveal(): void {
    if (!isInline() && !stage.isShown()) {
      stage.show();
      keptOpen.set("yes");
      signals.emit("open", undefined);
    }
    void begin();
  }

  function open(): void {
    if (isEnded) return;
    reveal();
    stage.takeFocus();
  }

  function close(): void {
    if (isEnded || isInline() || !stage.isShown()) return;
    stage.hide();
    keptOpen.remove();
    signals.emit("close", undefined);
  }

  async function ask(text: string, contexts: QuestionContext[] = []): Promise<void> {
    const question = text.trim();
    if (question === "" || question === waiting || isEnded) return;
    waiting = question;
    reveal();
    // The answer would be behind a keyboard that is on the screen.
    if (touch.matches) stage.parts().panel.composer.field.blur();
    else stage.takeFocus();
    await Promise.race([begin(), new Promise((resolve) => setTimeout(resolve, CONFIG_WAIT_MS))]);
    waiting = undefined;
    if (isEnded) return;
    const about = [...contexts, ...(app.context ?? [])];
    app = { ...app, context: [] };
    signals.emit("ask", { question });
    const page = readPage(installation, appearance.config());
    void conversation.ask(question, askOptions(page, app, about));
    // An answer may be complete before anything is drawn: that it is on its way is known from now on.
    news(conversation.state());
  }

  function askAbout(context: QuestionContext): void {
    open();
    stage.parts().panel.composer.add(context);
  }

  function followAddress(): void {
    // Read whenever the page changes, and once for each address.
    if (location.search === search) return;
    const asked = takeQuestionFromAddress();
    search = location.search;
    if (!asked) return;
    if (asked.question === "") open();
    else void ask(asked.question);
  }

  function onHotkey(): void {
    const isHere = stage.hasFocus();
    const context = isHere ? undefined : stage.parts().pointedAt();
    if (context) askAbout(context);
    else if (isHere && stage.isShown()) close();
    else open();
  }

  const endings = [
    conversation.subscribe(stage.update),
    conversation.subscribe(news),
    listen({
      root: shell.root,
      hotkey,
      onHotkey,
      onEscape: () => stage.parts().panel.dismiss() || close(),
      onConnection: stage.updateConnection,
      onNavigate: followAddress,
      onKept: () => begun && conversation.restore(),
    }),
  ];
  followAddress();
  if (isInline()) whenSeen(shell.root, () => void begin());
  // A reader who followed a link goes on in the panel, and keeps the focus in the page.
  else if (keptOpen.get() !== null && !stage.parts().dialog.isModal()) reveal();

  return {
    open,
    close,
    ask: (text) => void ask(String(text)),
    setContext(context) {
      app = readAppContext(context);
    },
    on: signals.on,
    destroy() {
      isEnded = true;
      for (const end of endings) end();
      conversation.stop();
      stage.end();
      signals.clear();
      keptOpen.remove();
      shell.remove();
    },
  };
}
