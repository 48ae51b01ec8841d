import type { Confirmation } from "../kit/overlay/confirm.tsx";

/** Asked before a role goes: who has none is not seen any more, and cannot be given one from here. */
export const lossOfRole = (member: string, organization: string): Confirmation => ({
  title: `Take ${member} out of ${organization}?`,
  text: `${member} sees nothing of ${organization} from then on. To let them in again takes a new invitation, or an owner of the server.`,
  action: `Take ${member} out`,
});

/** Asked before an owner gives up what they could not give themselves again. */
export const ownLoss = (what: string): Confirmation => ({
  title: `Give up ${what}?`,
  text: "You cannot take it back: only another owner can make you one again.",
  action: "Give it up",
});
