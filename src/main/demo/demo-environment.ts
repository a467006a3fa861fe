import { join } from "node:path";
import type { DemoDirectory } from "./demo-directory.ts";

/** Settings of this person's own daemon, keys and accounts: a demo must not use them. */
const OWN = /^(?:KUROMAJUTSU|OTEL|SLACK)_/;

/**
 * Points this process and everything it starts to the directory of the demo, so that nothing is read
 * from or written to the home of this person. Returns the variables as they were.
 */
export function useDemoEnvironment(
  { dataDir, home }: DemoDirectory,
  configPath: string,
): NodeJS.ProcessEnv {
  const before = { ...process.env };
  for (const name of Object.keys(process.env)) if (OWN.test(name)) delete process.env[name];
  Object.assign(process.env, {
    HOME: home,
    XDG_CACHE_HOME: join(home, ".cache"),
    XDG_CONFIG_HOME: join(home, ".config"),
    XDG_DATA_HOME: join(home, ".local", "share"),
    XDG_STATE_HOME: join(home, ".local", "state"),
    XDG_RUNTIME_DIR: join(home, "run"),
    KUROMAJUTSU_CONFIG: configPath,
    KUROMAJUTSU_DATA_DIR: dataDir,
    KUROMAJUTSU_PORT: "0",
  });
  return before;
}
