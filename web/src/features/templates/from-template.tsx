import { Link } from "@tanstack/react-router";
import { LayoutTemplate } from "lucide-react";
import { useTexts } from "../../i18n/texts.ts";
import { TEXTS } from "./texts.ts";

/** Leads from the dialog of a new task to the gallery. */
export function FromTemplate({ onClose }: { readonly onClose: () => void }) {
  const text = useTexts(TEXTS);
  return (
    <Link
      to="/templates"
      onClick={onClose}
      className="inline-flex w-fit items-center gap-1.5 text-violet hover:underline"
    >
      <LayoutTemplate size={14} aria-hidden />
      {text.fromTemplate}
    </Link>
  );
}
