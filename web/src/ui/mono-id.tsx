import { CopyButton } from "./copy-button.tsx";
import { cx } from "./cx.ts";

export type MonoIdProps = {
  readonly id: string;
  readonly copy?: boolean;
  readonly className?: string;
};

/** An id is never truncated: ids differ at their end. */
export function MonoId({ id, copy = false, className }: MonoIdProps) {
  return (
    <span className={cx("inline-flex min-w-0 items-center gap-1", className)}>
      <span className="font-mono text-xs break-all text-text-3">{id}</span>
      {copy && <CopyButton text={id} className="!min-h-5 !px-1" />}
    </span>
  );
}
