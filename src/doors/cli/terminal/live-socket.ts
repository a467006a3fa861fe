import { WebSocket } from "ws";
import type { Api } from "./api.ts";

/** A WebSocket to the live events of the daemon, as the person of the API. */
export function openLiveSocket({ url, token }: Pick<Api, "url" | "token">): WebSocket {
  const address = new URL("/ws", url);
  address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
  return new WebSocket(address, { headers: token ? { authorization: `Bearer ${token}` } : {} });
}
