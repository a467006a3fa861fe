import { Switch as AriaSwitch } from "react-aria-components";

export type SwitchProps = {
  readonly label: string;
  readonly note?: string;
  readonly isOn: boolean;
  readonly isDisabled?: boolean;
  readonly onChange: (isOn: boolean) => void;
};

export function Switch({ label, note, isOn, isDisabled = false, onChange }: SwitchProps) {
  return (
    <AriaSwitch
      isSelected={isOn}
      isDisabled={isDisabled}
      onChange={onChange}
      className="group flex cursor-pointer items-start gap-3 disabled:cursor-not-allowed"
    >
      <span
        aria-hidden
        className="mt-0.5 flex h-5 w-9 shrink-0 items-center rounded-full border border-field bg-input px-0.5 transition-colors group-focus-visible:outline-2 group-focus-visible:outline-offset-2 group-focus-visible:outline-violet group-data-focus-visible:outline-2 group-data-focus-visible:outline-violet group-selected:border-violet group-selected:bg-violet-solid"
      >
        <span className="size-3.5 rounded-full bg-text-2 transition-transform group-selected:translate-x-4 group-selected:bg-on-solid" />
      </span>
      <span className="min-w-0">
        <span className="block font-semibold">{label}</span>
        {note && <span className="block text-xs text-text-2">{note}</span>}
      </span>
    </AriaSwitch>
  );
}
