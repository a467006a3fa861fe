import { Code2, FileSpreadsheet, Sparkles } from "lucide-react";
import {
  DEMO_REQUESTS,
  DEMO_STORIES,
  type DemoChoice,
  type DemoStory,
} from "../../../../src/contract/demo.ts";
import { useLocale } from "../../i18n/locale.ts";
import { useTexts } from "../../i18n/texts.ts";
import { Button } from "../../ui/button.tsx";
import { Mark } from "../../ui/mark.tsx";
import { TOUR } from "./texts.ts";
import { useStartStory } from "./use-tour.ts";

const ICONS = { hr: FileSpreadsheet, coding: Code2 } as const;

/** The first page of a demo: what it is, and its stories. */
export function DemoStart({ demo }: { readonly demo: DemoChoice }) {
  const text = useTexts(TOUR);
  const stories =
    demo === "choose" ? DEMO_STORIES : DEMO_STORIES.toSorted((a) => (a === demo ? -1 : 1));
  return (
    <section
      aria-labelledby="demo-start"
      className="rounded-2xl border border-line bg-surface/70 p-5 sm:p-8"
    >
      <div className="mx-auto flex max-w-2xl flex-col items-center gap-2 text-center">
        <Mark size={72} className="text-violet" />
        <h2 id="demo-start" className="text-xl font-bold">
          {text.welcome}
        </h2>
        <p className="text-text-2">{text.welcomeBody}</p>
        <p className="text-text-2">{text.choose}</p>
      </div>
      <ul className="mt-6 grid gap-4 lg:grid-cols-2">
        {stories.map((story) => (
          <StoryCard key={story} story={story} />
        ))}
      </ul>
    </section>
  );
}

function StoryCard({ story }: { readonly story: DemoStory }) {
  const text = useTexts(TOUR);
  const locale = useLocale((state) => state.locale);
  const start = useStartStory();
  const { title, body, button } = text.stories[story];
  const Icon = ICONS[story];
  return (
    <li className="flex flex-col gap-3 rounded-xl border border-violet/50 bg-violet-solid/10 p-4">
      <div className="flex items-start gap-3">
        <Icon size={22} aria-hidden className="mt-0.5 shrink-0 text-violet" />
        <div>
          <h3 className="font-semibold">{title}</h3>
          <p className="text-text-2">{body}</p>
        </div>
      </div>
      <p className="flex-1 rounded-lg border-l-2 border-violet bg-base px-3 py-2">
        {DEMO_REQUESTS[story][locale]}
      </p>
      <Button
        look="violet"
        size="large"
        icon={<Sparkles size={16} aria-hidden />}
        isPending={start.isRunning}
        onPress={() => void start.run(story)}
        aria-label={`${title}: ${button}`}
      >
        {button}
      </Button>
    </li>
  );
}
