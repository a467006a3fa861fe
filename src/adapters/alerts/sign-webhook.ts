import { createHmac } from "node:crypto";

const PREFIX = "whsec_";
const MIN_SECRET_BYTES = 16;

/** The bytes of a secret: base64 after `whsec_`, otherwise the text itself; undefined: too short. */
export function secretBytes(secret: string): Buffer | undefined {
  const bytes = secret.startsWith(PREFIX)
    ? Buffer.from(secret.slice(PREFIX.length), "base64")
    : Buffer.from(secret, "utf8");
  return bytes.length < MIN_SECRET_BYTES ? undefined : bytes;
}

/** The headers of the Standard Webhooks specification, version 1. */
export function signWebhook(
  secret: Buffer,
  { id, at, body }: { readonly id: string; readonly at: number; readonly body: string },
): Record<string, string> {
  const timestamp = String(Math.floor(at / 1_000));
  const signature = createHmac("sha256", secret).update(`${id}.${timestamp}.${body}`);
  return {
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-signature": `v1,${signature.digest("base64")}`,
  };
}
