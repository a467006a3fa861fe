import { Plus, X } from "lucide-react";
import { useState } from "react";
import { useGateway } from "../../api/system.ts";
import { useTexts } from "../../i18n/texts.ts";
import { visibleName } from "../../text/visible.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { ComboBox } from "../../ui/combo-box.tsx";
import { isAllowed } from "./draft.ts";
import { TEXTS } from "./texts.ts";

export type ServerTagsProps = {
  readonly value: readonly string[];
  readonly isReadOnly: boolean;
  readonly onChange: (value: string[]) => void;
};

/** Which upstream tools a role may use: servers, single tools, or all. */
export function ServerTags({ value, isReadOnly, onChange }: ServerTagsProps) {
  const text = useTexts(TEXTS);
  const [typed, setTyped] = useState("");
  const options = useServerOptions();
  const notes = new Map(options.map(({ id, note }) => [id, note]));
  const entry = typed.trim();
  const error = entry !== "" && !isAllowed(entry) ? text.errors.mcp : undefined;
  const add = () => {
    if (entry === "" || error) return;
    if (!value.includes(entry)) onChange([...value, entry]);
    setTyped("");
  };
  return (
    <div role="group" aria-label={text.mcpServers} className="flex flex-col gap-1.5">
      <p aria-hidden className="text-xs font-semibold text-text-2">
        {text.mcpServers}
      </p>
      {value.length === 0 && <p className="text-text-3">{text.mcpNone}</p>}
      <ul className="flex flex-wrap gap-1.5">
        {value.map((each) => (
          <li
            key={each}
            className="flex items-center gap-1 rounded-lg border border-line bg-raised py-0.5 pr-0.5 pl-2.5"
          >
            <span>
              <span className="block font-mono text-xs break-all">{each}</span>
              <span className="block text-[11px] text-text-3">
                {notes.get(each) ?? text.mcpUnknown}
              </span>
            </span>
            {!isReadOnly && (
              <IconButton
                label={text.mcpRemove(each)}
                size="small"
                onPress={() => onChange(value.filter((other) => other !== each))}
              >
                <X size={13} aria-hidden />
              </IconButton>
            )}
          </li>
        ))}
      </ul>
      {!isReadOnly && (
        <div className="flex items-start gap-2">
          <div className="flex-1">
            <ComboBox
              label={text.mcpAddLabel}
              value={typed}
              onChange={setTyped}
              options={options.filter(({ id }) => !value.includes(id))}
              help={text.mcpServersHelp}
              error={error}
            />
          </div>
          <Button
            className="mt-[1.45rem]"
            icon={<Plus size={14} aria-hidden />}
            isDisabled={entry === "" || error !== undefined}
            onPress={add}
          >
            {text.mcpAdd}
          </Button>
        </div>
      )}
    </div>
  );
}

function useServerOptions() {
  const text = useTexts(TEXTS);
  const gateway = useGateway();
  return [
    { id: "*", note: text.mcpAll },
    ...(gateway.data?.servers ?? []).flatMap((server) => [
      { id: server.name, note: text.mcpAllOf(server.name) },
      ...server.tools.map((tool) => ({
        id: `${server.name}/${tool.name}`,
        note: visibleName(tool.title ?? tool.description.slice(0, 80)),
      })),
    ]),
  ];
}
