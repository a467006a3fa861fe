import { once } from "node:events";
import { z } from "zod";
import type { Context } from "./bench.ts";
import type { Daemon } from "./daemon.ts";

const answer = z.object({ id: z.number(), result: z.unknown() });
const evaluated = z.object({ result: z.object({ value: z.number() }) });

/** Measures a daemon that was started with --inspect: its live objects after a full collection. */
export async function anInspector({ ends }: Context, daemon: Daemon) {
  const found = /ws:\/\/\S+/.exec(daemon.stderr());
  if (!found) throw new Error(`There is no inspector: ${daemon.stderr()}`);
  const socket = new WebSocket(found[0]);
  await once(socket, "open");
  ends.defer(() => socket.close());
  const waiting = new Map<number, (result: unknown) => void>();
  let last = 0;
  socket.addEventListener("message", ({ data }) => {
    const message = answer.safeParse(JSON.parse(String(data))).data;
    if (message) waiting.get(message.id)?.(message.result);
  });

  function ask(method: string, params: Record<string, unknown> = {}): Promise<unknown> {
    const id = ++last;
    socket.send(JSON.stringify({ id, method, params }));
    return new Promise((resolve) => waiting.set(id, resolve));
  }

  return {
    async liveBytes(): Promise<number> {
      // Twice: objects released by finalizers of the first collection are freed by the second.
      await ask("HeapProfiler.collectGarbage");
      await ask("HeapProfiler.collectGarbage");
      const expression = "(({heapUsed, external}) => heapUsed + external)(process.memoryUsage())";
      return evaluated.parse(await ask("Runtime.evaluate", { expression, returnByValue: true }))
        .result.value;
    },
  };
}
