import { TriangleAlert } from "lucide-react";
import { useTexts } from "../../i18n/texts.ts";
import { visibleName } from "../../text/visible.ts";
import { TEXTS } from "./texts.ts";

export type VersionProps = {
  readonly version: string;
  /** The version of the server that answers; undefined: not known yet. */
  readonly expected: string | undefined;
};

export function Version({ version, expected }: VersionProps) {
  const text = useTexts(TEXTS);
  if (expected === undefined || expected === version) return <span>{visibleName(version)}</span>;
  return (
    <span className="inline-flex flex-wrap items-center gap-x-1 text-timeout">
      <TriangleAlert size={13} aria-hidden className="shrink-0" />
      {visibleName(version)}
      <span className="font-sans">({text.versionDiffers(expected)})</span>
    </span>
  );
}
