import type { z } from "zod";
import type { linkShape } from "../../../http/session/shapes.ts";

/** What a one-time link is for. */
export type LinkState = z.output<typeof linkShape>;

interface Words {
  title: (name: string) => string;
  text: string;
  action: string;
}

/** What is said to who comes with a link. */
export const WORDS: Record<LinkState["purpose"], Words> = {
  first: {
    title: () => "Welcome to Docent",
    text: "You are the first one here. Choose a name and a password: this server is then yours to manage.",
    action: "Begin",
  },
  invited: {
    title: (name) => `Welcome, ${name}`,
    text: "You were invited to this Docent. Choose a password to sign in with from now on.",
    action: "Set the password and sign in",
  },
  reset: {
    title: () => "Choose a new password",
    text: "The old one stops working, and you are signed out everywhere else.",
    action: "Set the password and sign in",
  },
};
