import type { ComponentChildren } from "preact";

/** A page's heading, what it is for, and its main actions. */
export function Page({ title, lead, actions, children, wide }: { title: string; lead?: string; actions?: ComponentChildren; children: ComponentChildren; wide?: boolean }) {
  return (
    <div class={wide ? "page scroll wide" : "page scroll"}>
      <header class="page-head">
        <div>
          <h1>{title}</h1>
          {lead && <p class="lead">{lead}</p>}
        </div>
        {actions && <div class="page-actions">{actions}</div>}
      </header>
      {children}
    </div>
  );
}
