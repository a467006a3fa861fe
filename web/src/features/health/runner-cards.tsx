import { Check, Minus, RefreshCw, X } from "lucide-react";
import { FINDING_TEXTS } from "../../../../src/contract/finding-texts.ts";
import type { WireRunnerCheck } from "../../../../src/contract/shapes/health.ts";
import { type AnswerOf, post } from "../../api/http.ts";
import { useRunners } from "../../api/system.ts";
import { useFormat } from "../../i18n/format.ts";
import { useLocale } from "../../i18n/locale.ts";
import { useTexts } from "../../i18n/texts.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import { ErrorNote } from "../../ui/notes.tsx";
import { StatusBadge } from "../../ui/status-badge.tsx";
import { Ago } from "../../ui/times.tsx";
import { useAction } from "../../ui/use-action.ts";
import { TEXTS } from "./texts.ts";

type Runner = AnswerOf<"get", "/api/runners">["runners"][number];

/** The agent CLIs: which work, and what to do about the others. */
export function RunnerCards({ mayCheck }: { readonly mayCheck: boolean }) {
  const text = useTexts(TEXTS).clis;
  const runners = useRunners();
  return (
    <section aria-label={text.title} className="mb-4">
      <h2 className="font-bold">{text.title}</h2>
      <p className="mb-2 text-xs text-text-3">{text.note}</p>
      {runners.isError && (
        <ErrorNote error={runners.error} onRetry={() => void runners.refetch()} />
      )}
      <div className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,20rem),1fr))] gap-3">
        {runners.data?.runners.map((each) => (
          <RunnerCard
            key={each.runner}
            of={each}
            mayCheck={mayCheck}
            onChecked={() => void runners.refetch()}
          />
        ))}
      </div>
    </section>
  );
}

/** The statuses of StatusBadge that have the right colours and icons. */
const BADGES: Record<WireRunnerCheck["status"], string> = {
  works: "passed",
  limited: "timeout",
  failed: "failed",
  "not-found": "cancelled",
};

function RunnerCard({
  of: { runner, command, check },
  mayCheck,
  onChecked,
}: {
  readonly of: Runner;
  readonly mayCheck: boolean;
  readonly onChecked: () => void;
}) {
  const text = useTexts(TEXTS).clis;
  const run = useAction(async () => {
    await post("/api/runners/{id}/check", { params: { id: runner } });
    onChecked();
  });
  return (
    <Card className="flex flex-col gap-2 p-4" aria-label={runner}>
      <div className="flex items-center gap-2">
        <h3 className="font-mono font-bold">{runner}</h3>
        {check && <StatusBadge status={BADGES[check.status]} label={text.statuses[check.status]} />}
        {mayCheck && (
          <Button
            size="small"
            className="ml-auto"
            aria-label={text.check(runner)}
            icon={
              <RefreshCw size={13} aria-hidden className={run.isRunning ? "animate-spin" : ""} />
            }
            onPress={() => void run.run()}
            isPending={run.isRunning}
          >
            {run.isRunning ? text.checking : text.checkShort}
          </Button>
        )}
      </div>
      {command !== null && <p className="font-mono text-xs break-all text-text-3">{command}</p>}
      {check ? <Seen check={check} /> : <p className="text-xs text-text-3">{text.unchecked}</p>}
    </Card>
  );
}

function Seen({ check }: { readonly check: WireRunnerCheck }) {
  const text = useTexts(TEXTS).clis;
  const format = useFormat();
  const { command, version, tested, answered, connected, calledTool, responseTime_ms: ms } = check;
  const wasTried = answered || connected;
  return (
    <>
      {command !== null && (
        <>
          <p className="text-xs text-text-2">
            <span className="font-mono">{version ?? text.versionUnknown}</span>
            {tested && (
              <span className="text-text-3"> · {text.tested(tested.oldest, tested.newest)}</span>
            )}
          </p>
          <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-xs">
            <Fact name={text.facts.signedIn} is={check.signedIn} />
            <Fact name={text.facts.connected} is={wasTried ? connected : null} />
            <Fact name={text.facts.calledTool} is={wasTried ? calledTool : null} />
            {ms !== null && <span className="font-mono text-text-2">({format.took(ms)})</span>}
          </p>
        </>
      )}
      {check.findings.map((finding) => (
        <FindingNote key={finding.kind} finding={finding} />
      ))}
      {command !== null && (
        <p className="mt-auto text-xs text-text-3">
          <Ago at={check.checkedAt} />
        </p>
      )}
    </>
  );
}

function Fact({ name, is }: { readonly name: string; readonly is: boolean | null }) {
  const text = useTexts(TEXTS).clis;
  const icon = { size: 13, "aria-hidden": true } as const;
  return (
    <span className="inline-flex items-center gap-1 text-text-2">
      {is === null && <Minus {...icon} className="text-text-3" />}
      {is === true && <Check {...icon} className="text-success" />}
      {is === false && <X {...icon} className="text-failed" />}
      {name}
      {is !== null && <span className="sr-only">{is ? text.yes : text.no}</span>}
    </span>
  );
}

const NOTES: readonly string[] = ["newer-than-tested", "too-old"];

function FindingNote({ finding }: { readonly finding: WireRunnerCheck["findings"][number] }) {
  const text = useTexts(TEXTS).clis;
  const locale = useLocale((state) => state.locale);
  const { kind, run, detail } = finding;
  const isNote = NOTES.includes(kind);
  return (
    <div className="text-xs">
      {kind !== "not-found" && (
        <p className={isNote ? "text-text-2" : "font-semibold text-timeout"}>
          {FINDING_TEXTS[locale][kind](detail ?? "")}
        </p>
      )}
      {run !== null && (
        <p className="mt-1 flex items-center gap-1 rounded-lg border border-line bg-raised py-0.5 pl-2">
          <span className="sr-only">{text.run}: </span>
          <code className="min-w-0 flex-1 font-mono break-all select-all">{run}</code>
          <CopyButton text={run} className="!min-h-6 !px-1.5" />
        </p>
      )}
      {!isNote && detail !== null && (
        <details className="mt-1 text-text-3">
          <summary className="cursor-pointer">{text.said}</summary>
          <p className="break-words">{detail}</p>
        </details>
      )}
    </div>
  );
}
