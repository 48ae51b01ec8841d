import type { ModelAssignment, ModelChoice, SharedTicket } from "@docent/answering/answer/model-line";
import { createFairOrder, type FairOrder } from "./fair-order.ts";

/** The tickets that wait, in the order in which they are to be served. */
export function inTurn(tickets: readonly SharedTicket[]): SharedTicket[] {
  const order = createFairOrder<SharedTicket>();
  // What happened happens again, in the same order: who is next follows from who was served when.
  for (const { happen } of tickets.flatMap(eventsOf).sort((one, other) => one.at - other.at)) happen(order);
  return order.list();
}

interface LineEvent {
  at: number;
  happen(order: FairOrder<SharedTicket>): void;
}

function eventsOf(ticket: SharedTicket): LineEvent[] {
  const { asker, again, joinedAt, servedAt, endedAt } = ticket;
  const joined: LineEvent = {
    at: joinedAt,
    happen: (order) => (again ? order.rejoin(ticket) : order.join(asker, ticket)),
  };
  const served: LineEvent[] =
    servedAt === undefined ? [] : [{ at: servedAt, happen: (order) => order.begin(asker, ticket) }];
  const end = (order: FairOrder<SharedTicket>) =>
    servedAt === undefined ? order.leave(asker, ticket) : order.end(asker);
  return [joined, ...served, ...(endedAt === undefined ? [] : [{ at: endedAt, happen: end }])];
}

/** Serves those who wait, in turn, each where it is best served of what is free. */
export function assignPlaces(tickets: readonly SharedTicket[]): ModelAssignment[] {
  const running = new Map<string, number>();
  const runningAt = (address: string) => running.get(address) ?? 0;
  for (const { address, endedAt } of tickets)
    if (address !== undefined && endedAt === undefined) running.set(address, runningAt(address) + 1);

  const assigned: ModelAssignment[] = [];
  for (const { joinedAt, choices, address } of inTurn(tickets)) {
    // A ticket with an address has its place already, whatever the order says.
    if (address !== undefined) continue;
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
      tickets.filter((ticket) => ticket.address === address && ticket.endedAt === undefined).length < slots,
  );
}
