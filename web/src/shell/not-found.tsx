import { Link } from "@tanstack/react-router";
import { defineTexts, useTexts } from "../i18n/texts.ts";
import { EmptyState } from "../ui/notes.tsx";
import { PageHead } from "../ui/page-head.tsx";

const TEXTS = defineTexts({
  ja: {
    title: "このページはありません",
    note: "アドレスが違うか、もうありません。",
    back: "ダッシュボードへ",
  },
  en: {
    title: "There is no such page",
    note: "The address is wrong, or what was there is gone.",
    back: "To the dashboard",
  },
});

export function NotFound() {
  const text = useTexts(TEXTS);
  return (
    <>
      <PageHead title={text.title} />
      <EmptyState
        title={text.note}
        action={
          <Link to="/" className="text-violet underline">
            {text.back}
          </Link>
        }
      />
    </>
  );
}
