import { Link } from "@tanstack/react-router";
import { ArrowRight, Check, CircleDashed, PartyPopper, X } from "lucide-react";
import type { WireHome } from "../../../../src/contract/shapes/home.ts";
import { TryButton } from "../../features/tasks/first-task/try-button.tsx";
import { useTexts } from "../../i18n/texts.ts";
import { visibleName } from "../../text/visible.ts";
import { IconButton } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { cx } from "../../ui/cx.ts";
import { HOME } from "./home-texts.ts";

type Step = WireHome["firstSteps"][number];

const PAGES = {
  approve: "/approvals",
  block: "/tasks",
  client: "/welcome",
  cli: "/health",
  team: "/settings",
} as const;

/** The first steps, ticked from what the server has stored, and the next one to take. */
export function Checklist({
  home,
  onDismiss,
}: {
  readonly home: WireHome;
  readonly onDismiss: () => void;
}) {
  const text = useTexts(HOME);
  const steps = home.firstSteps;
  const done = steps.filter((step) => step.done).length;
  const next = steps.find((step) => !step.done);
  return (
    <aside aria-labelledby="checklist" className="flex min-w-0 flex-col">
      <div className="mb-2 flex items-center justify-between gap-3">
        <h2 id="checklist" className="text-[15px] font-bold">
          {text.checklist}
          <span className="ml-2 text-xs font-normal text-text-3">
            {text.progress(done, steps.length)}
          </span>
        </h2>
        <IconButton label={text.dismiss} size="small" onPress={onDismiss}>
          <X size={14} aria-hidden />
        </IconButton>
      </div>
      <Card className="flex flex-col gap-3 p-4">
        <Next step={next} hasFinished={steps.some(({ id, done: is }) => id === "task" && is)} />
        <ol className="flex flex-col gap-1">
          {steps.map((step) => (
            <Item key={step.id} step={step} client={home.client} />
          ))}
        </ol>
      </Card>
    </aside>
  );
}

function Next({
  step,
  hasFinished,
}: {
  readonly step: Step | undefined;
  readonly hasFinished: boolean;
}) {
  const text = useTexts(HOME);
  return (
    <div className="flex flex-col gap-2 rounded-lg border border-violet/50 bg-violet-solid/10 p-3">
      {hasFinished && (
        <div>
          <p className="flex items-center gap-2 font-semibold">
            <PartyPopper size={16} aria-hidden className="shrink-0 text-violet" />
            {step ? text.wellDone : text.allDone}
          </p>
          {step && <p className="text-[13px] text-text-2">{text.wellDoneBody}</p>}
        </div>
      )}
      {step && (
        <div>
          <p className="text-xs text-text-2">{text.next}</p>
          <h3 className="font-semibold">{text.firstSteps[step.id].title}</h3>
          <p className="text-[13px] text-text-2">{text.firstSteps[step.id].why}</p>
        </div>
      )}
      {step && (step.id === "task" ? <TryButton /> : <Action id={step.id} />)}
    </div>
  );
}

function Action({ id }: { readonly id: keyof typeof PAGES }) {
  const text = useTexts(HOME);
  return (
    <Link
      to={PAGES[id]}
      className="inline-flex min-h-8 w-fit items-center gap-1.5 rounded-lg bg-violet-solid px-3 font-semibold text-white hover:brightness-110"
    >
      {text.firstSteps[id].action}
      <ArrowRight size={13} aria-hidden />
    </Link>
  );
}

function Item({ step, client }: { readonly step: Step; readonly client: string | null }) {
  const text = useTexts(HOME);
  const { id, done } = step;
  const { title } = text.firstSteps[id];
  const isNamed = id === "client" && done && client !== null;
  return (
    <li className="flex items-start gap-2.5 py-0.5">
      <span
        className={cx(
          "mt-0.5 grid size-[18px] shrink-0 place-items-center rounded-full border",
          done ? "border-success text-success" : "border-field text-text-3",
        )}
      >
        {done ? <Check size={12} aria-hidden /> : <CircleDashed size={12} aria-hidden />}
        <span className="sr-only">{done ? text.done : text.todo}</span>
      </span>
      <span className={cx("min-w-0 text-[13px]", done ? "text-text-3" : "text-text-2")}>
        {id === "task" || done ? (
          title
        ) : (
          <Link to={PAGES[id]} className="hover:text-text hover:underline">
            {title}
          </Link>
        )}
        {isNamed && <span className="block text-xs">{text.connected(visibleName(client))}</span>}
      </span>
    </li>
  );
}
