import { createHmac, timingSafeEqual } from "node:crypto";

/** Slack's own limit. The clock of either side may be the one that is ahead. */
const MAX_AGE_S = 300;

export type SignedBody = {
  readonly body: string;
  /** `X-Slack-Signature`. */
  readonly signature: string | null;
  /** `X-Slack-Request-Timestamp`, in seconds. */
  readonly timestamp: string | null;
};

/** Whether Slack has signed this body within the last five minutes. */
export function isSignedBySlack(
  secret: string,
  { body, signature, timestamp }: SignedBody,
  nowMs: number,
): boolean {
  if (signature === null || timestamp === null || !/^\d{1,12}$/.test(timestamp)) return false;
  if (Math.abs(nowMs / 1_000 - Number(timestamp)) > MAX_AGE_S) return false;
  const expected = `v0=${createHmac("sha256", secret).update(`v0:${timestamp}:${body}`).digest("hex")}`;
  const [given, wanted] = [Buffer.from(signature), Buffer.from(expected)];
  return given.byteLength === wanted.byteLength && timingSafeEqual(given, wanted);
}
