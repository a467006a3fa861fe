import type { ReactNode } from "react";
import { cx } from "../../ui/cx.ts";

/** Lines as a terminal draws them: ├─ and, for the last, └─. */
export function Tree({ children }: { readonly children: ReactNode }) {
  return <ul className="flex flex-col">{children}</ul>;
}

export function Branch({
  isLast,
  children,
}: {
  readonly isLast: boolean;
  readonly children: ReactNode;
}) {
  return (
    <li className="relative pl-7">
      <span
        aria-hidden
        className={cx("absolute top-0 left-2 w-px bg-line", isLast ? "h-[1.15rem]" : "h-full")}
      />
      <span aria-hidden className="absolute top-[1.15rem] left-2 h-px w-3.5 bg-line" />
      {children}
    </li>
  );
}
