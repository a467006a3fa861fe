import { createHash, randomBytes, randomFillSync } from "node:crypto";
import { mkdir, stat } from "node:fs/promises";
import { resolve } from "node:path";
import { ulid } from "ulid";
import type { Clock, Directories, Random, Tokens } from "../app/ports/world.ts";

export const systemClock: Clock = { now: () => Date.now() };

/** Random numbers in stock: a system call for each of a ULID's sixteen letters would be slow. */
const stock = new Uint32Array(256);
let used = stock.length;

function randomFraction(): number {
  if (used === stock.length) {
    randomFillSync(stock);
    used = 0;
  }
  return (stock[used++] ?? 0) / 2 ** 32;
}

export const systemRandom: Random = {
  hex: (bytes) => randomBytes(bytes).toString("hex"),
  ulid: (atMs) => ulid(atMs, randomFraction),
};

/** Tokens have 256 random bits, so a plain hash is enough: they cannot be guessed. */
export const systemTokens: Tokens = {
  create: () => randomBytes(32).toString("base64url"),
  hash: (token) => createHash("sha256").update(token).digest("hex"),
};

export function createDirectories(samplePath: string): Directories {
  return {
    resolve: (path, base) => resolve(base, path),
    async exists(path) {
      try {
        return (await stat(path)).isDirectory();
      } catch {
        return false;
      }
    },
    async sample() {
      await mkdir(samplePath, { recursive: true, mode: 0o700 });
      return samplePath;
    },
  };
}
