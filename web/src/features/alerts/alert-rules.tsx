import { Fragment, type ReactNode } from "react";
import type { WireSettings } from "../../../../src/contract/shapes/settings.ts";
import { useTexts } from "../../i18n/texts.ts";
import { useSpan } from "../../i18n/use-span.ts";
import { Card } from "../../ui/card.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import { usePersonName } from "../people/use-person-name.ts";
import { TargetTest } from "./target-test.tsx";
import { type AlertWords, targetWords, TEXTS } from "./texts.ts";

type Rule = WireSettings["alerts"]["rules"][number];

const EXAMPLE = `alerts:
  rules:
    - on: [task.waiting, task.failed]
      to: [browser]`;

/** The rules of the configuration, and a test for each of their targets. */
export function AlertRules({ rules }: { readonly rules: readonly Rule[] }) {
  const text = useTexts(TEXTS);
  if (rules.length === 0) return <NoRules />;
  const targets = [...new Set(rules.flatMap(({ to }) => to))];
  return (
    <div className="grid items-start gap-3 lg:grid-cols-2">
      <Card className="divide-y divide-line">
        {rules.map((rule, index) => (
          <RuleRow key={`${index} ${rule.to.join()}`} rule={rule} />
        ))}
      </Card>
      <Card className="p-4">
        <h3 className="mb-2 font-semibold">{text.to}</h3>
        <ul className="divide-y divide-line">
          {targets.map((target) => (
            <li key={target} className="py-2">
              <TargetTest target={target}>
                <p className="font-semibold break-words">{targetWords(target, text)}</p>
              </TargetTest>
            </li>
          ))}
        </ul>
      </Card>
    </div>
  );
}

function NoRules() {
  const text = useTexts(TEXTS);
  return (
    <Card className="p-4">
      <p className="font-semibold">{text.none}</p>
      <p className="text-text-2">{text.noneNote}</p>
      <div className="mt-2 flex items-start gap-2 rounded-lg border border-line bg-base py-1 pr-1 pl-3">
        <pre className="min-w-0 flex-1 overflow-x-auto py-1 font-mono text-xs select-all">
          {EXAMPLE}
        </pre>
        <CopyButton text={EXAMPLE} />
      </div>
    </Card>
  );
}

function RuleRow({ rule }: { readonly rule: Rule }) {
  const text = useTexts(TEXTS);
  const span = useSpan();
  const nameOf = usePersonName();
  const lines: readonly (readonly [string, ReactNode])[] = [
    [text.on, rule.on.map((kind) => text.kind[kind]).join(text.daysGap)],
    [text.to, rule.to.map((target) => targetWords(target, text)).join(text.daysGap)],
    [text.people, peopleWords(rule, text, nameOf)],
    ...(rule.quietHours.length > 0 ? [[text.quiet, quietWords(rule, text)] as const] : []),
    ...(rule.digest_ms > 0 ? [[text.digest, text.digestEvery(span(rule.digest_ms))] as const] : []),
  ];
  return (
    <div className="p-4">
      <dl className="grid grid-cols-[7rem_minmax(0,1fr)] gap-x-4 gap-y-1">
        {lines.map(([name, value]) => (
          <Fragment key={name}>
            <dt className="text-text-2">{name}</dt>
            <dd className="font-semibold break-words">{value}</dd>
          </Fragment>
        ))}
      </dl>
      {rule.urgent && <p className="mt-1 text-xs text-text-2">{text.urgent}</p>}
    </div>
  );
}

function peopleWords(
  rule: Rule,
  text: AlertWords,
  nameOf: ReturnType<typeof usePersonName>,
): string {
  if (rule.for === "requester") return text.requester;
  return rule.for === "all" ? text.all : rule.for.map(nameOf).join(text.daysGap);
}

const ALL_DAYS = 7;

function quietWords({ quietHours }: Rule, text: AlertWords): ReactNode {
  return quietHours.map(({ from, to, timeZone, days }) => {
    const hours = text.quietHours(from, to, timeZone);
    const names = days.map((day) => text.days[day]).join(text.daysGap);
    const words = days.length === ALL_DAYS ? hours : `${names} ${hours}`;
    return (
      <span key={words} className="block">
        {words}
      </span>
    );
  });
}
