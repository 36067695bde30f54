/** Small pieces every page is made of. */
import type { ComponentChildren, TargetedKeyboardEvent } from "preact";
import { useEffect, useId, useRef, useState } from "preact/hooks";
import { useSpeech } from "../i18n";
import { Button, IconButton, Spinner } from "./Button";
import { ErrorNote } from "./ErrorNote";
import type { Loaded } from "./hooks";
import { Icon, type IconName } from "./icons";

interface FieldProps {
  label: string;
  hint?: ComponentChildren;
  error?: string | null | undefined;
  required?: boolean;
  children(id: string, describedBy: string | undefined): ComponentChildren;
}

/** A label, its input, and the words under it, tied together for screen readers. */
export function Field({ label, hint, error, required, children }: FieldProps) {
  const id = useId();
  const described = hint || error ? `${id}-hint` : undefined;
  return (
    <div class="field">
      <label for={id}>
        {label}
        {required && <span class="required" aria-hidden="true"> *</span>}
      </label>
      {children(id, described)}
      {(hint || error) && (
        <p class={error ? "hint error" : "hint"} id={described}>
          {error ?? hint}
        </p>
      )}
    </div>
  );
}

interface InputProps {
  label: string;
  value: string | number;
  onText(value: string): void;
  hint?: ComponentChildren;
  error?: string | null | undefined;
  type?: "text" | "email" | "password" | "date" | "number" | "url" | "datetime-local" | "time";
  inputMode?: "decimal" | "numeric" | "text";
  required?: boolean;
  autocomplete?: string;
  autoFocus?: boolean;
  minLength?: number;
  maxLength?: number;
  placeholder?: string;
  disabled?: boolean;
}

export function TextField({ label, hint, error, onText, required, ...rest }: InputProps) {
  return (
    <Field label={label} hint={hint} error={error} required={Boolean(required)}>
      {(id, described) => (
        <input
          {...(rest as object)}
          required={required ?? false}
          id={id}
          aria-describedby={described}
          aria-invalid={error ? "true" : undefined}
          onInput={(event) => onText(event.currentTarget.value)}
        />
      )}
    </Field>
  );
}

interface AreaProps {
  label: string;
  value: string;
  onText(value: string): void;
  rows?: number;
  hint?: ComponentChildren;
  error?: string | null;
  mono?: boolean;
  required?: boolean;
}

export function AreaField({ label, hint, error, onText, value, rows = 4, mono, required }: AreaProps) {
  return (
    <Field label={label} hint={hint} error={error} required={Boolean(required)}>
      {(id, described) => (
        <textarea
          id={id}
          rows={rows}
          class={mono ? "mono" : undefined}
          value={value}
          required={required ?? false}
          spellcheck={!mono}
          aria-describedby={described}
          aria-invalid={error ? "true" : undefined}
          onInput={(event) => onText(event.currentTarget.value)}
        />
      )}
    </Field>
  );
}

interface SelectProps<T extends string> {
  label: string;
  value: T;
  options: readonly (readonly [T, string])[];
  onPick(value: T): void;
  hint?: ComponentChildren;
  disabled?: boolean;
}

export function SelectField<T extends string>({ label, value, options, onPick, hint, disabled }: SelectProps<T>) {
  return (
    <Field label={label} hint={hint}>
      {(id, described) => (
        <select
          id={id}
          value={value}
          disabled={disabled ?? false}
          aria-describedby={described}
          onChange={(event) => onPick(event.currentTarget.value as T)}
        >
          {options.map(([key, words]) => (
            <option key={key} value={key} selected={key === value}>
              {words}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

interface SwitchProps {
  label: string;
  checked: boolean;
  onChange(checked: boolean): void;
  hint?: string;
  disabled?: boolean;
  hideLabel?: boolean;
}

export function Switch({ label, checked, onChange, hint, disabled, hideLabel }: SwitchProps) {
  return (
    <label class="switch">
      <input
        type="checkbox"
        role="switch"
        checked={checked}
        disabled={disabled ?? false}
        aria-label={hideLabel ? label : undefined}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <span class="switch-track" aria-hidden="true" />
      {!hideLabel && (
        <span>
          {label}
          {hint && <small>{hint}</small>}
        </span>
      )}
    </label>
  );
}

export function Check({ label, checked, onChange, hint }: SwitchProps) {
  return (
    <label class="check">
      <input type="checkbox" checked={checked} onChange={(event) => onChange(event.currentTarget.checked)} />
      <span>
        {label}
        {hint && <small>{hint}</small>}
      </span>
    </label>
  );
}

/** Nothing here yet: what would be, and how to make the first one. */
export function Empty({ icon, title, children, action }: { icon: IconName; title: string; children?: ComponentChildren; action?: ComponentChildren }) {
  return (
    <div class="empty">
      <Icon name={icon} size={32} />
      <h2>{title}</h2>
      {children && <div>{children}</div>}
      {action}
    </div>
  );
}

export function Note({ kind = "info", children }: { kind?: "info" | "warn" | "good"; children: ComponentChildren }) {
  return (
    <div class={`note ${kind}`}>
      <Icon name={kind === "warn" ? "alert" : kind === "good" ? "check" : "info"} />
      <div>{children}</div>
    </div>
  );
}

export function Badge({ kind, children }: { kind?: "good" | "bad" | "warn" | "accent"; children: ComponentChildren }) {
  return <span class={`badge ${kind ?? ""}`}>{children}</span>;
}

/** Loading, failed, or there: one decision for every page that shows something loaded. */
export function Await<T>({ of, place, children }: { of: Loaded<T>; /** The class of a box for what is shown until it is there. */ place?: string; children(data: T): ComponentChildren }) {
  const { t } = useSpeech();
  const failed = Boolean(of.problem) && (
    <ErrorNote problem={of.problem}>
      <Button small icon="retry" onClick={of.reload}>
        {t("ui.try_again")}
      </Button>
    </ErrorNote>
  );
  if (of.data !== null) {
    return (
      <>
        {failed}
        {children(of.data)}
      </>
    );
  }
  const instead = failed || <Loading />;
  return place ? <div class={place}>{instead}</div> : instead;
}

export function Loading() {
  const { t } = useSpeech();
  return (
    <p class="loading" role="status">
      <Spinner /> {t("ui.loading")}
    </p>
  );
}

/** A button that opens a short list of actions. Arrow keys move, Escape closes. */
export interface MenuItem {
  label: string;
  icon?: IconName;
  danger?: boolean;
  checked?: boolean;
  onPick(): void;
}

/** Pixels between a menu and the edge of the page. */
const EDGE = 8;

export function Menu({ label, icon = "more", items, children }: { label: string; icon?: IconName; items: (MenuItem | null)[]; children?: ComponentChildren }) {
  const [open, setOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!open) return;
    // It hangs from the button's right edge: on a phone that can be further left than the page goes.
    const left = list.current?.getBoundingClientRect().left ?? EDGE;
    if (list.current && left < EDGE) list.current.style.right = `${left - EDGE}px`;
    list.current?.querySelector<HTMLElement>("[role^=menuitem]")?.focus();
    const away = (event: Event) => !root.current?.contains(event.target as Node) && setOpen(false);
    document.addEventListener("pointerdown", away);
    document.addEventListener("focusin", away);
    return () => {
      document.removeEventListener("pointerdown", away);
      document.removeEventListener("focusin", away);
    };
  }, [open]);

  const move = (event: TargetedKeyboardEvent<HTMLDivElement>) => {
    const all = [...(list.current?.querySelectorAll<HTMLElement>("[role^=menuitem]") ?? [])];
    const at = all.indexOf(document.activeElement as HTMLElement);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: all.length - 1 }[event.key];
    if (event.key === "Escape") {
      event.stopPropagation();
      setOpen(false);
      button.current?.focus();
    } else if (to !== undefined && all.length) {
      event.preventDefault();
      all[(to + all.length) % all.length]?.focus();
    }
  };

  return (
    <div class="menu" ref={root} onKeyDown={move}>
      {children === undefined ? (
        <IconButton label={label} icon={icon} aria-haspopup="menu" aria-expanded={open ? "true" : "false"} buttonRef={button} onClick={() => setOpen(!open)} />
      ) : (
        <button ref={button} type="button" class="menu-opener" aria-haspopup="menu" aria-expanded={open} onClick={() => setOpen(!open)}>
          {children}
        </button>
      )}
      {open && (
        <div class="menu-list" role="menu" aria-label={label} ref={list}>
          {items.map((item, index) =>
            item === null ? (
              <hr key={index} />
            ) : (
              <button
                key={item.label}
                type="button"
                role={item.checked === undefined ? "menuitem" : "menuitemradio"}
                aria-checked={item.checked === undefined ? undefined : item.checked}
                class={item.danger ? "danger" : ""}
                onClick={() => {
                  setOpen(false);
                  button.current?.focus();
                  item.onPick();
                }}
              >
                {item.icon && <Icon name={item.icon} size={16} />}
                <span>{item.label}</span>
                {item.checked && <Icon name="check" size={16} />}
              </button>
            ),
          )}
        </div>
      )}
    </div>
  );
}

/** Copy to the clipboard, and say that it happened. */
export function CopyButton({ text, label }: { text: string | (() => string); label?: string }) {
  const { t } = useSpeech();
  const [done, setDone] = useState(false);
  const copy = async () => {
    await copyText(typeof text === "function" ? text() : text);
    setDone(true);
    setTimeout(() => setDone(false), 1600);
  };
  return (
    <IconButton small label={done ? t("ui.copied") : (label ?? t("ui.copy"))} icon={done ? "check" : "copy"} onClick={() => void copy()} />
  );
}

async function copyText(text: string): Promise<void> {
  if (navigator.clipboard && window.isSecureContext) return navigator.clipboard.writeText(text);
  // Plain HTTP on a plant's network has no clipboard API.
  const area = document.createElement("textarea");
  area.value = text;
  area.className = "visually-hidden";
  document.body.append(area);
  area.select();
  document.execCommand("copy");
  area.remove();
}

export function Tabs<T extends string>({ label, tabs, current, onPick }: { label: string; tabs: readonly (readonly [T, string])[]; current: T; onPick(tab: T): void }) {
  const move = (event: TargetedKeyboardEvent<HTMLDivElement>) => {
    const at = tabs.findIndex(([key]) => key === current);
    const to = event.key === "ArrowRight" ? at + 1 : event.key === "ArrowLeft" ? at - 1 : -1;
    if (event.key !== "ArrowRight" && event.key !== "ArrowLeft") return;
    const next = tabs[(to + tabs.length) % tabs.length];
    if (!next) return;
    onPick(next[0]);
    event.currentTarget.querySelectorAll<HTMLElement>("[role=tab]")[tabs.indexOf(next)]?.focus();
  };
  return (
    <div class="tabs" role="tablist" aria-label={label} onKeyDown={move}>
      {tabs.map(([key, words]) => (
        <button key={key} type="button" role="tab" aria-selected={key === current} tabIndex={key === current ? 0 : -1} onClick={() => onPick(key)}>
          {words}
        </button>
      ))}
    </div>
  );
}
