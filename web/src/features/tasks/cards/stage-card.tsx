import type { ReactNode } from "react";
import { cx } from "../../../ui/cx.ts";
import { StatusBadge } from "../../../ui/status-badge.tsx";
import { BADGE_STATUS, BAR_COLOUR, type CardState } from "./card-state.ts";

export type StageCardProps = {
  readonly icon: ReactNode;
  readonly title: string;
  readonly state: CardState;
  readonly badge: string;
  /** Shown at the right of the header. */
  readonly side?: ReactNode;
  /** On a phone, cards that wait for a decision come first. */
  readonly isUrgent?: boolean;
  readonly children?: ReactNode;
};

/** One of the four cards of a task. */
export function StageCard(props: StageCardProps) {
  const { icon, title, state, badge, side, isUrgent = false, children } = props;
  const colour = BAR_COLOUR[state];
  return (
    <li
      className={cx(
        "relative min-w-0 lg:pl-12 lg:before:absolute lg:before:top-9 lg:before:bottom-[-0.75rem] lg:before:left-4 lg:before:w-px lg:before:bg-line lg:last:before:hidden",
        isUrgent && "max-lg:order-first",
      )}
    >
      <span
        aria-hidden
        className="absolute top-2 left-0 hidden size-8 place-items-center rounded-full border-2 bg-base text-bone lg:grid"
        style={{ borderColor: colour }}
      >
        {icon}
      </span>
      <section
        aria-label={title}
        className="relative overflow-hidden rounded-xl border border-line bg-surface"
      >
        <span
          aria-hidden
          className="absolute inset-y-0 left-0 w-1"
          style={{ backgroundColor: colour }}
        />
        <div className="flex min-h-12 flex-wrap items-center gap-x-2.5 gap-y-1 py-2 pr-3 pl-4">
          <h2 className="text-[15px] font-bold">{title}</h2>
          <StatusBadge status={BADGE_STATUS[state]} label={badge} />
          {side && <div className="ml-auto flex flex-wrap items-center gap-2">{side}</div>}
        </div>
        <div className="flex flex-col gap-3 pr-3 pb-3 pl-4 empty:hidden">{children}</div>
      </section>
    </li>
  );
}
