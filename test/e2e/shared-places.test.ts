import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { socketPathFor } from "../../src/adapters/config/locate.ts";
import { aPlace, command } from "../kit/daemon.ts";

test("the compile cache is not in the temporary directory, which all users share", async () => {
  const place = aPlace();
  const tmp = join(place.dir, "tmp");
  mkdirSync(tmp);
  const cache = join(place.dir, "cache");

  const { code } = await command(
    { ...place, env: { ...place.env, TMPDIR: tmp, XDG_CACHE_HOME: cache } },
    ["--help"],
  );

  expect(code).toBe(0);
  expect(readdirSync(tmp)).toEqual([]);
  expect(existsSync(join(cache, "kuromajutsu"))).toBe(true);
});

test.runIf(process.getuid?.() === 0)(
  "the vendor keys of a client never reach a socket in a folder of another user",
  async () => {
    const { XDG_RUNTIME_DIR: _none, ...env } = aPlace().env;
    const place = { ...aPlace(), env };
    const tmp = join(place.dir, "tmp");
    const dataDir = String(env["KUROMAJUTSU_DATA_DIR"]);
    mkdirSync(tmp);
    chmodSync(tmp, 0o1777);
    const socketPath = socketPathFor(dataDir, env, {
      platform: process.platform,
      home: place.dir,
      tmp,
      uid: 0,
      exists: existsSync,
      realpath: (path) => path,
      ownsDirectory: () => false,
    });
    mkdirSync(dirname(socketPath), { mode: 0o755 });
    chownSync(dirname(socketPath), 65_534, 65_534);
    const received: string[] = [];
    const open: Socket[] = [];
    const listener = createServer((socket) => {
      open.push(socket);
      socket.on("data", (chunk) => received.push(String(chunk)));
      socket.end("{}");
    });
    await new Promise<void>((resolve) => listener.listen(socketPath, resolve));
    onTestFinished(() => {
      for (const socket of open) socket.destroy();
      listener.close();
    });

    const { code, stderr } = await command(
      { ...place, env: { ...env, TMPDIR: tmp, CURSOR_API_KEY: "secret" } },
      ["status"],
    );

    expect(received).toEqual([]);
    expect(code).toBe(1);
    expect(stderr).toContain("belongs to another user");
  },
);
