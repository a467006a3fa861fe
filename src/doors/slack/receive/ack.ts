import type { Fields } from "../../../base/narrow.ts";

/** Sends the acknowledgement to Slack. */
export type SendAck = (payload?: Fields) => void | Promise<void>;

export type SlackAck = {
  /** False: Slack does not wait, because the request comes from an earlier daemon. */
  readonly isWanted: boolean;
  /** Whether an answer in the acknowledgement would still reach the person. */
  isOpen(): boolean;
  /** Only the first call has an effect. Never rejects: Slack repeats what it thinks is lost. */
  send(payload?: Fields): Promise<void>;
};

/** Slack waits three seconds. Slower work answers with a message instead. */
const ACK_WITHIN_MS = 800;

/** Acknowledges by itself if the work takes too long: the request is stored by then. */
export function openAck(send: SendAck | undefined, withinMs = ACK_WITHIN_MS): SlackAck {
  let isOpen = send !== undefined;
  async function sendOnce(payload?: Fields): Promise<void> {
    if (!isOpen || !send) return;
    isOpen = false;
    clearTimeout(late);
    try {
      await send(payload);
    } catch {
      // The connection is gone. Slack delivers the request again, and it is acknowledged then.
    }
  }
  const late = send && setTimeout(() => void sendOnce(), withinMs);
  return { isWanted: send !== undefined, isOpen: () => isOpen, send: sendOnce };
}
