import { Link } from "@tanstack/react-router";
import { defineTexts, useTexts } from "../i18n/texts.ts";
import { EmptyState } from "../kit/notes.tsx";

const TEXTS = defineTexts({
  ja: { title: "このページはありません", back: "ダッシュボードへ" },
  en: { title: "There is no such page", back: "To the dashboard" },
});

export function NotFound() {
  const text = useTexts(TEXTS);
  return (
    <EmptyState
      title={text.title}
      action={
        <Link to="/" className="text-violet underline">
          {text.back}
        </Link>
      }
    />
  );
}
