import type { WebSocket } from "ws";
import type { Api } from "./api.ts";
import { openLiveSocket } from "./live-socket.ts";

const RETRY_MS = 500;
const SAFETY_POLL_MS = 5_000;

/**
 * Calls `wake` whenever the task may have changed, also after a reconnect. The caller then reads the
 * task by REST.
 */
export function watchTask(api: Api, taskId: string, wake: () => void): () => void {
  let socket: WebSocket | undefined;
  let timer: NodeJS.Timeout | undefined;
  let closed = false;

  function connect(): void {
    if (closed) return;
    socket = openLiveSocket(api);
    socket.on("open", () => socket?.send(JSON.stringify({ t: "hello" })));
    // The kind of event does not matter, only that it names this task.
    socket.on("message", (data) => {
      const text = Buffer.isBuffer(data) ? data.toString() : "";
      if (text.includes(taskId) || text.startsWith('{"t":"snapshot"')) wake();
    });
    socket.on("error", () => {});
    socket.on("close", () => {
      if (closed) return;
      wake();
      timer = setTimeout(connect, RETRY_MS);
    });
  }

  const poll = setInterval(wake, SAFETY_POLL_MS);
  connect();
  return () => {
    closed = true;
    clearTimeout(timer);
    clearInterval(poll);
    socket?.terminate();
  };
}
