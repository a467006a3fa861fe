import type { ReactNode } from "react";
import { Button as AriaButton, type ButtonProps as AriaButtonProps } from "react-aria-components";
import { cx } from "./cx.ts";

const LOOKS = {
  plain: "border border-line bg-raised text-text hover:bg-line",
  ghost: "text-text-2 hover:bg-raised hover:text-text",
  violet: "bg-violet-solid text-on-solid hover:brightness-110",
  approve: "bg-approve text-on-solid hover:brightness-110",
  danger: "bg-danger text-on-solid hover:brightness-110",
  reject: "border border-danger text-failed hover:bg-danger/20",
  block: "border border-blocked/60 text-blocked hover:bg-blocked/10",
} as const;
export type ButtonLook = keyof typeof LOOKS;

export type ButtonProps = Omit<AriaButtonProps, "className" | "children"> & {
  readonly look?: ButtonLook;
  readonly icon?: ReactNode;
  readonly children?: ReactNode;
  readonly size?: "small" | "normal" | "large";
  readonly className?: string;
};

const SIZES = {
  small: "min-h-7 px-2 text-xs",
  normal: "control px-3",
  large: "min-h-[46px] px-5 text-[15px]",
};

export function Button({
  look = "plain",
  size = "normal",
  icon,
  children,
  className,
  isPending = false,
  isDisabled = false,
  ...rest
}: ButtonProps) {
  return (
    // React Aria announces a pending button by its label, which is gone when a dialog closes.
    <AriaButton
      {...rest}
      isDisabled={isDisabled || isPending}
      className={cx(
        "inline-flex items-center justify-center gap-1.5 rounded-lg font-semibold transition-colors",
        "disabled:cursor-not-allowed disabled:opacity-50 pending:opacity-60",
        SIZES[size],
        LOOKS[look],
        className,
      )}
    >
      {icon}
      {children}
    </AriaButton>
  );
}

export type IconButtonProps = Omit<ButtonProps, "children" | "icon" | "aria-label"> & {
  readonly label: string;
  readonly children: ReactNode;
};

/** An icon-only button; the label is for screen readers. */
export function IconButton({ label, children, ...rest }: IconButtonProps) {
  return <Button {...rest} aria-label={label} icon={children} look={rest.look ?? "ghost"} />;
}
