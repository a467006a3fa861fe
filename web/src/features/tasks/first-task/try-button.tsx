import { Sparkles } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { useMayOperate } from "../../../api/use-me.ts";
import { useTexts } from "../../../i18n/texts.ts";
import { Button } from "../../../ui/button.tsx";
import { ROLE_WORDS } from "../../people/role-words.ts";
import { useFirstTask } from "./first-task.ts";
import { TEXTS } from "./texts.ts";

/** Loaded on demand: the first page needs no other dialog. */
const ConfirmTry = lazy(async () => ({
  default: (await import("./confirm-try.tsx")).ConfirmTry,
}));

/** Creates a real task; asks for confirmation if that can cost money. `isSmall`: a secondary button. */
export function TryButton({ isSmall = false }: { readonly isSmall?: boolean }) {
  const text = useTexts(TEXTS);
  const { isKnown, runner, create } = useFirstTask(text.fileText);
  const mayOperate = useMayOperate();
  const [isAsking, setAsking] = useState(false);
  const start = () => void create.run(text.tryText);
  return (
    <>
      <Button
        {...(isSmall ? { size: "small" } : { look: "violet", size: "large" })}
        icon={<Sparkles size={isSmall ? 13 : 16} aria-hidden />}
        isPending={create.isRunning}
        isDisabled={!isKnown || !mayOperate}
        onPress={() => (runner === null ? start() : setAsking(true))}
      >
        {create.isRunning ? text.trying : isSmall ? text.tryAgain : text.tryButton}
      </Button>
      {isAsking && runner !== null && (
        <Suspense fallback={null}>
          <ConfirmTry
            runner={runner}
            isRunning={create.isRunning}
            onStart={start}
            onClose={() => setAsking(false)}
          />
        </Suspense>
      )}
    </>
  );
}

/** Says what it will cost. */
export function useTryCost(): string {
  const text = useTexts(TEXTS);
  const { isKnown, runner } = useFirstTask(text.fileText);
  const mayOperate = useMayOperate();
  const { mayNot } = useTexts(ROLE_WORDS);
  if (!isKnown) return "";
  if (!mayOperate) return mayNot;
  return runner === null ? text.tryRehearsal : text.tryReal(runner);
}
