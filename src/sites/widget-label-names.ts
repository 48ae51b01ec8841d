/** The words of the widget's own that an owner may put into others. What they say is in web/widget/labels.ts. */
export const WIDGET_LABEL_NAMES = [
  ...(["open", "title", "close", "newConversation", "greeting", "introduction"] as const),
  ...(["starters", "placeholder", "send", "stop", "disclaimer", "conversation"] as const),
  ...(["you", "assistant", "searching", "queued", "thinking", "thoughts"] as const),
  ...(["writing", "answered", "stopped", "latest", "quoted", "curated"] as const),
  ...(["sources", "source", "suggestions", "copy", "copyCode", "copied"] as const),
  ...(["retry", "helpful", "unhelpful", "comment", "sendComment", "thanks"] as const),
  ...([
    "askAboutSelection",
    "askAboutCode",
    "aboutSelection",
    "aboutCode",
    "removeContext",
    "explain",
  ] as const),
  ...(["offline", "notSent", "unreachable", "interrupted", "limited", "limitedUntil", "busy"] as const),
  ...(["unavailable", "tooLong", "failed"] as const),
] as const;

export type WidgetLabelName = (typeof WIDGET_LABEL_NAMES)[number];
