import { Check, Link as LinkIcon, Share2, Terminal, Waypoints } from "lucide-react";
import { useState } from "react";
import type { TaskDetail } from "../../../api/task-detail.ts";
import { useMe } from "../../../api/use-me.ts";
import { useTexts } from "../../../i18n/texts.ts";
import { Button } from "../../../ui/button.tsx";
import { copyText } from "../../../ui/copy-text.ts";
import { Menu } from "../../../ui/menu.tsx";
import { sharedCalls } from "./share-calls.ts";
import { SHARE } from "./share-texts.ts";

const SHOW_MS = 1_600;
const icon = { size: 14, "aria-hidden": true } as const;
const DOOR_ICON = { curl: <Terminal {...icon} />, mcp: <Waypoints {...icon} /> };

/** Copies the link of the task, and the REST and MCP calls that do the same as the buttons. */
export function ShareMenu({ task }: { readonly task: TaskDetail }) {
  const text = useTexts(SHARE);
  const me = useMe();
  const [isDone, setDone] = useState(false);
  async function copy(of: string): Promise<void> {
    await copyText(of);
    setDone(true);
    setTimeout(() => setDone(false), SHOW_MS);
  }
  const { origin } = location;
  const calls = sharedCalls(task, { origin, signIn: me?.signIn ?? false, reason: text.reason });
  return (
    <Menu
      label={text.menu}
      trigger={
        <Button
          className="max-lg:min-h-10"
          icon={isDone ? <Check {...icon} className="text-success" /> : <Share2 {...icon} />}
        >
          {isDone ? text.copied : text.menu}
        </Button>
      }
      actions={[
        {
          id: "link",
          label: text.link,
          icon: <LinkIcon {...icon} />,
          run: () => void copy(`${origin}/tasks/${task.taskId}`),
        },
        // Viewers may make none of these calls.
        ...(me?.role === "viewer" ? [] : calls).map(({ door, id, text: call }) => ({
          id: `${door}-${id}`,
          label: text[door](text.calls[id]),
          icon: DOOR_ICON[door],
          run: () => void copy(call),
        })),
      ]}
    />
  );
}
