import { Refusal } from "./refusal.ts";

/**
 * A lifecycle as data: state → event → next state. A pair that is missing here is refused, never
 * ignored.
 */
export type Transitions<State extends string, Event extends string> = Readonly<
  Record<State, Readonly<Partial<Record<Event, State>>>>
>;

export function nextState<State extends string, Event extends string>(
  table: Transitions<State, Event>,
  what: string,
  state: State,
  event: Event,
): State {
  const row = table[state];
  const next = row[event];
  if (next === undefined) {
    throw new Refusal(
      "TRANSITION_NOT_ALLOWED",
      `${what} is ${state}; ${event} does not apply.`,
      `Allowed now: ${Object.keys(row).join(", ") || "nothing, it is final"}.`,
    );
  }
  return next;
}
