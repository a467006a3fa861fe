import { createHmac } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import { z } from "zod";

const payload = z.object({
  type: z.string(),
  timestamp: z.string(),
  text: z.string(),
  data: z.object({ test: z.boolean(), alerts: z.array(z.record(z.string(), z.unknown())) }),
});

export type Received = {
  readonly id: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
  readonly payload: z.infer<typeof payload>;
};

export type Receiver = {
  readonly url: string;
  readonly received: Received[];
  /** Answers every further message; default: 204. */
  answer: (response: ServerResponse) => void;
  close(): Promise<void>;
};

/** A webhook receiver on loopback. */
export async function aReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const body = Buffer.concat(chunks).toString("utf8");
      const { headers } = request;
      received.push({
        id: String(headers["webhook-id"]),
        headers,
        body,
        payload: payload.parse(JSON.parse(body)),
      });
      receiver.answer(response);
    });
  });
  const port = await new Promise<number>((resolve) => {
    server.listen(0, "127.0.0.1", () => resolve(portOf(server.address())));
  });
  const receiver: Receiver = {
    url: `http://127.0.0.1:${port}/hook`,
    received,
    answer: (response) => response.writeHead(204).end(),
    async close() {
      server.closeAllConnections();
      await new Promise<void>((done) => void server.close(() => done()));
    },
  };
  onTestFinished(() => receiver.close());
  return receiver;
}

/** Recomputes the signature as a receiver does. */
export function isSigned({ headers, body }: Received, secret: string): boolean {
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  const text = `${String(headers["webhook-id"])}.${String(headers["webhook-timestamp"])}.${body}`;
  const expected = createHmac("sha256", key).update(text).digest("base64");
  return headers["webhook-signature"] === `v1,${expected}`;
}

function portOf(address: string | AddressInfo | null): number {
  if (address === null || typeof address === "string") throw new Error("The server has no port.");
  return address.port;
}
