import type { AlertMessage, AlertTarget, SendResult } from "../../app/ports/alert-target.ts";
import { errorCode } from "../../base/error-code.ts";
import type { AlertsSettings } from "../../contract/config/schema.ts";
import { alertLine, messageText } from "../../domain/alerts/alert-texts.ts";
import { ForbiddenAddress, postJson, type Posted } from "./post-json.ts";
import { secretBytes, signWebhook } from "./sign-webhook.ts";

type Webhook = AlertsSettings["webhooks"][string];

export type CreateWebhookTarget = {
  /** As configured now. */
  readonly webhooks: () => Readonly<Record<string, Webhook>>;
  /** Where the secrets are. */
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly version: string;
  readonly timeoutMs?: number;
};

const TIMEOUT_MS = 10_000;

/** Signed POST requests, as the Standard Webhooks specification describes them. */
export function createWebhookTarget(options: CreateWebhookTarget): AlertTarget {
  const { webhooks, variables, version, timeoutMs = TIMEOUT_MS } = options;
  return {
    async send(name, message, signal) {
      const webhook = Object.hasOwn(webhooks(), name) ? webhooks()[name] : undefined;
      if (!webhook) {
        return { isSent: false, isFinal: true, reason: `alerts.webhooks has no ${name} any more.` };
      }
      const ready = prepare(name, webhook, variables);
      if (typeof ready === "string") return { isSent: false, reason: ready };
      const body = JSON.stringify(payloadOf(message));
      const timeout = AbortSignal.timeout(timeoutMs);
      try {
        const posted = await postJson({
          url: ready.url,
          headers: {
            "content-type": "application/json",
            "user-agent": `kuromajutsu/${version}`,
            ...signWebhook(ready.secret, { id: message.id, at: message.at, body }),
          },
          body,
          allowAddresses: webhook.allowAddresses,
          signal: AbortSignal.any([signal, timeout]),
        });
        return judge(name, posted);
      } catch (error) {
        const { host } = ready.url;
        if (timeout.aborted)
          return notSent(`${host} did not answer within ${timeoutMs / 1_000} s.`);
        return notSent(explain(name, host, error));
      }
    },
  };
}

/** The address and the secret, or what is missing. Neither may be part of a message. */
function prepare(name: string, webhook: Webhook, variables: CreateWebhookTarget["variables"]) {
  const { url, urlEnv = "", secretEnv } = webhook;
  const given = variables[secretEnv];
  if (!given) return `Set the variable ${secretEnv} for the daemon (alerts.webhooks.${name}).`;
  const secret = secretBytes(given);
  if (!secret) return `The secret in ${secretEnv} is too short: it needs at least 16 bytes.`;
  const address = URL.parse(url ?? variables[urlEnv] ?? "");
  if (!address || !/^https?:$/.test(address.protocol)) {
    return `Set the variable ${urlEnv} to an http or https address (alerts.webhooks.${name}).`;
  }
  return { url: address, secret };
}

function judge(name: string, { status, retryAfter }: Posted): SendResult {
  if (status >= 200 && status < 300) return { isSent: true };
  if (status === 410) {
    const reason = `It answered 410 Gone: it wants no more messages. Remove webhook:${name} from the rules.`;
    return { isSent: false, isFinal: true, reason };
  }
  if (status >= 300 && status < 400) {
    return notSent(
      `It answered with a redirect (HTTP ${status}), which is not followed. Write the final address in alerts.webhooks.${name}.`,
    );
  }
  const retryAfterMs = waitOf(retryAfter);
  const failed = notSent(`It answered HTTP ${status}.`);
  return retryAfterMs === undefined ? failed : { ...failed, retryAfterMs };
}

function notSent(reason: string) {
  return { isSent: false, reason } as const;
}

function explain(name: string, host: string, error: unknown): string {
  if (error instanceof ForbiddenAddress) {
    return `${error.message} Nothing was sent. If that is intended, add it to alerts.webhooks.${name}.allowAddresses.`;
  }
  return `${host} could not be reached (${errorCode(error) ?? "unknown error"}).`;
}

/** Retry-After has seconds or a date. */
function waitOf(header: string | undefined): number | undefined {
  if (header === undefined) return undefined;
  const seconds = Number(header);
  const wait = Number.isNaN(seconds) ? Date.parse(header) - Date.now() : seconds * 1_000;
  return Number.isFinite(wait) ? Math.max(0, wait) : undefined;
}

/** `text` is at the top, because many chat programs show just that. */
function payloadOf(message: AlertMessage) {
  const { alerts, locale, at, isTest } = message;
  return {
    type: "kuromajutsu.alerts",
    timestamp: new Date(at).toISOString(),
    text: messageText(message),
    data: {
      test: isTest,
      alerts: alerts.map((alert) => ({
        ...alert,
        text: alertLine(alert, locale),
        createdAt: new Date(alert.createdAt).toISOString(),
      })),
    },
  };
}
