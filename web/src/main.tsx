import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { I18nProvider } from "react-aria-components";
import { createRoot } from "react-dom/client";
import { isRefusal } from "./api/http.ts";
import { useLocale } from "./i18n/locale.ts";
import { ensureValidLanguage } from "./i18n/valid-language.ts";
import { connectLive } from "./live/connect.ts";
import { publishRaisedAlerts } from "./live/raised-alerts.ts";
import { createRefetch } from "./live/refetch.ts";
import { router } from "./router.tsx";
import { applyTheme, followOtherTabs } from "./ui/theme.ts";
import "./styles.css";

applyTheme();
followOtherTabs();
ensureValidLanguage(navigator);
document.documentElement.lang = useLocale.getState().locale;

const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      // Retrying a refusal would give the same answer.
      retry: (failures, error) => failures < 1 && !isRefusal(error),
      refetchOnWindowFocus: true,
    },
  },
});

const address = new URL("/ws", location.href);
address.protocol = location.protocol === "https:" ? "wss:" : "ws:";
const refetch = createRefetch(queries);
connectLive({
  url: address.href,
  onEvents(events) {
    refetch(events);
    publishRaisedAlerts(events);
  },
  onSnapshot: () => void queries.invalidateQueries(),
});

function App() {
  const locale = useLocale((state) => state.locale);
  return (
    <I18nProvider locale={locale === "ja" ? "ja-JP" : "en-US"}>
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </I18nProvider>
  );
}

const root = document.getElementById("root");
if (root)
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
