import { Link } from "@tanstack/react-router";
import { defineTexts, useTexts } from "../i18n/texts.ts";
import { EmptyState } from "../ui/notes.tsx";
import { PageHead } from "../ui/page-head.tsx";

const TEXTS = defineTexts({
  ja: {
    title: "ページが見つかりません",
    note: "アドレスが間違っているか、削除されています。",
    back: "ダッシュボードへ",
  },
  en: {
    title: "Page not found",
    note: "The address is wrong, or the page no longer exists.",
    back: "Go to the dashboard",
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
