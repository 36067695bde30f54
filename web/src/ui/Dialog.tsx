/** A modal question, on the browser's own dialog: focus stays inside and Escape closes. */
import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";
import { useSpeech } from "../i18n";
import { Button, IconButton } from "./Button";
import { ErrorNote } from "./ErrorNote";
import { useAction } from "./hooks";

interface DialogProps {
  title: string;
  children: ComponentChildren;
  onClose(): void;
  wide?: boolean;
  class?: string;
  footer?: ComponentChildren;
}

export function Dialog({ title, children, onClose, wide, class: extra = "", footer }: DialogProps) {
  const { t } = useSpeech();
  const ref = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const opener = document.activeElement as HTMLElement | null;
    ref.current?.showModal();
    return () => opener?.focus?.();
  }, []);
  return (
    <dialog
      ref={ref}
      class={`dialog ${wide ? "wide" : ""} ${extra}`}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onMouseDown={(event) => event.target === ref.current && onClose()}
    >
      <div class="dialog-inner">
        <header>
          <h2 id={id}>{title}</h2>
          <IconButton label={t("ui.close")} icon="close" onClick={onClose} />
        </header>
        <div class="dialog-body">{children}</div>
        {footer && <footer>{footer}</footer>}
      </div>
    </dialog>
  );
}

interface ConfirmProps {
  title: string;
  children: ComponentChildren;
  action: string;
  danger?: boolean;
  onConfirm(): Promise<unknown> | void;
  onClose(): void;
}

/** Ask once more before something that cannot be undone. */
export function Confirm({ title, children, action, danger, onConfirm, onClose }: ConfirmProps) {
  const { t } = useSpeech();
  const [run, busy, problem] = useAction(async () => {
    await onConfirm();
    onClose();
  });
  return (
    <Dialog
      title={title}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{t("ui.cancel")}</Button>
          <Button kind={danger ? "danger" : "primary"} busy={busy} onClick={() => void run()}>
            {action}
          </Button>
        </>
      }
    >
      {children}
      <ErrorNote problem={problem} />
    </Dialog>
  );
}
