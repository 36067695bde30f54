import { describe, expect, it } from "vitest";
import { picturesOf } from "../src/chat/CallCards";

const image = (media_type: string, data = "iVBORw0KGgo=") => ({ type: "image", source: { type: "base64", media_type, data } });

describe("pictures of a result", () => {
  it("are its images, and nothing else it may hold", () => {
    const result = [{ type: "text", text: "see" }, image("image/png"), image("image/svg+xml"), image("text/html"), { type: "image", source: { type: "url", url: "http://x" } }];
    expect(picturesOf(result)).toEqual(["data:image/png;base64,iVBORw0KGgo="]);
    expect(picturesOf("text")).toEqual([]);
    expect(picturesOf({ type: "image" })).toEqual([]);
    expect(picturesOf([null, 3])).toEqual([]);
  });
});
