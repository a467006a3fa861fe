import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { aDaemon, type Daemon, type Place } from "../daemon.ts";
import { aMigratedUrl, aPlaceOn } from "./daemon-place.ts";

export type TestServer = Daemon & { readonly place: Place };

/** Two servers that share a new database, each with its own data directory and configuration. */
export async function twoServers(
  config: string | ((name: "a" | "b") => string) = "",
): Promise<{ readonly url: string; readonly a: TestServer; readonly b: TestServer }> {
  const url = await aMigratedUrl();
  async function start(name: "a" | "b"): Promise<TestServer> {
    const place = aPlaceOn(url);
    const text = typeof config === "string" ? config : config(name);
    if (text !== "") writeFileSync(join(place.dir, "kuromajutsu.config.yaml"), text);
    return { ...(await aDaemon(place)), place };
  }
  const a = await start("a");
  return { url, a, b: await start("b") };
}
