import { existsSync, rmSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { ensurePrivateDir } from "../../adapters/config/locate.ts";
import type { Log } from "../../app/ports/world.ts";
import type { SocketDoor } from "../../doors/mcp/socket-door.ts";
import { startMarker } from "../client/connect-or-start.ts";

const LOOK_EVERY_MS = 1_000;

/** We hold the lock of the data directory, so a socket file that is there is a dead one. */
export async function openSocket(door: SocketDoor, path: string, log: Log) {
  // Without a listener a failing accept (no descriptor left) would end the daemon.
  door.net.on("error", (error) =>
    log.warn("The socket reports an error.", { error: String(error) }),
  );
  let inode = await bind();
  rmSync(startMarker(path), { force: true });

  /** Rejects, never throws: a timer calls it. */
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

  // Cleaners of temporary directories take sockets away; connections stay, new ones need a new file.
  const timer = setInterval(() => {
    if (existsSync(path) && statSync(path, { throwIfNoEntry: false })?.ino === inode) return;
    log.warn("The socket file disappeared; making it again.", { path });
    door.net.close();
    bind().then(
      (made) => (inode = made),
      (error: unknown) =>
        log.error("The socket could not be made again.", { error: String(error) }),
    );
  }, LOOK_EVERY_MS);
  timer.unref();

  return {
    async close(): Promise<void> {
      clearInterval(timer);
      await door.close();
      rmSync(path, { force: true });
    },
  };
}
