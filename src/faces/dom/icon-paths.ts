/*
 * Pictures as lines on a grid of 24. Each is exported by itself, so that a script has only those that it shows.
 */
export const ask =
  "M12 3a8.5 8.5 0 0 1 0 17H4.2l1.6-3.2A8.5 8.5 0 0 1 12 3ZM9.6 9.4a2.5 2.5 0 1 1 3.6 2.3c-.8.4-1.2.9-1.2 1.8M12 16.2v.1";
export const close = "m6 6 12 12M18 6 6 18";
export const newConversation = "M12 5v14M5 12h14";
export const send = "M12 19V5M6 11l6-6 6 6";
export const stop = "M7 7h10v10H7Z";
export const down = "M12 5v14M6 13l6 6 6-6";
export const copy = "M9 9h11v11H9ZM15 9V4H4v11h5";
export const done = "m5 12.5 4.5 4.5L19 7.5";
export const retry = "M20 11a8 8 0 1 0-2.3 6.7M20 4v7h-7";
export const helpful =
  "M7 11v9H4v-9ZM7 11l4-8a2.6 2.6 0 0 1 2.6 3L13 9h5.4a2 2 0 0 1 2 2.4l-1.3 6.9a2 2 0 0 1-2 1.7H7";
export const unhelpful =
  "M17 13V4h3v9ZM17 13l-4 8a2.6 2.6 0 0 1-2.6-3l.6-3H5.6a2 2 0 0 1-2-2.4l1.3-6.9a2 2 0 0 1 2-1.7H17";
export const quote = "M5 6h14M5 12h9M5 18h6";
export const code = "m8 7-5 5 5 5M16 7l5 5-5 5";
export const team = "m12 3 2.4 5.2 5.6.7-4.1 3.9 1 5.6-4.9-2.8-4.9 2.8 1-5.6L4 8.9l5.6-.7Z";
export const warn = "M12 4 2.8 20h18.4ZM12 10v4.5M12 17.2v.1";
export const next = "M5 12h14M13 6l6 6-6 6";
export const search = "M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13ZM15.5 15.5 20 20";
export const recent = "M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16ZM12 7.5V12l3 2";
export const page = "M6 3h8l4 4v14H6ZM14 3v4h4";
export const section = "M9 4 7 20M17 4l-2 16M4 9h16M4 15h16";
