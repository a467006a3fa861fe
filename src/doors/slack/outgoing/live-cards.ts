import type { SlackMessage } from "../../../app/ports/slack-store.ts";
import type { Clock } from "../../../app/ports/world.ts";

const MIN_GAP_MS = 3_000;
/** With this gap per card, the updates of all cards stay below the limit of a workspace. */
const GAP_PER_CARD_MS = 1_300;
/** A card without progress for so long does not count. */
const LIVE_MS = 60_000;

/** 0: a person is needed; 1: a final state; 2: a new message; 3: progress. */
export function urgencyClass({ priority, ts }: Pick<SlackMessage, "priority" | "ts">): number {
  return priority === 2 && ts !== null ? 3 : priority;
}

/** Counts the cards of a workspace that show progress: the more there are, the slower each is. */
export function createLiveCards(clock: Clock) {
  const lastSeen = new Map<string, Map<string, number>>();

  function see(message: SlackMessage): void {
    if (urgencyClass(message) < 3) return;
    const cards = lastSeen.get(message.team) ?? new Map<string, number>();
    lastSeen.set(message.team, cards.set(message.key, clock.now()));
  }

  function count(team: string): number {
    const cards = lastSeen.get(team) ?? new Map<string, number>();
    for (const [key, at] of cards) if (at < clock.now() - LIVE_MS) cards.delete(key);
    return cards.size;
  }

  return {
    /** Messages that wait to be sent. */
    seeAll: (messages: readonly SlackMessage[]) => messages.forEach(see),
    /** The earliest time for the next progress of this card; 0 for anything more urgent. */
    nextAt(message: SlackMessage): number {
      if (urgencyClass(message) < 3 || message.sentAt === null) return 0;
      return message.sentAt + Math.max(MIN_GAP_MS, GAP_PER_CARD_MS * count(message.team));
    },
  };
}
