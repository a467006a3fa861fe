import { createHash } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { Core } from "../../app/core.ts";
import type { IdempotencyRecord } from "../../app/ports/task-store.ts";
import { KEEP_REQUESTS_MS } from "../../app/purge-history.ts";
import type { Locale } from "../../domain/locale.ts";
import { Refusal, type RefusalText } from "../../domain/refusal.ts";
import { problem } from "./problem.ts";
import { withIdempotencyRecord } from "./with-idempotency-record.ts";

const MAX_KEY_CHARS = 200;
const MAX_BODY_CHARS = 1024 * 1024;
const ANSWERED_WITHIN_MS = 10_000;
const LOOK_EVERY_MS = 50;

export type Keyed = {
  readonly key: string;
  /** Keys are per person, so that a person never receives an answer meant for another. */
  readonly whose: string;
  /** The request; the same key with another request is refused. */
  readonly text: string;
  readonly locale: Locale;
  readonly run: (core: Core) => Promise<Response>;
};

type Answer = NonNullable<IdempotencyRecord["answer"]>;
type Running = { readonly request: string; readonly answer: Promise<Answer> };

/**
 * A client that lost the answer may repeat the request safely, even if the daemon crashed in between:
 * the key is stored in the transaction that carries out the request.
 */
export function createIdempotency(core: Core) {
  const running = new Map<string, Running>();

  /** Undefined: another server has taken the key. */
  async function answerTo(
    asked: Omit<IdempotencyRecord, "answer">,
    run: Keyed["run"],
  ): Promise<Answer | undefined> {
    const noted = withIdempotencyRecord(core, (unit) =>
      unit.insertIdempotencyRecord({ ...asked, answer: null }, asked.at - KEEP_REQUESTS_MS),
    );
    const answer = await run(noted.core)
      .then(answerOf)
      .catch((error: unknown) => {
        if (!noted.isTaken()) throw error;
      })
      .finally(() => noted.close());
    if (!answer || noted.isTaken()) return undefined;
    // The request was carried out before the error, so it must not be repeated.
    if (noted.isRecorded() && answer.status >= 500) return answer;
    await keep(asked, answer).catch((error: unknown) => {
      // The request was carried out, so answer it even if the answer could not be stored.
      core.log.error("An answer could not be kept for its key.", { error: String(error) });
    });
    return answer;
  }

  async function keep(asked: Omit<IdempotencyRecord, "answer">, answer: Answer): Promise<void> {
    await core.store.transaction(async (unit) => {
      await unit.deleteIdempotencyRecordsBefore(asked.at - KEEP_REQUESTS_MS);
      // Do not store refusals: the same request may succeed later, or with a corrected body.
      if (answer.status >= 300) return unit.deleteIdempotencyRecord(asked.key);
      const isShort = answer.body.length <= MAX_BODY_CHARS;
      return unit.putIdempotencyRecord({ ...asked, answer: isShort ? answer : null });
    });
  }

  return {
    /** The result of `run`, or the stored answer to the same key and request of the same person. */
    async once({ key: given, whose, text, locale, run }: Keyed): Promise<Response> {
      if (given === "" || given.length > MAX_KEY_CHARS) throw badKey();
      const key = sha256(`${whose}\n${given}`);
      const asked = { key, request: sha256(text), at: core.clock.now() };
      const now = running.get(key);
      if (now) {
        return now.request === asked.request ? respond(await now.answer) : reused(given, locale);
      }
      const isKept = (record: IdempotencyRecord | undefined) =>
        record !== undefined && record.at >= asked.at - KEEP_REQUESTS_MS;
      const answer = (async () => {
        const before = await core.store.getIdempotencyRecord(key);
        const done = isKept(before) ? undefined : await answerTo(asked, run);
        if (done) return done;
        const record = await answeredElsewhere(core, key, before);
        if (record?.request !== asked.request) return answerOf(reused(given, locale));
        return record.answer ?? answerOf(unknownOutcome(given, locale));
      })();
      running.set(key, { request: asked.request, answer });
      try {
        return respond(await answer);
      } finally {
        running.delete(key);
      }
    },
  };
}

/** Another server may be about to store the answer to the same request. */
async function answeredElsewhere(
  core: Core,
  key: string,
  found: IdempotencyRecord | undefined,
): Promise<IdempotencyRecord | undefined> {
  let record = found ?? (await core.store.getIdempotencyRecord(key));
  if (core.serverId === null) return record;
  const until = Date.now() + ANSWERED_WITHIN_MS;
  while (record?.answer === null && Date.now() < until) {
    await delay(LOOK_EVERY_MS);
    record = await core.store.getIdempotencyRecord(key);
  }
  return record;
}

function respond({ status, body }: Answer): Response {
  const type = status < 300 ? "application/json" : "application/problem+json";
  return new Response(body, { status, headers: { "content-type": type } });
}

async function answerOf(response: Response): Promise<Answer> {
  return { status: response.status, body: await response.text() };
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("base64");
}

function badKey(): Refusal {
  return new Refusal("INVALID_ARGUMENTS", {
    en: [
      "The Idempotency-Key is empty or too long.",
      `Send 1 to ${MAX_KEY_CHARS} characters, such as a UUID.`,
    ],
    ja: [
      "Idempotency-Key が空か、長すぎます。",
      `UUID など、1 から ${MAX_KEY_CHARS} 文字で送ってください。`,
    ],
  });
}

function reused(key: string, locale: Locale): Response {
  const texts: Record<Locale, RefusalText> = {
    en: [
      `The Idempotency-Key ${key} was used for another request.`,
      "Use a new key for every new request.",
    ],
    ja: [
      `Idempotency-Key ${key} は別のリクエストで使われています。`,
      "新しいリクエストには新しいキーを使ってください。",
    ],
  };
  return problem(409, "IDEMPOTENCY_KEY_REUSED", ...texts[locale]);
}

function unknownOutcome(key: string, locale: Locale): Response {
  const texts: Record<Locale, RefusalText> = {
    en: [
      `The request with the Idempotency-Key ${key} took effect, wholly or in part; its answer was not kept (the daemon ended meanwhile, or it was too long).`,
      "Look at what is there now. If something is missing, ask for it with a new key.",
    ],
    ja: [
      `Idempotency-Key ${key} のリクエストは、全部または一部が実行されましたが、応答は残っていません (その間にデーモンが終了したか、応答が長すぎました)。`,
      "今の状態を確かめてください。足りないものがあれば、新しいキーで送ってください。",
    ],
  };
  return problem(409, "OUTCOME_UNKNOWN", ...texts[locale]);
}
