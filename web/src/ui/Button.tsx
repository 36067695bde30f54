import type { ComponentChildren, MouseEventHandler, Ref } from "preact";
import { Icon, type IconName } from "./icons";

type Kind = "primary" | "plain" | "quiet" | "danger";

export interface ButtonProps {
  children?: ComponentChildren;
  icon?: IconName;
  kind?: Kind;
  small?: boolean;
  busy?: boolean;
  disabled?: boolean;
  type?: "button" | "submit";
  onClick?: MouseEventHandler<HTMLButtonElement>;
  class?: string;
  title?: string;
  buttonRef?: Ref<HTMLButtonElement>;
  [more: `aria-${string}` | `data-${string}`]: string | boolean | undefined;
}

export function Button({ children, icon, kind = "plain", small, busy, type = "button", class: extra, buttonRef, ...rest }: ButtonProps) {
  return (
    <button
      {...rest}
      ref={buttonRef ?? null}
      type={type}
      class={`button ${kind}${small ? " small" : ""}${extra ? ` ${extra}` : ""}`}
      aria-busy={busy ? "true" : undefined}
      disabled={rest.disabled || busy}
    >
      {busy ? <Spinner /> : icon && <Icon name={icon} size={small ? 16 : 18} />}
      {children !== undefined && <span>{children}</span>}
    </button>
  );
}

/** A button that shows only an icon; its name is spoken and shown on hover. */
export function IconButton({ label, icon, kind = "quiet", ...rest }: Omit<ButtonProps, "children" | "icon"> & { label: string; icon: IconName }) {
  return <Button {...rest} icon={icon} kind={kind} class={`icon-button ${rest.class ?? ""}`} aria-label={label} title={label} />;
}

export function Spinner() {
  return <span class="spinner" aria-hidden="true" />;
}
