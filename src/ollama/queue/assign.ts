import type { ModelAssignment, ModelChoice, SharedTicket } from "../../answer/model-line.ts";
import { createFairOrder } from "./fair-order.ts";

/** The tickets that wait, in the order in which they are to be served. */
export function inTurn(tickets: readonly SharedTicket[]): SharedTicket[] {
  const order = createFairOrder<SharedTicket>();
  const joined = tickets.map((ticket) => ({ at: ticket.joinedAt, ticket, isService: false }));
  const served = tickets.flatMap((ticket) =>
    ticket.servedAt === undefined ? [] : [{ at: ticket.servedAt, ticket, isService: true }],
  );
  // What happened happens again, in the same order: who is next follows from who was served when.
  for (const { ticket, isService } of [...joined, ...served].sort((one, other) => one.at - other.at)) {
    if (isService) order.begin(ticket.asker, ticket);
    else if (ticket.again) order.rejoin(ticket);
    else order.join(ticket.asker, ticket);
  }
  return order.list().filter(({ isEnded }) => !isEnded);
}

/** Serves those who wait, in turn, each where it is best served of what is free. */
export function assignPlaces(tickets: readonly SharedTicket[]): ModelAssignment[] {
  const running = new Map<string, number>();
  const runningAt = (address: string) => running.get(address) ?? 0;
  for (const { address, isEnded } of tickets)
    if (address !== undefined && !isEnded) running.set(address, runningAt(address) + 1);

  const assigned: ModelAssignment[] = [];
  for (const { joinedAt, choices } of inTurn(tickets)) {
    const best = choices
      .filter(({ address, slots }) => runningAt(address) < slots)
      .sort((one, other) => one.rank - other.rank || runningAt(one.address) - runningAt(other.address))[0];
    if (best === undefined) continue;
    running.set(best.address, runningAt(best.address) + 1);
    assigned.push({ joinedAt, address: best.address });
  }
  return assigned;
}

/** Whether a newcomer with these choices would have a place at once. */
export function isPlaceFree(tickets: readonly SharedTicket[], choices: readonly ModelChoice[]): boolean {
  return choices.some(
    ({ address, slots }) =>
      tickets.filter((ticket) => ticket.address === address && !ticket.isEnded).length < slots,
  );
}
