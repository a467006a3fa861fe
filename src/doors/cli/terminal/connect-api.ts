import type { Cli } from "../cli.ts";
import { type Api, createApi, type Revive } from "./api.ts";

/** A client for the daemon, which is started if none runs. Agents may use the keys of this terminal. */
export async function connectApi(cli: Cli, revive?: Revive): Promise<Api> {
  const url = await cli.daemonUrl();
  return createApi(url, {
    token: process.env["KUROMAJUTSU_TOKEN"] || undefined,
    locale: await cli.locale(),
    command: cli.command,
    keyTicket: () => cli.keyTicket(),
    ...(revive && { revive }),
  });
}
