import { createHash, randomBytes } from "node:crypto";
import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { ulid } from "ulid";
import type { Clock, Directories, Random, Tokens } from "../app/ports/world.ts";

export const systemClock: Clock = { now: () => Date.now() };

export const systemRandom: Random = {
  hex: (bytes) => randomBytes(bytes).toString("hex"),
  ulid: (atMs) => ulid(atMs),
};

/** 256 bits, so a plain hash is enough: nobody guesses the input. */
export const systemTokens: Tokens = {
  create: () => randomBytes(32).toString("base64url"),
  hash: (token) => createHash("sha256").update(token).digest("hex"),
};

export const systemDirectories: Directories = {
  resolve: (path, base) => resolve(base, path),
  async exists(path) {
    try {
      return (await stat(path)).isDirectory();
    } catch {
      return false;
    }
  },
};
