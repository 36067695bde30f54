// @vitest-environment node
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import en from "../src/i18n/en.json";
import pt from "../src/i18n/pt.json";

const placeholders = (sentence: string) => [...sentence.matchAll(/\{(\w+)\}/g)].map((match) => match[1]).sort();

function sources(folder: string): string {
  return readdirSync(folder, { withFileTypes: true })
    .map((entry) => (entry.isDirectory() ? sources(join(folder, entry.name)) : /\.tsx?$/.test(entry.name) ? readFileSync(join(folder, entry.name), "utf8") : ""))
    .join("\n");
}

describe("locale files", () => {
  it("have the same keys, none of them empty", () => {
    expect(Object.keys(pt).sort()).toEqual(Object.keys(en).sort());
    for (const file of [pt, en]) for (const [key, sentence] of Object.entries(file)) expect(sentence.trim(), key).not.toBe("");
  });

  it("name the same values in both languages", () => {
    for (const [key, sentence] of Object.entries(en)) expect(placeholders(pt[key as keyof typeof pt]), key).toEqual(placeholders(sentence));
  });

  it("have a plural for every counted sentence", () => {
    const keys = new Set(Object.keys(en));
    for (const key of keys) {
      if (key.endsWith("_one")) expect(keys).toContain(key.replace(/_one$/, "_other"));
      if (key.endsWith("_other")) expect(keys).toContain(key.replace(/_other$/, "_one"));
    }
  });

  it("hold no key that nothing says", () => {
    const code = sources(join(__dirname, "../src"));
    const unused = Object.keys(en).filter((key) => {
      const base = key.replace(/_(one|other)$/, "");
      const stem = key.slice(0, key.lastIndexOf(".") + 1);
      const families = [...key.matchAll(/_/g)].map((at) => key.slice(0, at.index + 1));
      const said = [`"${key}"`, `"${base}"`, ...[stem, ...families].map((start) => `\`${start}$`)];
      return !said.some((one) => code.includes(one));
    });
    expect(unused).toEqual([]);
  });
});
