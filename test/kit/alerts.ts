import type { AlertSettings } from "../../src/app/core.ts";
import type { AlertMessage, AlertTarget, SendResult } from "../../src/app/ports/alert-target.ts";
import type { AlertRule } from "../../src/domain/alerts/alert-rules.ts";
import { ALERT_KINDS } from "../../src/domain/alerts/alert.ts";

export function anAlertRule(over: Partial<AlertRule> = {}): AlertRule {
  return {
    on: ALERT_KINDS,
    to: ["fake:ops"],
    for: "requester",
    quietHours: [],
    digestMs: 0,
    urgent: false,
    ...over,
  };
}

export function alertsBy(...rules: readonly AlertRule[]): AlertSettings {
  return { locale: "en", dashboardUrl: "https://kuro.example/", rules };
}

export type FakeTarget = AlertTarget & {
  readonly sent: { readonly address: string; readonly message: AlertMessage }[];
  /** The answer to every further message. */
  answer: SendResult | (() => Promise<SendResult>);
};

/** A target that records what it is asked to send. */
export function aFakeTarget(): FakeTarget {
  const fake: FakeTarget = {
    sent: [],
    answer: { isSent: true },
    async send(address, message) {
      fake.sent.push({ address, message });
      return typeof fake.answer === "function" ? fake.answer() : fake.answer;
    },
  };
  return fake;
}
