import { LogOut, UserRound } from "lucide-react";
import type { WireMe } from "../../../../src/contract/shapes/people.ts";
import type { WireSettings } from "../../../../src/contract/shapes/settings.ts";
import { useCommandName } from "../../api/system.ts";
import { ROLE_WORDS } from "../../features/people/role-words.ts";
import { SlackLink } from "../../features/people/slack-link.tsx";
import { usePersonName } from "../../features/people/use-person-name.ts";
import { useSignOut } from "../../features/people/use-sign-out.ts";
import { useTexts } from "../../i18n/texts.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import { CountBadge } from "../../ui/page-head.tsx";
import { TEXTS } from "./texts.ts";

export function You({ me }: { readonly me: WireMe }) {
  const text = useTexts(TEXTS);
  const words = useTexts(ROLE_WORDS);
  const nameOf = usePersonName();
  const signOut = useSignOut();
  return (
    <Card className="flex flex-wrap items-center gap-x-4 gap-y-3 p-4">
      <span className="grid size-10 place-items-center rounded-full bg-violet-solid/30 text-violet">
        <UserRound size={18} aria-hidden />
      </span>
      <div className="min-w-0 flex-1 basis-56">
        <p className="font-semibold">{me.signIn ? text.youAre(me.name) : nameOf(me.id)}</p>
        <p className="text-xs text-text-2">
          {me.signIn ? `${words.roles[me.role]} — ${words.notes[me.role]}` : words.noSignIn}
        </p>
      </div>
      {me.signIn && (
        <Button
          icon={<LogOut size={14} aria-hidden />}
          onPress={() => void signOut.run()}
          isPending={signOut.isRunning}
        >
          {text.signOut}
        </Button>
      )}
      {me.slack && <SlackLink />}
    </Card>
  );
}

export function People({ people }: { readonly people: WireSettings["people"] }) {
  const text = useTexts(TEXTS);
  const { roles } = useTexts(ROLE_WORDS);
  const add = `${useCommandName()} user add ID --role operator`;
  return (
    <Card className="flex flex-col gap-3 p-4">
      {people.length === 0 && <p className="text-text-2">{text.peopleNone}</p>}
      {people.length > 0 && (
        <ul className="divide-y divide-line">
          {people.map((person) => (
            <li key={person.id} className="flex flex-wrap items-center gap-x-3 py-1.5">
              <span className="font-semibold">{person.name}</span>
              <span className="font-mono text-xs text-text-3">{person.id}</span>
              <span className="ml-auto">
                <CountBadge>{roles[person.role]}</CountBadge>
              </span>
            </li>
          ))}
        </ul>
      )}
      <div>
        <h3 className="text-xs font-semibold text-text-2">{text.addPerson}</h3>
        <p className="text-xs text-text-3">{text.addPersonNote}</p>
        <p className="mt-1 flex items-center gap-2 rounded-lg border border-line bg-base py-1 pr-1 pl-3">
          <code className="min-w-0 flex-1 font-mono text-xs break-all select-all">{add}</code>
          <CopyButton text={add} />
        </p>
      </div>
    </Card>
  );
}
