import { createHash } from "node:crypto";
import { Refusal } from "../../domain/refusal.ts";
import { problem } from "./problem.ts";

const KEEP_MS = 10 * 60_000;
const MAX_KEYS = 1_000;
const MAX_KEY_CHARS = 200;

type Remembered = {
  readonly request: string;
  readonly at: number;
  readonly answer: Promise<{ readonly status: number; readonly body: string }>;
};

export type Idempotency = {
  /** Answers `run()`, or what it answered to the same key and request of the same person before. */
  readonly once: (
    key: string,
    request: string,
    run: () => Promise<Response>,
    whose?: string,
  ) => Promise<Response>;
};

/**
 * A client that lost the answer may ask again without doing it twice. In memory only: after a
 * restart the client asks what is there, as it must after any restart.
 */
export function createIdempotency(now: () => number = () => performance.now()): Idempotency {
  const known = new Map<string, Remembered>();

  function forgetOld(): void {
    for (const [key, { at }] of known) {
      if (now() - at < KEEP_MS && known.size < MAX_KEYS) return;
      known.delete(key);
    }
  }

  async function remember(key: string, request: string, run: () => Promise<Response>) {
    const answer = run().then(async (response) => ({
      status: response.status,
      body: await response.text(),
    }));
    known.set(key, { request, at: now(), answer });
    let isDone = false;
    try {
      isDone = (await answer).status < 300;
      return await answer;
    } finally {
      // What was refused may be right a moment later, or with a corrected body.
      if (!isDone) known.delete(key);
    }
  }

  return {
    async once(key, text, run, whose = "") {
      if (key === "" || key.length > MAX_KEY_CHARS) throw badKey();
      const request = createHash("sha256").update(text).digest("base64");
      const ownKey = `${whose}\n${key}`;
      forgetOld();
      const before = known.get(ownKey);
      if (before && before.request !== request) return reused(key);
      const { status, body } = await (before?.answer ?? remember(ownKey, request, run));
      const type = status < 300 ? "application/json" : "application/problem+json";
      return new Response(body, { status, headers: { "content-type": type } });
    },
  };
}

function badKey(): Refusal {
  return new Refusal(
    "INVALID_ARGUMENTS",
    "The Idempotency-Key is empty or too long.",
    `Send 1 to ${MAX_KEY_CHARS} characters, such as a UUID.`,
  );
}

function reused(key: string): Response {
  return problem(
    409,
    "IDEMPOTENCY_KEY_REUSED",
    `The Idempotency-Key ${key} was used for another request.`,
    "Use a new key for every new request.",
  );
}
