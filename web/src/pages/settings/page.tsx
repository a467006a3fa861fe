import { Link } from "@tanstack/react-router";
import { useDaemon, useSettings } from "../../api/system.ts";
import { useMe } from "../../api/use-me.ts";
import { AlertRules } from "../../features/alerts/alert-rules.tsx";
import { TEXTS as ALERT_TEXTS } from "../../features/alerts/texts.ts";
import { AttentionSwitches } from "../../features/notifications/attention/attention-switches.tsx";
import { COMMON } from "../../i18n/common.ts";
import { DISPLAY, LANGUAGE_NAMES } from "../../i18n/display.ts";
import { LOCALES, setLocale, useLocale } from "../../i18n/locale.ts";
import { useTexts } from "../../i18n/texts.ts";
import { Card } from "../../ui/card.tsx";
import { ErrorNote, Loading } from "../../ui/notes.tsx";
import { PageHead, SectionHead } from "../../ui/page-head.tsx";
import { Segments } from "../../ui/segments.tsx";
import { setTheme, THEMES, useThemeChoice } from "../../ui/theme.ts";
import { Configured } from "./configured.tsx";
import { People, You } from "./people.tsx";
import { TEXTS } from "./texts.ts";

export function Page() {
  const text = useTexts(TEXTS);
  const { nav } = useTexts(COMMON);
  const alertText = useTexts(ALERT_TEXTS);
  const me = useMe();
  const settings = useSettings();
  const daemon = useDaemon();
  return (
    <>
      <PageHead title={nav.settings} note={text.note} />
      <div className="flex flex-col gap-7">
        <div className="grid items-start gap-x-4 gap-y-7 lg:grid-cols-2">
          <section>
            <SectionHead title={text.display} />
            <Display />
          </section>
          <section>
            <SectionHead title={text.attention} note={text.attentionNote} />
            <Card className="p-4">
              <AttentionSwitches />
            </Card>
          </section>
          <section>
            <SectionHead title={text.you} />
            {me ? <You me={me} /> : <Loading />}
          </section>
          <section>
            <SectionHead title={text.people} />
            {settings.data && <People people={settings.data.people} />}
          </section>
        </div>
        <section>
          <SectionHead title={alertText.title} note={alertText.rulesNote} />
          {settings.data && <AlertRules rules={settings.data.alerts.rules} />}
        </section>
        <section>
          <SectionHead title={text.config} note={text.configNote} />
          {settings.isPending && <Loading />}
          {settings.isError && (
            <ErrorNote error={settings.error} onRetry={() => void settings.refetch()} />
          )}
          {settings.data && (
            <>
              <p className="mb-2 font-mono text-xs break-all text-text-2">
                {daemon.data?.configPath ?? text.configNone}
              </p>
              <Configured settings={settings.data} />
            </>
          )}
        </section>
        <nav aria-label={text.more} className="flex flex-wrap gap-x-6 gap-y-1">
          <Link to="/roles" className="text-violet hover:underline">
            {text.toRoles}
          </Link>
          <Link to="/system" className="text-violet hover:underline">
            {text.toSystem}
          </Link>
          <Link to="/welcome" className="text-violet hover:underline">
            {text.toWelcome}
          </Link>
        </nav>
      </div>
    </>
  );
}

function Display() {
  const text = useTexts(TEXTS);
  const locale = useLocale((state) => state.locale);
  const words = useTexts(DISPLAY);
  const choice = useThemeChoice((state) => state.choice);
  const isReduced = matchMedia("(prefers-reduced-motion: reduce)").matches;
  return (
    <Card className="flex flex-col gap-4 p-4">
      <div>
        <p className="mb-1 text-xs font-semibold text-text-2">{text.language}</p>
        <Segments
          label={text.language}
          value={locale}
          options={LOCALES.map((id) => ({ id, label: LANGUAGE_NAMES[id] }))}
          onChange={setLocale}
        />
      </div>
      <div>
        <p className="mb-1 text-xs font-semibold text-text-2">{text.theme}</p>
        <Segments
          label={text.theme}
          value={choice}
          options={THEMES.map((id) => ({ id, label: words.themes[id] }))}
          onChange={setTheme}
        />
        <p className="mt-1 text-xs text-text-3">{text.themeNote}</p>
      </div>
      <div>
        <p className="text-xs font-semibold text-text-2">{text.motion}</p>
        <p className="text-text-2">{isReduced ? text.motionReduced : text.motionFull}</p>
      </div>
    </Card>
  );
}
