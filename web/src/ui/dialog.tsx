import { X } from "lucide-react";
import type { ReactNode } from "react";
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from "react-aria-components";
import { COMMON } from "../i18n/common.ts";
import { useTexts } from "../i18n/texts.ts";
import { IconButton } from "./button.tsx";

export type DialogProps = {
  readonly title: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
  readonly wide?: boolean;
  /** Only its buttons close it: it shows something that cannot be shown again. */
  readonly staysOpen?: boolean;
};

export function Dialog({
  title,
  isOpen,
  onClose,
  children,
  wide = false,
  staysOpen = false,
}: DialogProps) {
  const text = useTexts(COMMON);
  return (
    <ModalOverlay
      isOpen={isOpen}
      onOpenChange={(open) => !open && onClose()}
      isDismissable={!staysOpen}
      isKeyboardDismissDisabled={staysOpen}
      className="fixed inset-0 z-50 grid place-items-center bg-scrim p-3 backdrop-blur-[2px]"
    >
      <Modal className={wide ? "w-full max-w-4xl" : "w-full max-w-lg"}>
        <AriaDialog className="max-h-[90dvh] overflow-auto rounded-2xl border border-line bg-surface p-5 shadow-2xl outline-none">
          <div className="mb-3 flex items-start justify-between gap-3">
            <Heading slot="title" className="text-lg font-bold text-balance">
              {title}
            </Heading>
            <IconButton label={text.close} onPress={onClose}>
              <X size={16} aria-hidden />
            </IconButton>
          </div>
          {children}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}
