import { Volume2 } from "lucide-react";
import { useState } from "react";
import { defineTexts, useTexts } from "../../../i18n/texts.ts";
import { Button } from "../../../ui/button.tsx";
import { Switch } from "../../../ui/switch.tsx";
import {
  askPermission,
  permission,
  setAttention,
  useAttentionSettings,
} from "./attention-settings.ts";
import { chime } from "./chime.ts";

const TEXTS = defineTexts({
  ja: {
    browser: "ブラウザー通知",
    browserNote:
      "別のタブを見ている間に、承認が必要になったり、あなたへのアラートが届いたりすると通知します。クリックするとそのページが開きます。",
    sound: "通知音",
    soundNote: "承認が必要になると短い音を鳴らします。",
    listen: "試しに鳴らす",
    denied:
      "このサイトの通知はブラウザーで拒否されています。アドレスバーのサイト設定から許可してください。",
    unsupported:
      "このブラウザーでは通知を使えません。localhost または HTTPS で開くと使える場合があります。",
  },
  en: {
    browser: "Browser notifications",
    browserNote:
      "Notifies you when an approval is needed, or an alert for you arrives, while another tab is in front. Click to open it.",
    sound: "Sound",
    soundNote: "Plays a short sound when an approval is needed.",
    listen: "Try it",
    denied: "Notifications from this site are blocked. Allow them in the browser's site settings.",
    unsupported:
      "Notifications are not available in this browser. Opening the page via localhost or HTTPS may help.",
  },
});

/** Opt-in, stored in this browser; permission is requested only on this click. */
export function AttentionSwitches() {
  const text = useTexts(TEXTS);
  const { browser, sound } = useAttentionSettings();
  const [allowed, setAllowed] = useState(permission);
  async function turn(isOn: boolean): Promise<void> {
    if (!isOn) return setAttention({ browser: false });
    const answer = await askPermission();
    setAllowed(answer);
    setAttention({ browser: answer === "granted" });
  }
  return (
    <div className="flex flex-col gap-4">
      <div>
        <Switch
          label={text.browser}
          note={text.browserNote}
          isOn={browser && allowed === "granted"}
          isDisabled={allowed === "unsupported"}
          onChange={(isOn) => void turn(isOn)}
        />
        {allowed === "denied" && <p className="mt-1 text-xs text-timeout">{text.denied}</p>}
        {allowed === "unsupported" && (
          <p className="mt-1 text-xs text-text-3">{text.unsupported}</p>
        )}
      </div>
      <div className="flex flex-wrap items-center justify-between gap-2">
        <Switch
          label={text.sound}
          note={text.soundNote}
          isOn={sound}
          onChange={(isOn) => {
            setAttention({ sound: isOn });
            // A sound within a click also unlocks later sounds.
            if (isOn) chime();
          }}
        />
        <Button size="small" icon={<Volume2 size={13} aria-hidden />} onPress={chime}>
          {text.listen}
        </Button>
      </div>
    </div>
  );
}
