import { useQuery } from "@tanstack/react-query";
import { BellOff } from "lucide-react";
import type { WireAlert } from "../../../../src/contract/shapes/alerts.ts";
import { get } from "../../api/http.ts";
import { useReason } from "../../i18n/reasons.ts";
import { useTexts } from "../../i18n/texts.ts";
import { visible } from "../../text/visible.ts";
import { Card } from "../../ui/card.tsx";
import { SectionHead } from "../../ui/page-head.tsx";
import { Ago } from "../../ui/times.tsx";
import { TargetTest } from "./target-test.tsx";
import { targetWords, TEXTS } from "./texts.ts";

/** Older failures are in `kuromajutsu alerts list`. */
const RECENT_MS = 7 * 24 * 60 * 60_000;

/** Targets whose alerts were given up in the last week, with the last reason; nothing if all is well. */
export function DeliveryFailures() {
  const text = useTexts(TEXTS);
  const { data } = useQuery({
    queryKey: ["alert", "failed"],
    queryFn: ({ signal }) =>
      get("/api/alerts", { query: { status: "failed", limit: 100 }, signal }),
  });
  const byTarget = Map.groupBy((data?.alerts ?? []).filter(isRecent), ({ target }) => target);
  if (byTarget.size === 0) return null;
  return (
    <section className="mb-4">
      <SectionHead title={text.failures} note={text.failuresNote} />
      <Card className="divide-y divide-line">
        {[...byTarget].map(([target, alerts]) => (
          <TargetFailures key={target} target={target} alerts={alerts} />
        ))}
      </Card>
    </section>
  );
}

function TargetFailures({
  target,
  alerts,
}: {
  readonly target: string;
  readonly alerts: readonly WireAlert[];
}) {
  const text = useTexts(TEXTS);
  const inWords = useReason();
  const [newest] = alerts;
  if (!newest) return null;
  return (
    <div className="flex items-start gap-3 px-4 py-3">
      <BellOff size={18} aria-hidden className="mt-0.5 shrink-0 text-failed" />
      <div className="min-w-0 flex-1">
        <TargetTest target={target}>
          <p className="font-semibold">
            {targetWords(target, text)}: {text.failed(alerts.length)}
          </p>
          <p className="text-xs break-words text-text-2">
            {visible(inWords(newest.error ?? ""))} · <Ago at={newest.endedAt ?? newest.createdAt} />
          </p>
        </TargetTest>
      </div>
    </div>
  );
}

function isRecent({ createdAt }: WireAlert): boolean {
  return Date.now() - Date.parse(createdAt) < RECENT_MS;
}
