import type { Cli } from "../cli.ts";
import { type Api, createApi } from "./api.ts";

/** A client for the daemon, which is started if none runs. Agents may use the keys of this terminal. */
export async function connectApi(cli: Cli): Promise<Api> {
  const url = await cli.daemonUrl();
  return createApi(url, {
    token: process.env["KUROMAJUTSU_TOKEN"] || undefined,
    locale: await cli.locale(),
    command: cli.command,
    keyTicket: () => cli.keyTicket(),
  });
}
