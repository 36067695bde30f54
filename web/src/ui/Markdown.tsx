import { useEffect, useRef } from "preact/hooks";
import { Artifact } from "./Artifact";
import { type Block, blocksOf, GrowingBlocks } from "./blocks";
import { CodeBlock } from "./CodeBlock";
import { Diagram } from "./Diagram";
import { drawFormulas, hasFormula } from "./math";
import { memo } from "./memo";

/** An answer's text; `outside` where it may repeat a stranger's words: of that, only its `owner` may run what is a page. While it grows, only its last blocks are drawn again. */
export const Markdown = memo(function Markdown({ text, outside, growing = false, owner = true }: { text: string; outside: boolean; growing?: boolean; owner?: boolean }) {
  const reader = useRef<GrowingBlocks | null>(null);
  let blocks: Block[];
  if (growing) {
    reader.current ??= new GrowingBlocks();
    blocks = reader.current.read(text);
  } else {
    blocks = blocksOf(text);
  }
  return (
    <div class="markdown" dir="auto">
      {blocks.map((block, index) => (
        <OneBlock key={index} block={block} outside={outside} owner={owner} open={growing && index === blocks.length - 1} />
      ))}
    </div>
  );
});

/** Sanitised markup; formulas in it are drawn once it stands. */
function Written({ html }: { html: string }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (place.current && hasFormula(html)) void drawFormulas(place.current);
  }, [html]);
  return <div class="md" ref={place} dangerouslySetInnerHTML={{ __html: html }} />;
}

const OneBlock = memo(
  function OneBlock({ block, outside, owner, open }: { block: Block; outside: boolean; owner: boolean; open: boolean }) {
    if (block.kind === "code") {
      const ready = block.closed || !open;
      if (ready && (block.language === "html" || block.language === "svg")) {
        return <Artifact language={block.language} source={block.text} outside={outside} owner={owner} />;
      }
      if (ready && block.language === "mermaid") return <Diagram source={block.text} />;
      return <CodeBlock text={block.text} language={block.language} />;
    }
    if (block.kind === "table") {
      return <div class="md-table" tabIndex={0} role="region" dangerouslySetInnerHTML={{ __html: block.html }} />;
    }
    return <Written html={block.html} />;
  },
  (a, b) => a.open === b.open && a.outside === b.outside && a.block.raw === b.block.raw && a.block.kind === b.block.kind,
);
