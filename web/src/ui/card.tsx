import type { HTMLAttributes, ReactNode } from "react";
import { cx } from "./cx.ts";
import { TONE_TEXT, type Tone } from "./status-badge.tsx";

export type CardProps = HTMLAttributes<HTMLElement> & {
  /** A bar of this colour at the left edge, as on the cards in Slack. */
  readonly bar?: Tone;
  readonly children: ReactNode;
};

export function Card({ bar, children, className, ...rest }: CardProps) {
  return (
    <section
      {...rest}
      className={cx(
        "relative overflow-hidden rounded-xl border border-line bg-surface shadow-[0_1px_3px_var(--color-shade)]",
        className,
      )}
    >
      {bar && (
        <span
          aria-hidden
          className={cx("absolute inset-y-0 left-0 w-[3px] bg-current", TONE_TEXT[bar])}
        />
      )}
      {children}
    </section>
  );
}
