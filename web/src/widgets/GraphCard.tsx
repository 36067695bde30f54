import type { ComponentChildren } from "preact";
import { useCallback, useMemo, useState } from "preact/hooks";
import { useSpeech } from "../i18n";
import type { Json, JsonObject } from "../state/events";
import { IconButton } from "../ui/Button";
import { FullScreen } from "../ui/FullScreen";
import { useWidth } from "../ui/hooks";
import { COLOURS } from "../ui/colours";
import { layout, type Point } from "./layout";
import { Rows } from "./Rows";

interface Node {
  id: string;
  label: string;
  name: string;
}

interface Edge {
  source: string;
  target: string;
  type: string;
}

const HEIGHT = 420;
const MOST = 300;

function shortened(name: string, most: number): string {
  return name.length > most ? `${name.slice(0, most - 1)}…` : name;
}

function list(value: Json | undefined): JsonObject[] {
  return Array.isArray(value) ? (value as JsonObject[]) : [];
}

/** Nodes and what joins them, drawn; the same as rows for whoever prefers to read. */
export function GraphCard({ title, data, actions }: { title: string; data: JsonObject; actions?: ComponentChildren }) {
  const { t, count } = useSpeech();
  const [asRows, setAsRows] = useState(false);
  const [chosen, setChosen] = useState<string | null>(null);
  const nodes: Node[] = useMemo(
    () => list(data["nodes"]).slice(0, MOST).map((one) => ({ id: String(one["id"]), label: String(one["label"] ?? ""), name: String(one["name"] ?? one["id"]) })),
    [data],
  );
  const edges: Edge[] = useMemo(
    () => list(data["edges"]).map((one) => ({ source: String(one["source"]), target: String(one["target"]), type: String(one["type"] ?? "") })),
    [data],
  );
  const [box, width] = useWidth<HTMLDivElement>(720);
  const place = useMemo(() => {
    const at = new Map(nodes.map((node, index) => [node.id, index]));
    const pairs = edges.flatMap(({ source, target }): [number, number][] => {
      const a = at.get(source);
      const b = at.get(target);
      return a === undefined || b === undefined ? [] : [[a, b]];
    });
    const points = layout(nodes.length, pairs, width, HEIGHT);
    return new Map(nodes.map((node, index) => [node.id, points[index] as Point]));
  }, [nodes, edges, width]);
  const degree = useCallback((id: string) => edges.filter((edge) => edge.source === id || edge.target === id).length, [edges]);
  const hub = useMemo(() => nodes.reduce((most, node) => (degree(node.id) > degree(most) ? node.id : most), nodes[0]?.id ?? ""), [nodes, degree]);
  const kinds = [...new Set(nodes.map((node) => node.label))];
  const colour = (label: string) => COLOURS[kinds.indexOf(label) % COLOURS.length] as string;
  const names = new Map(nodes.map((node) => [node.id, node.name]));
  const near = (node: Node) =>
    chosen === null || node.id === chosen || edges.some((edge) => [edge.source, edge.target].includes(node.id) && [edge.source, edge.target].includes(chosen));

  return (
    <FullScreen class="widget graph-widget">
      {(full, toggle) => (
        <>
          <header>
            <h3>{title}</h3>
            <span class="widget-meta">{count("widget.nodes", nodes.length)}</span>
            <div class="widget-actions">
              {actions}
              <IconButton small icon={asRows ? "share" : "table"} label={t(asRows ? "widget.as_graph" : "widget.as_table")} aria-pressed={asRows} onClick={() => setAsRows(!asRows)} />
              <IconButton small icon={full ? "close" : "expand"} label={t(full ? "ui.leave_full_screen" : "ui.full_screen")} onClick={toggle} />
            </div>
          </header>
          {asRows ? (
            <Rows label={title} columns={[t("widget.from"), t("widget.relation"), t("widget.to")]} rows={edges.map((edge) => [names.get(edge.source) ?? edge.source, edge.type, names.get(edge.target) ?? edge.target])} />
          ) : (
            <div ref={box}>
              <svg class="graph" viewBox={`0 0 ${width} ${HEIGHT}`} role="group" aria-label={title}>
                {edges.map((edge, index) => {
                  const a = place.get(edge.source);
                  const b = place.get(edge.target);
                  const lit = chosen !== null && (edge.source === chosen || edge.target === chosen);
                  return a && b ? (
                    <g key={index} class={lit ? "edge lit" : "edge"}>
                      <line x1={a.x} y1={a.y} x2={b.x} y2={b.y} />
                      {(lit || edges.length <= 12) && (
                        <text x={(a.x + b.x) / 2} y={(a.y + b.y) / 2 - 4}>
                          {edge.type}
                        </text>
                      )}
                    </g>
                  ) : null;
                })}
                {nodes.map((node) => {
                  const at = place.get(node.id) as Point;
                  const pick = () => setChosen(chosen === node.id ? null : node.id);
                  return (
                    <g
                      key={node.id}
                      class={near(node) ? "node" : "node faint"}
                      tabIndex={0}
                      role="button"
                      aria-pressed={chosen === node.id}
                      aria-label={`${node.name} (${node.label})`}
                      transform={`translate(${at.x} ${at.y})`}
                      onClick={pick}
                      onKeyDown={(event) => {
                        if (event.key !== "Enter" && event.key !== " ") return;
                        event.preventDefault();
                        pick();
                      }}
                    >
                      <circle r={nodes.length > 60 ? 5 : 9} fill={colour(node.label)} />
                      {(nodes.length <= (width < 480 ? 12 : 40) || chosen === node.id || node.id === hub) && <text y={22}>{shortened(node.name, width < 480 ? 12 : 22)}</text>}
                    </g>
                  );
                })}
              </svg>
              <ul class="legend" aria-label={t("widget.legend")}>
                {kinds.map((label) => (
                  <li key={label}>
                    <svg width="10" height="10" aria-hidden="true">
                      <circle cx="5" cy="5" r="5" fill={colour(label)} />
                    </svg>
                    {label}
                  </li>
                ))}
              </ul>
            </div>
          )}
        </>
      )}
    </FullScreen>
  );
}
