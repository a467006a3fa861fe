import { literalLine } from "../text/escape.ts";
import { truncatePlain } from "../text/truncate-mrkdwn.ts";
import type { CardBlock } from "./blocks.ts";

/** The colour of the bar on the left of a card. */
export const STATUS_COLORS = {
  generating: "#f2c744",
  pending_approval: "#2196f3",
  approved: "#36a64f",
  rejected: "#e01e5a",
  running: "#1264a3",
  completed: "#36a64f",
  failed: "#e01e5a",
  cancelled: "#888888",
  regenerating: "#f2c744",
  stopping: "#f2c744",
  blocked: "#e8912d",
  expired: "#888888",
} as const;
export type CardStatus = keyof typeof STATUS_COLORS;

const MAX_FALLBACK = 300;

/** The arguments of `chat.postMessage` and `chat.update` that show a card. */
export type CardMessage = {
  readonly attachments: readonly [
    { readonly color: string; readonly fallback: string; readonly blocks: CardBlock[] },
  ];
};

/**
 * Blocks as a coloured card. The fallback is what notifications show. There is no `text` beside it:
 * Slack would show that above the card.
 */
export function wrapCard(
  blocks: readonly CardBlock[],
  status: CardStatus,
  fallback: string,
): CardMessage {
  return {
    attachments: [
      {
        color: STATUS_COLORS[status],
        fallback: truncatePlain(literalLine(fallback), MAX_FALLBACK),
        blocks: [...blocks],
      },
    ],
  };
}
