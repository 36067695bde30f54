/** Both languages are here before a test of the page begins; in the browser the chosen one is fetched. */
if (typeof document !== "undefined") {
  const { learn } = await import("../src/i18n");
  await learn("pt");
  await learn("en");
}

export {};
