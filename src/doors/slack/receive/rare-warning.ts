import type { Clock, Log } from "../../../app/ports/world.ts";

const EVERY_MS = 60_000;

/** For what anyone on the network can cause: they must not fill the disk with the log. */
export function createRareWarning({ clock, log }: { readonly clock: Clock; readonly log: Log }) {
  let nextAt = -Infinity;
  let notLogged = 0;
  return (message: string, fields: Readonly<Record<string, unknown>> = {}): void => {
    if (clock.now() < nextAt) {
      notLogged += 1;
      return;
    }
    log.warn(message, { ...fields, ...(notLogged > 0 && { notLogged }) });
    nextAt = clock.now() + EVERY_MS;
    notLogged = 0;
  };
}
