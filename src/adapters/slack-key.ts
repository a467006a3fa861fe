import { join } from "node:path";
import type { SlackKey } from "../app/ports/slack-key.ts";
import type { Env } from "./config/locate.ts";
import { readKeyFile, writeNewKey } from "./key-file.ts";

const VARIABLE = "KUROMAJUTSU_SLACK_KEY_FILE";

export function openSlackKey(dataDir: string, env: Env): SlackKey {
  const named = env[VARIABLE];
  const path = named || join(dataDir, "slack.key");
  return {
    path,
    read: () => readKeyFile(path),
    create() {
      if (!named) return writeNewKey(path);
      throw new Error(
        `${VARIABLE} names ${path}, which does not exist. Create it: (umask 077; openssl rand -hex 32 > ${path})`,
      );
    },
  };
}
