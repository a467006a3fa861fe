import { setTimeout as sleep } from "node:timers/promises";
import type { RevivedDaemon } from "../../doors/cli/cli.ts";
import { howItEnded } from "../daemon/daemon-file.ts";
import { askOn } from "./ask-daemon.ts";
import { connectOrStart, connectToRunning, type DaemonPlace } from "./connect-or-start.ts";

/** A service manager, or a person who restarts it, brings the next daemon within this time. */
const NEXT_WITHIN_MS = 3_000;
const URL_WITHIN_MS = 20_000;
const POLL_MS = 50;

/**
 * Finds the daemon that follows one that no longer answers. Starts one if it was killed or has
 * crashed, but never after an orderly stop.
 */
export async function reviveDaemon(
  place: DaemonPlace & { readonly dataDir: string },
): Promise<RevivedDaemon> {
  const lostAt = Date.now();
  let isStarted = false;
  while (Date.now() - lostAt < URL_WITHIN_MS) {
    const socket = await connectToRunning(place);
    const status = socket && (await askOn(socket, "status").catch(() => undefined));
    if (status?.url) return { kind: isStarted ? "started" : "running", url: status.url };
    if (!socket) {
      const ended = howItEnded(place.dataDir);
      const mayFollow = ended !== "died-in-background" && Date.now() - lostAt < NEXT_WITHIN_MS;
      if (!mayFollow && ended === "stopped") return { kind: "stopped" };
      if (!mayFollow) {
        isStarted = true;
        (await connectOrStart(place, () => "start"))?.destroy();
      }
    }
    await sleep(POLL_MS);
  }
  throw new Error(`The daemon for ${place.dataDir} has no HTTP address; its log says more.`);
}
