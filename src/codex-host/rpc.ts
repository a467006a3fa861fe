import type { Readable, Writable } from "node:stream";
import { createLineSplitter } from "../base/lines.ts";
import { fieldsOf, isRecord, numberOf, parseJson, textOf, type Fields } from "../base/narrow.ts";

export type RpcOptions = {
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly onNotification: (method: string, params: Fields) => void;
  /** The result for a request of the server; undefined: we do not know the method. */
  readonly onRequest: (method: string) => Fields | undefined;
};

const UNKNOWN_METHOD = -32_601;

/**
 * JSON-RPC over lines, without the field `jsonrpc`, as the app server of Codex speaks it. A request
 * stays open when the server ends: its caller watches the process.
 */
export function createRpc({ stdin, stdout, onNotification, onRequest }: RpcOptions) {
  const waiting = new Map<number, PromiseWithResolvers<Fields>>();
  const send = (message: Fields): void => void stdin.write(`${JSON.stringify(message)}\n`);

  function settle(message: Fields): void {
    const id = numberOf(message.id) ?? -1;
    const answer = waiting.get(id);
    waiting.delete(id);
    if (!isRecord(message.error)) return answer?.resolve(fieldsOf(message.result));
    answer?.reject(new Error(textOf(message.error.message) ?? "The CLI refused a request."));
  }

  function take(message: Fields): void {
    const method = textOf(message.method);
    if (method === undefined) return settle(message);
    if (message.id === undefined) return onNotification(method, fieldsOf(message.params));
    const result = onRequest(method);
    const error = { code: UNKNOWN_METHOD, message: `${method} is not supported.` };
    send({ id: message.id, ...(result ? { result } : { error }) });
  }

  const lines = createLineSplitter((line) => take(fieldsOf(parseJson(line))));
  stdout.on("data", (chunk: Buffer) => lines.push(chunk));

  let lastId = 0;
  return {
    request(method: string, params: Fields): Promise<Fields> {
      const id = ++lastId;
      const answer = Promise.withResolvers<Fields>();
      waiting.set(id, answer);
      send({ id, method, params });
      return answer.promise;
    },
    notify: (method: string): void => send({ method }),
  };
}
