import { X } from "lucide-react";
import { Dialog, Modal, ModalOverlay } from "react-aria-components";
import { COMMON } from "../i18n/common.ts";
import { useTexts } from "../i18n/texts.ts";
import { IconButton } from "../ui/button.tsx";
import { ConnectionNote } from "./connection.tsx";
import { Nav } from "./nav.tsx";
import { WordMark } from "./word-mark.tsx";

/** The navigation as a full-screen menu for phones. */
export function PhoneMenu({ onClose }: { readonly onClose: () => void }) {
  const text = useTexts(COMMON);
  return (
    <ModalOverlay
      isOpen
      onOpenChange={(open) => !open && onClose()}
      className="fixed inset-0 z-50 bg-base lg:hidden"
    >
      <Modal className="h-full">
        <Dialog
          aria-label={text.nav.menu}
          className="flex h-full flex-col gap-4 overflow-auto p-4 outline-none"
        >
          <div className="flex items-center justify-between">
            <span onClickCapture={onClose}>
              <WordMark />
            </span>
            <IconButton label={text.close} onPress={onClose}>
              <X size={18} aria-hidden />
            </IconButton>
          </div>
          <div onClickCapture={onClose}>
            <Nav />
          </div>
          <ConnectionNote />
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}
