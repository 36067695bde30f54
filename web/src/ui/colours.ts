/** Distinct in light and dark, and to most colour-blind eyes. */
export const COLOURS = ["#1a8f7f", "#d9822b", "#4b78c8", "#b4517a", "#7a8f2a", "#8a63c9", "#c94f3d", "#3f9fb8", "#a58a34", "#6d7b78"];
