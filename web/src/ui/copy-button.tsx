import { Check, Copy } from "lucide-react";
import { type ReactNode, useState } from "react";
import { COMMON } from "../i18n/common.ts";
import { useTexts } from "../i18n/texts.ts";
import { Button, IconButton } from "./button.tsx";
import { copyText } from "./copy-text.ts";

const SHOW_MS = 1_600;

export type CopyButtonProps = {
  readonly text: string | (() => string);
  /** Accessible name. */
  readonly label?: string;
  readonly children?: ReactNode;
  readonly size?: "small" | "normal" | "large";
  readonly className?: string;
};

export function CopyButton({ text, label, children, size = "small", className }: CopyButtonProps) {
  const common = useTexts(COMMON);
  const [isDone, setDone] = useState(false);
  async function copy(): Promise<void> {
    await copyText(typeof text === "string" ? text : text());
    setDone(true);
    setTimeout(() => setDone(false), SHOW_MS);
  }
  const icon = isDone ? (
    <Check size={13} aria-hidden className="text-success" />
  ) : (
    <Copy size={13} aria-hidden />
  );
  const name = isDone ? common.copied : (label ?? common.copy);
  const more = className === undefined ? {} : { className };
  return children === undefined ? (
    <IconButton label={name} size={size} onPress={() => void copy()} {...more}>
      {icon}
    </IconButton>
  ) : (
    <Button size={size} icon={icon} onPress={() => void copy()} {...more}>
      {isDone ? common.copied : children}
    </Button>
  );
}
