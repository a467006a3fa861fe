import type { Duplex } from "node:stream";
import { z } from "zod";
import { vendorKeysIn, type Hello } from "../../contract/hello.ts";
import { LOCALES } from "../../domain/locale.ts";

const MAX_HELLO_BYTES = 256 * 1024;
const HELLO_WITHIN_MS = 10_000;

const keys = z.record(z.string(), z.string()).transform(vendorKeysIn);

const hello = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("mcp"),
    version: z.string(),
    pid: z.int().positive(),
    cwd: z.string(),
    token: z.string().nullable(),
    personToken: z.string().nullable().default(null),
    keys,
    locale: z.enum(LOCALES).optional().catch(undefined),
  }),
  z.object({ kind: z.literal("keys"), version: z.string(), keys }),
  z.object({
    kind: z.literal("control"),
    version: z.string(),
    command: z.enum(["status", "stop", "stop-agents", "reload"]),
  }),
]);

/** Reads the first line of the socket and leaves the rest unread. */
export async function readHello(socket: Duplex): Promise<Hello> {
  return hello.parse(JSON.parse(await readLine(socket)));
}

function readLine(socket: Duplex): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const timer = setTimeout(() => fail("no hello line came"), HELLO_WITHIN_MS);
    socket.on("data", take);
    socket.once("close", closed);

    function take(chunk: Buffer): void {
      const newline = chunk.indexOf(10);
      chunks.push(newline < 0 ? chunk : chunk.subarray(0, newline));
      size += chunk.length;
      if (newline < 0) {
        if (size > MAX_HELLO_BYTES) fail("the hello line is too long");
        return;
      }
      stop();
      const rest = chunk.subarray(newline + 1);
      if (rest.length > 0) socket.unshift(rest);
      resolve(Buffer.concat(chunks).toString("utf8"));
    }
    function closed(): void {
      fail("the connection closed before its hello line");
    }
    function fail(reason: string): void {
      stop();
      reject(new Error(reason));
    }
    function stop(): void {
      clearTimeout(timer);
      socket.pause();
      socket.off("data", take);
      socket.off("close", closed);
    }
  });
}
