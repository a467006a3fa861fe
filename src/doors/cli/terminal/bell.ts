/** A wake-up signal for one waiter. A ring without a waiter is kept for the next one. */
export type Bell = { ring(): void; next(): Promise<void> };

export function createBell(): Bell {
  let waiting: (() => void) | undefined;
  let isRung = false;
  return {
    ring() {
      isRung = true;
      waiting?.();
    },
    async next() {
      if (!isRung) await new Promise<void>((resolve) => (waiting = resolve));
      waiting = undefined;
      isRung = false;
    },
  };
}
