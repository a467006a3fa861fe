import type { Texts } from "./locale.ts";
import { Refusal } from "./refusal.ts";
import { statusInJapanese } from "./status-words.ts";

/**
 * A lifecycle as data: state → event → next state. A pair that is missing here is refused, never
 * ignored.
 */
export type Transitions<State extends string, Event extends string> = Readonly<
  Record<State, Readonly<Partial<Record<Event, State>>>>
>;

export function nextState<State extends string, Event extends string>(
  table: Transitions<State, Event>,
  what: Texts,
  state: State,
  event: Event,
): State {
  const row = table[state];
  const next = row[event];
  if (next === undefined) {
    throw new Refusal("TRANSITION_NOT_ALLOWED", {
      en: [
        `${what.en} is ${state}; ${event} does not apply.`,
        `Allowed now: ${Object.keys(row).join(", ") || "nothing, it is final"}.`,
      ],
      ja: [
        `${what.ja}の状態は「${statusInJapanese(state)}」なので、${event} はできません。`,
        `今できること: ${Object.keys(row).join(", ") || "なし（終わっています）"}。`,
      ],
    });
  }
  return next;
}
