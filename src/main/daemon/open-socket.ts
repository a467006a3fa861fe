import { existsSync, rmSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { ensurePrivateDir } from "../../adapters/config/locate.ts";
import type { Log } from "../../app/ports/world.ts";
import type { SocketDoor } from "../../doors/mcp/socket-door.ts";
import { startMarker } from "../client/connect-or-start.ts";

const CHECK_EVERY_MS = 1_000;

/** The daemon holds the lock of the data directory, so an existing socket file is a left-over. */
export async function openSocket(door: SocketDoor, path: string, log: Log) {
  // Without a listener a failing accept (EMFILE) would end the daemon.
  door.net.on("error", (error) =>
    log.warn("The socket reports an error.", { error: String(error) }),
  );
  let inode = await bind();
  rmSync(startMarker(path), { force: true });

  /** Async, so that an error rejects instead of being thrown into the timer. */
  async function bind(): Promise<number> {
    ensurePrivateDir(dirname(path));
    rmSync(path, { force: true });
    await new Promise<void>((resolve, reject) => {
      door.net.once("error", reject);
      door.net.listen(path, () => {
        door.net.off("error", reject);
        resolve();
      });
    });
    return statSync(path).ino;
  }

  // Cleaners of temporary directories delete sockets. Open connections stay; new ones need a new file.
  const timer = setInterval(() => {
    if (existsSync(path) && statSync(path, { throwIfNoEntry: false })?.ino === inode) return;
    log.warn("The socket file disappeared; making it again.", { path });
    door.net.close();
    bind().then(
      (made) => (inode = made),
      (error: unknown) =>
        log.error("The socket could not be made again.", { error: String(error) }),
    );
  }, CHECK_EVERY_MS);
  timer.unref();

  return {
    async close(): Promise<void> {
      clearInterval(timer);
      await door.close();
      rmSync(path, { force: true });
    },
  };
}
